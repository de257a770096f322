"""Completion of the command line in bash and zsh, made of the parser: commands, options, and the values of choices."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from core.program.properties import CheckKind, PropertyKind
from interplay.presentation.run_options import options_of
from methods.registry import ENGINES

_SCRIPT = """# interplay completion >> ~/.bashrc   (in zsh after: autoload -U bashcompinit; bashcompinit)
_interplay() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=
    case "${{COMP_WORDS[1]}} $before" in
{values}
    *) case "$word" in
        -*) case "${{COMP_WORDS[1]}}" in
{options}
            esac ;;
        *) [ "$COMP_CWORD" = 1 ] && words="{commands}" ;;
        esac ;;
    esac
    local first=
    case "$word" in *,*) first="${{word%,*}}," ;; esac  # of a list the last one is completed
    COMPREPLY=($(compgen -P "$first" -W "$words" -- "${{word##*,}}"))
}}
complete -o default -F _interplay interplay
"""


def script(parser: argparse.ArgumentParser) -> str:
    """The script for a parser with all commands."""
    commands = dict(_commands(parser))
    options = (f'            {name}) words="{" ".join(_flags(one))}" ;;' for name, one in commands.items())
    values = (
        f'    "{name} {flag}") words="{" ".join(found)}" ;;'
        for name, one in commands.items()
        for action in one._actions
        for flag in action.option_strings
        if (found := [*map(str, action.choices or ())] or _named(flag))
    )
    return _SCRIPT.format(values="\n".join(values), options="\n".join(options), commands=" ".join(commands))


def _named(flag: str) -> list[str]:
    """The values of options that take names of a kind, which the parser does not list."""
    match flag:
        case "--check":
            return list(dict.fromkeys(kind.row.selected_by for kind in CheckKind if kind.row.selected_by))
        case "--property":
            return [kind.value for kind in PropertyKind]
        case "--option":
            return list(dict.fromkeys(f"{one.name}=" for engine in ENGINES for one in options_of(engine)))
        case _:
            return []


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _flags(parser: argparse.ArgumentParser) -> list[str]:
    return [flag for action in parser._actions for flag in action.option_strings if flag.startswith("--")]
