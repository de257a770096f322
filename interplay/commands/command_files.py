"""The files of a command line: C files, folders, and projects, which are folders with an `interplay.toml`.

What the command line itself says comes behind the options of the project and so has precedence.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from interplay.session.project_file import PROJECT, WrongProject, c_files, read_project, words_of


def resolved(options: Namespace) -> tuple[list[str], list[str]] | None:
    """The options and files that the folders of a command line stand for; the options come before its own.

    None where they are files already. Raises `WrongProject`.
    """
    given = [str(Path(one).parent) if _is_project(Path(one)) else one for one in options.files]
    if not given and options.compile_commands is None and Path(PROJECT).is_file():
        given = ["."]
    projects = [Path(one) for one in given if (Path(one) / PROJECT).is_file()]
    if len(projects) > 1 or (projects and len(given) > 1):
        raise WrongProject(f"{projects[0]}: a project is verified by itself")
    if projects:
        project = read_project(projects[0] / PROJECT)
        task, others = project["task"], project["files"]
        assert isinstance(task, str)
        assert isinstance(others, list)
        return words_of(project), [task, *others] if task else []
    folders = [one for one in given if Path(one).is_dir()]
    if not folders:
        return None
    return [word for one in folders for word in ("--folder", one)], list(c_files(given))


def _is_project(path: Path) -> bool:
    return path.name == PROJECT and path.is_file()
