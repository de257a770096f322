"""The documentation agrees with the code: links lead somewhere, paths exist, tables equal the registry of engines."""

import re
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from interplay.commands.cli import main
from methods.options import describe_options
from methods.registry import ENGINES
from tests.architecture.commands import ROOT, run

LONGEST_README = 1200  # words, those of code blocks and tables too
LONGEST_RECIPE = 15  # lines

PACKAGES = ("bdd", "core", "frontend", "gui", "interplay", "methods", "runs", "sat")
FOLDERS = (*PACKAGES, ".ci", "benchmarks", "docs", "resources", "scripts", "tests")
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", *sorted(f"docs/{p.name}" for p in ROOT.glob("docs/*.md")))
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
QUOTED = re.compile(r"(?<!`)`([^`\s]+)`(?!`)")
MODULE = re.compile(r"-m ((?:benchmarks|scripts)[\w.]*)")
FILE = re.compile(r"[\w.-]+\.(py|c|h|md|svg|toml)")
IDENTIFIER = re.compile(r"[A-Za-z_][\w.]*(\(.*\))?")
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b|NameView|[*…<{]")


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@cache
def files() -> tuple[str, ...]:
    """The files of the repository, as far as documentation speaks about them."""
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file())
    loose = (path for path in ROOT.iterdir() if path.is_file())
    return tuple(path.relative_to(ROOT).as_posix() for path in (*found, *loose))


def anchors_of(page: str) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def rows_of(page: str, heading: str) -> list[tuple[str, ...]]:
    """The rows of the first table below `heading`, without its head; bars that are escaped are part of a cell."""
    _, _, rest = text_of(page).partition(f"## {heading}\n")
    table = re.search(r"(^\|.*\n)+", rest, re.MULTILINE)
    assert table is not None, f"{page} has no table below {heading}"
    lines = table.group().splitlines()[2:]
    split = (re.split(r"(?<!\\)\|", line)[1:-1] for line in lines)
    return [tuple(cell.strip().replace("\\|", "|") for cell in cells) for cells in split]


def test_readme_is_short() -> None:
    assert len(text_of("README.md").split()) <= LONGEST_README


def test_readme_shows_what_its_first_command_prints() -> None:
    shown = text_of("README.md").partition("It prints:\n")[2].partition("\nSet up, and pass")[0]
    printed = run([sys.executable, "-m", "interplay", "verify", "resources/examples/lock.c"])
    assert _without_seconds(textwrap.dedent(shown).strip()) == _without_seconds(printed.strip())


def _without_seconds(text: str) -> str:
    return re.sub(r"\b\d+\.\d s\b", "… s", text)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    dead = []
    for link in LINK.findall(text_of(page)):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = ((ROOT / page).parent / name).resolve() if name else ROOT / page
        is_page = target.suffix == ".md" and target.is_file()
        if not target.exists() or (anchor and is_page and anchor not in anchors_of(str(target.relative_to(ROOT)))):
            dead.append(link)
    assert dead == []


def paths_in(text: str) -> Iterator[str]:
    """The texts in backticks that have the form of a path of the repository."""
    for quoted in QUOTED.findall(text):
        name = quoted.partition("::")[0].removeprefix("../")
        if PLACEHOLDER.search(name):
            continue
        if name.startswith(tuple(f"{folder}/" for folder in FOLDERS)) or FILE.fullmatch(name):
            yield name


@pytest.mark.parametrize("page", PAGES)
def test_paths_exist(page: str) -> None:
    names = {Path(name).name for name in files()}
    text = FENCED.sub("", text_of(page))
    missing = [p for p in paths_in(text) if not ((ROOT / p).exists() if "/" in p else p in names)]
    missing += [module for module in MODULE.findall(text_of(page)) if find_spec(module.rstrip(".")) is None]
    assert missing == []


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_names_in_the_code_exist(page: str) -> None:
    sources = "\n".join(text_of(name) for name in files() if name.endswith(".py"))
    words = set(re.findall(r"\w+", sources))
    quoted = [name for name in re.findall(r"`([^`\n]+)`", text_of(page)) if IDENTIFIER.fullmatch(name)]
    unknown = [name for name in quoted if not words.issuperset(re.findall(r"[A-Za-z_]\w+", name))]
    assert [name for name in unknown if not PLACEHOLDER.search(name)] == []


def test_readme_lists_the_engines() -> None:
    assert rows_of("README.md", "Engines") == [(f"`{e.name}`", e.method, e.source) for e in ENGINES.values()]


def test_what_round_node_and_lemma_mean_is_what_the_engines_say() -> None:
    expected = [(f"`{e.name}`", e.round, e.node, e.lemma) for e in ENGINES.values()]
    assert rows_of("ARCHITECTURE.md", "What round, node and lemma mean") == expected


def test_options_of_engines_are_listed() -> None:
    found = [(engine, option) for engine, option, _ in rows_of("docs/verify.md", "Engines and their options")]
    expected = [
        (f"`{engine.name}`", f"`{line.partition(': ')[0]}`")
        for engine in ENGINES.values()
        for line in describe_options(engine.options)
    ]
    assert found == expected


def test_options_of_verify_are_described(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["verify", "--help"])
    options = set(re.findall(r"--[a-z-]*[a-z]", capsys.readouterr().out.partition("positional")[0]))
    described = set(re.findall(r"--[a-z-]*[a-z]", text_of("docs/verify.md")))
    assert options - described == set()


def test_picture_of_the_floors_is_that_of_the_import_contracts() -> None:
    contracts = tomllib.loads(text_of("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = {contract["id"]: contract["layers"] for contract in contracts if contract["type"] == "layers"}
    expected = [floor for name in ("layers", "interplay", "frontend", "methods", "core") for floor in layers.pop(name)]
    assert not layers
    assert re.findall(r'class="floor">([^<]*)<', text_of("docs/pictures/folders.svg")) == expected


def test_packages_to_install_are_those_of_ci() -> None:
    packages = re.findall(r'^packages="([^"]*)"', text_of(".ci/run"), re.MULTILINE)
    needed = {word for line in packages for word in line.split() if not word.startswith("$")}
    assert needed
    assert needed - set(text_of("README.md").split()) == set()


def test_recipes_are_short() -> None:
    _, _, recipes = text_of("CONTRIBUTING.md").partition("## Recipes\n")
    found = re.split(r"^### .*\n", recipes.partition("\n## ")[0], flags=re.MULTILINE)[1:]
    assert len(found) >= 5
    assert [recipe for recipe in found if len(recipe.strip().splitlines()) > LONGEST_RECIPE] == []
