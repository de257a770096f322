"""Completion of the command line in bash and zsh, made of the parser: commands, options, and the values of choices."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

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
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _interplay interplay
"""


def script(parser: argparse.ArgumentParser) -> str:
    """The script for a parser with all commands."""
    commands = dict(_commands(parser))
    options = (f'            {name}) words="{" ".join(_flags(one))}" ;;' for name, one in commands.items())
    values = (
        f'    "{name} {flag}") words="{" ".join(map(str, action.choices or ()))}" ;;'
        for name, one in commands.items()
        for action in one._actions
        for flag in action.option_strings
        if action.choices
    )
    return _SCRIPT.format(values="\n".join(values), options="\n".join(options), commands=" ".join(commands))


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _flags(parser: argparse.ArgumentParser) -> list[str]:
    return [flag for action in parser._actions for flag in action.option_strings if flag.startswith("--")]
