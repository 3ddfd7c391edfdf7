/* agents/setup/adapters.h: the adapters that come with the program, as text. */
#pragma once
#include "agents/setup/setup.h"

/* The file of adapters/ for this agent; .p == NULL where it needs none. */
struct str setup_adapter(enum agent agent);
