/* cli/install/templates.h: the starter rules that are built in: policy/init/NAME.rules. */
#pragma once
#include "base/str.h"

#define TEMPLATE_MAP(X)                                                                    \
	X(node, "Node.js", "package.json\0")                                               \
	X(rust, "Rust", "Cargo.toml\0")                                                    \
	X(go, "Go", "go.mod\0")                                                            \
	X(python, "Python",                                                                \
	    "pyproject.toml\0setup.py\0setup.cfg\0requirements.txt\0Pipfile\0")            \
	X(make, "Make", "Makefile\0GNUmakefile\0makefile\0")                               \
	X(cmake, "CMake", "CMakeLists.txt\0")                                              \
	X(java, "Java", "pom.xml\0build.gradle\0build.gradle.kts\0")                       \
	X(ruby, "Ruby", "Gemfile\0")                                                       \
	X(php, "PHP", "composer.json\0")                                                   \
	X(dotnet, ".NET", "*.sln\0*.csproj\0*.fsproj\0")                                   \
	X(docker, "Docker", "Dockerfile\0compose.yaml\0compose.yml\0docker-compose.yml\0") \
	X(terraform, "Terraform", "*.tf\0")

#define X(name, title, files) struct str template_##name(void);
TEMPLATE_MAP(X)
#undef X
struct str template_base(void);
