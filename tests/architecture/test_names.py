"""One name for one thing: no two public classes of the product share a name."""

import ast
from collections import defaultdict

from tests.architecture.sources import Source, sources

# Grammars that mirror each other: a node for the same construct has the same name in each.
GRAMMARS = {"frontend/syntax.py", "frontend/acsl/syntax.py", "frontend/tree.py", "core/program/automaton.py"}

# Duplicates still to be renamed.
KNOWN = frozenset(
    """
    Answer
    Arc
    Arithmetic
    Assignment
    Attempt
    Block
    Blocks
    Bounds
    BudgetExceeded
    CType
    Call
    Candidates
    Cell
    Cells
    Check
    CheckResult
    CheckRow
    Clause
    Column
    Compiler
    Configuration
    Confirmed
    Context
    Contract
    Conversion
    Derived
    Detail
    Ended
    Entry
    Evidence
    Examined
    Expression
    Expressions
    Extent
    Files
    Find
    Frame
    Function
    Graph
    Header
    Image
    InputRow
    Inputs
    Interpolants
    Interval
    Item
    Job
    Key
    Kind
    Layout
    Leaf
    Level
    Limits
    Line
    Literal
    Location
    Look
    Loop
    Memory
    NoAnswer
    Node
    Operation
    Order
    Outcome
    Part
    Path
    Place
    Point
    Position
    Question
    Range
    Reached
    Record
    Refinement
    Refused
    Refuted
    Replay
    Result
    Row
    Sat
    Scope
    Selection
    Settings
    Side
    Sizes
    Slots
    Solver
    State
    Statement
    Statements
    Step
    Story
    Style
    Summary
    Task
    TermReader
    ToolRow
    TraceRow
    Undecided
    Unsat
    Use
    Valuation
    Value
    Verdict
    View
    Walk
    Wish
    Word
    """.split()  # noqa: SIM905 (a line each: several hands shorten it)
)


def public_types(source: Source) -> list[str]:
    """The classes and the aliases of types that a file defines for others."""
    names = []
    for node in source.tree.body:
        match node:
            case ast.ClassDef(name=name):
                names.append(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() | ast.Subscript()):
                names.append(name)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias")):
                names.append(name)
            case _:
                continue
    return [name for name in names if not name.startswith("_") and not name.isupper()]


def test_no_two_public_classes_share_a_name() -> None:
    files = defaultdict(set)
    for source in sources():
        for name in public_types(source):
            files[name].add(source.path)
    shared = {name: sorted(paths) for name, paths in files.items() if len(paths) > 1 and not paths <= GRAMMARS}
    assert {name: paths for name, paths in shared.items() if name not in KNOWN} == {}
    assert shared.keys() >= KNOWN  # a name that is renamed leaves the list
