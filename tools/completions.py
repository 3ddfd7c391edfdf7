#!/usr/bin/env python3
"""tools/completions.py OUT PROGRAM=FOLDER...: completions for bash, zsh and fish.

Makes OUT/cordon.bash, OUT/_cordon and OUT/cordon.fish from the help pages (tools/pages.py), so that
completions and help agree.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import pages as help_pages  # noqa: E402

FILES = ("FILE", "PATH", "SIG", "SIGNATURE")
DIRS = ("DIR",)


def operand_kind(page):
    """The kind of operands: files, dirs, a command, or unknown."""
    usage = re.sub(r"--?[a-z-]+ [A-Z]+", "", " ".join([page.usage, *page.words.values()]))
    for word in re.findall(r"[A-Z]+", usage):
        if word == "PROGRAM":
            return "command"
        if word in DIRS:
            return "dirs"
        if word in FILES:
            return "files"
    return ""


def first_words(page):
    """The words that may follow the subcommand."""
    return [*page.words, *(w for choices in page.operands.values() for w in choices)]


def value_kind(option):
    if option.choices:
        return "words"
    return "dirs" if option.value in DIRS else "files" if option.value in FILES else "none"


# ---- bash: two functions with a table, and one that calls them

BASH = r'''
_cordon()
{
	local program=${COMP_WORDS[0]##*/} cur=${COMP_WORDS[COMP_CWORD]} sub=${COMP_WORDS[1]}
	local prev=${COMP_WORDS[COMP_CWORD - 1]} kind i first=2

	COMPREPLY=()
	# bash makes a word of the = in --option=value.
	if [ "$cur" = = ]; then
		cur=
	elif [ "$prev" = = ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if [ "$COMP_CWORD" -eq 1 ]; then
		kind="words $(_cordon_words "$program")"
	elif [ "$sub" = help ]; then
		[ "$COMP_CWORD" -gt 2 ] || kind="words $(_cordon_words "$program")"
	elif _cordon_takes_command "$program $sub" && i=$(_cordon_command_at "$program $sub"); then
		_cordon_delegate "$i"
		return
	else
		kind=$(_cordon_value "$program $sub $prev") || kind=
		if [ -z "$kind" ] && [ "${cur:0:1}" = - ]; then
			kind="words $(_cordon_options "$program $sub") --help"
		elif [ -z "$kind" ]; then
			kind=$(_cordon_operand "$program $sub")
			[ "$COMP_CWORD" -gt "$first" ] && case $kind in
			words*) kind=${kind##*; } ;;
			esac
			kind=${kind%; *}
		fi
	fi
	case $kind in
	words*) mapfile -t COMPREPLY < <(compgen -W "${kind#words}" -- "$cur") ;;
	dirs) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
	files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	esac
}

# Where the words of the command begin that is to be run; fails when they have not begun.
_cordon_command_at()
{
	local i=2 word

	while [ "$i" -le "$COMP_CWORD" ]; do
		word=${COMP_WORDS[i]}
		if [ "$word" = -- ]; then
			[ "$i" -lt "$COMP_CWORD" ] || return 1
			echo $((i + 1))
			return 0
		elif [ "${word:0:1}" != - ]; then
			echo "$i"
			return 0
		elif [ -n "$(_cordon_value "$1 $word")" ]; then
			i=$((i + 1))
			[ "${COMP_WORDS[i]}" != = ] || i=$((i + 1))
		fi
		i=$((i + 1))
	done
	return 1
}

_cordon_delegate()
{
	if declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif [ "$1" -eq "$COMP_CWORD" ]; then
		mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
	else
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
	fi
}

complete -F _cordon cordon cordond
'''


def bash_case(name, what, rows, otherwise=":"):
    out = ["", f"# {what}", f"{name}()", "{", "\tcase $1 in"]
    out += [f"\t'{key}') echo '{answer}' ;;" for key, answer in rows]
    return [*out, f"\t*) {otherwise} ;;", "\tesac", "}"]


def bash(programs):
    words, options, values, operands, commands = [], [], [], [], []
    for program, pages in programs.items():
        words.append((program, " ".join([*pages, "help", "--help", "--version"])))
        for page in pages.values():
            key = f"{program} {page.name}"
            options.append((key, " ".join(page.options)))
            for option in page.options.values():
                if option.value:
                    kind = value_kind(option)
                    values.append((f"{key} {option.name}",
                                   " ".join([kind, *option.choices])))
            first, kind = first_words(page), operand_kind(page)
            if kind == "command":
                commands.append(f"'{key}'")
            elif first or kind:
                operands.append((key, f"words {' '.join(first)}; {kind}" if first else kind))
    return "\n".join([
        "# Made by tools/completions.py from the pages of `cordon help`.",
        "# shellcheck shell=bash",
        *bash_case("_cordon_words", "The subcommands of a program.", words),
        *bash_case("_cordon_options", "The options of a subcommand.", options),
        *bash_case("_cordon_value", "What an option takes.", values),
        *bash_case("_cordon_operand", "What stands first, and behind it.", operands),
        "", "_cordon_takes_command()", "{", "\tcase $1 in", f"\t{' | '.join(commands)}) ;;",
        "\t*) return 1 ;;", "\tesac", "}"]) + "\n" + BASH.lstrip("\n").join(["\n", ""])


# ---- zsh: _arguments for each subcommand

def zsh_quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_text(text):
    """Short, and without the special characters of _arguments."""
    text = re.sub(r"[\[\]:\\]", "", text)
    return text if len(text) <= 70 else text[:67] + "..."


def zsh_value(option):
    action = {"words": f"({' '.join(option.choices)})", "dirs": "_files -/",
              "files": "_files", "none": " "}[value_kind(option)]
    return f":{option.value.replace(':', ' ')}:{action}"


def zsh_option(option):
    text = f"[{zsh_text(option.what)}]"
    if not option.value:
        return zsh_quote(option.name + text)
    joined = "=" if option.name.startswith("--") else ""
    return zsh_quote(f"*{option.name}{joined}{text}{zsh_value(option)}")


def zsh_operands(page):
    first, kind = first_words(page), operand_kind(page)
    rest = {"command": "'*::program:_normal'", "dirs": "'*:directory:_files -/'",
            "files": "'*:file:_files'"}.get(kind)
    if first:
        return [zsh_quote(f"1:word:({' '.join(first)})"), *([rest] if rest else [])]
    return [rest] if rest else []


def zsh(programs):
    out = ["#compdef cordon cordond",
           "# Made by tools/completions.py from the pages of `cordon help`.", "",
           "_cordon()", "{", "\tlocal context state state_descr line", "\ttypeset -A opt_args",
           "\tlocal -a subcommands", "", "\tcase $service in"]
    for program, pages in programs.items():
        out += [f"\t{program}) subcommands=("]
        out += [f"\t\t{zsh_quote(page.name + ':' + zsh_text(page.sentence))}"
                for page in pages.values()]
        out += ["\t\t'help:This page, or the page of a subcommand.') ;;"]
    out += ["\tesac",
            "\t_arguments -C '(- *)--help[what there is]' '(- *)--version[which version]' \\",
            "\t\t'1: :->subcommand' '*:: :->rest' && return", "",
            "\tcase $state in",
            "\tsubcommand) _describe subcommand subcommands ;;",
            "\trest)", "\t\tcase \"$service $words[1]\" in"]
    for program, pages in programs.items():
        for page in pages.values():
            rows = ["'(- *)--help[the page of this subcommand]'",
                    *map(zsh_option, page.options.values()), *zsh_operands(page)]
            out += [f"\t\t'{program} {page.name}') _arguments \\"]
            out += [f"\t\t\t{row} \\" for row in rows[:-1]] + [f"\t\t\t{rows[-1]} ;;"]
        out += [f"\t\t'{program} help') _describe subcommand subcommands ;;"]
    return "\n".join([*out, "\t\tesac ;;", "\tesac", "}", "", '_cordon "$@"', ""])


# ---- fish: a line for each word and option

def fish_quote(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_option(program, page, option):
    short = option.name[1:] if not option.name.startswith("--") else ""
    line = [f"complete -c {program} -n '__fish_seen_subcommand_from {page.name}'",
            f"-o {short}" if short else f"-l {option.name[2:]}"]
    if option.value:
        line.append({"words": "-x -a " + fish_quote(" ".join(option.choices)),
                     "dirs": "-x -a '(__fish_complete_directories)'",
                     "files": "-r -F", "none": "-x"}[value_kind(option)])
    return " ".join([*line, "-d", fish_quote(zsh_text(option.what))])


def fish_operands(program, page):
    seen = f"complete -c {program} -n '__fish_seen_subcommand_from {page.name}"
    first, kind = first_words(page), operand_kind(page)
    if first:
        only = "; and not __fish_seen_subcommand_from " + " ".join(first)
        yield f"{seen}{only}' -a {fish_quote(' '.join(first))}"
    # Skip two words, and the values of options.  An option with a single dash ends the options of
    # the fish function itself.
    takes = " ".join(["-c", *(o.name for o in page.options.values() if o.value)])
    if kind:
        yield f"{seen}' " + {
            "command": f"-a '(__fish_complete_subcommand --fcs-skip=2 {takes})'",
            "files": "-F", "dirs": "-a '(__fish_complete_directories)'"}[kind]


def fish(programs):
    out = ["# Made by tools/completions.py from the pages of `cordon help`."]
    for program, pages in programs.items():
        out += [f"complete -c {program} -f",
                f"complete -c {program} -n __fish_use_subcommand -l version -d 'which version'",
                f"complete -c {program} -l help -d 'the page of this subcommand'",
                f"complete -c {program} -n '__fish_seen_subcommand_from help' "
                f"-a {fish_quote(' '.join(pages))}"]
        for page in [*pages.values(),
                     help_pages.Page("help", "", "This page, or the page of a subcommand.")]:
            out.append(f"complete -c {program} -n __fish_use_subcommand -a {page.name} "
                       f"-d {fish_quote(page.sentence)}")
            out += [fish_option(program, page, o) for o in page.options.values()]
            out += fish_operands(program, page)
    return "\n".join([*out, ""])


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: tools/completions.py OUT PROGRAM=FOLDER...")
    out = pathlib.Path(sys.argv[1])
    programs = {}
    for word in sys.argv[2:]:
        program, folder = word.split("=", 1)
        programs[program] = help_pages.read(folder)
    for name, text in (("cordon.bash", bash(programs)), ("_cordon", zsh(programs)),
                       ("cordon.fish", fish(programs))):
        (out / name).write_text(text, encoding="ascii")


main()
