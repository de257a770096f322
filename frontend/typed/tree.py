"""The typed tree of a C translation unit, which the lowering and the interpreter read.

Laws of the tree:

- Every node has a span in the file that the user gave; every expression has a C type.
- Every conversion is explicit. Reading an object is a `Load`, an array becomes a pointer in a `Decay`, a function in a
  `FunctionAddress`, and an operand gets its computation type in a `Convert`. The only expressions whose operands may
  have any scalar type, to be compared with zero, are conditions: of `If`, loops, `Logical`, `Conditional` and NOT.
- An *lvalue* denotes an object; it occurs only in Load, AddressOf, Decay, Assign, CompoundAssign, Increment, and as the
  base of Index and Member.
- Evaluation order is C's: unsequenced but for `Comma`, `Logical`, `Conditional` and calls. The tree does not order it.
- A node compares by identity: trees may be deep.
- An object has one name, unique in the translation unit and a function of the text alone: `x` for a global, `main::x`
  for a local of main, `main::x#2` for the second `x` declared in main. Static locals are globals of this form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from core.dataclass import dataclass
from frontend.options import NOTHING_ASSUMED, Argc, AssumedFunctions, Malloc, Volatile
from frontend.source import Annotation as Annotation
from frontend.source import Diagnostic, Span
from frontend.typed.ctype import CType, DataModel, Field, Signature
from frontend.typed.ctype import element_type as element_type
from frontend.typed.operators import COMPOUND_LITERAL as COMPOUND_LITERAL
from frontend.typed.operators import LENGTH as LENGTH
from frontend.typed.operators import BinaryOperator as BinaryOperator
from frontend.typed.operators import LogicalOperator as LogicalOperator
from frontend.typed.operators import Object as Object
from frontend.typed.operators import Position as Position
from frontend.typed.operators import Storage as Storage
from frontend.typed.operators import UnaryOperator as UnaryOperator

# Expressions ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class TypedNode(Node):
    type: CType


@dataclass(frozen=True, slots=True, eq=False)
class IntegerConstant(TypedNode):
    """Also enumerators, characters and constant `sizeof`; the type is an Integer that holds the value.

    `text` is what the program has there, if that is no number: the name of the enumerator, or the character.
    """

    value: int
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class FloatConstant(TypedNode):
    """`text` is the literal without its suffix; the type is a Float."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class FunctionAddress(TypedNode):
    """`f`, `&f` and `*f` for a function: the type is a Pointer to its Signature."""

    function: str


@dataclass(frozen=True, slots=True, eq=False)
class Load(TypedNode):
    """The value of an object that is no array; of a bit-field, in its declared type."""

    lvalue: Lvalue


@dataclass(frozen=True, slots=True, eq=False)
class AddressOf(TypedNode):
    """Never of a Dereference (that is the pointer) and never of a bit-field."""

    lvalue: Lvalue


@dataclass(frozen=True, slots=True, eq=False)
class Decay(TypedNode):
    """The address of the first element of an array object."""

    lvalue: Lvalue


@dataclass(frozen=True, slots=True, eq=False)
class Convert(TypedNode):
    """A conversion to `type`: between scalar types, or of anything to void. To _Bool it is `!= 0`."""

    operand: Expression
    explicit: bool
    """Whether the text has a cast."""
    is_modular: bool = False
    """Whether a value that the type does not hold is meant to change, as in what `memset` writes.

    A pointer need not be aligned then, as those to what `memcpy` copies.
    """


@dataclass(frozen=True, slots=True, eq=False)
class Unary(TypedNode):
    """`-` and `~` have the promoted type of the operand; `!` is an int and takes any scalar."""

    operator: UnaryOperator
    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Binary(TypedNode):
    """Arithmetic, bit operations and comparisons.

    Both operands have the same type, which is the type of the result; but a comparison is an int, and compares
    pointers too (of types that may differ); and a shift has the type of its left operand, while the right keeps its own
    promoted type.
    """

    operator: BinaryOperator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class PointerOffset(TypedNode):
    """`pointer + offset` or `pointer - offset`, counted in elements (bytes for void and functions).

    The offset is an integer of any promoted type, taken for its mathematical value.
    """

    operator: BinaryOperator
    """ADD or SUBTRACT."""
    pointer: Expression
    offset: Expression


@dataclass(frozen=True, slots=True, eq=False)
class PointerDifference(TypedNode):
    """`left - right` in elements; the type is DataModel.difference_type."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Logical(TypedNode):
    """`&&` and `||`: an int; the right operand is evaluated only where the left does not decide."""

    operator: LogicalOperator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Conditional(TypedNode):
    """`condition ? then : otherwise`; both branches have the type of the whole, which may be void or a Record."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Assign(TypedNode):
    """`target = value`: the value has the type of the target, which may be a Record, and is the value of the whole.

    A bit-field keeps the low bits of the value; the value of the whole is then what reading it gives. `moves`: made of
    a call of `memmove`, for which the objects may overlap. `is_whole`: made of a call that copies, or sets to zero, all
    bytes, also those between members.
    """

    target: Lvalue
    value: Expression
    moves: bool = False
    is_whole: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CompoundAssign(TypedNode):
    """`target op= value`: target = (type) ((computation) target op value), where the target is evaluated once.

    The value has the computation type; for shifts, its own promoted type. A pointer target computes in its own type,
    and the value is an offset as in PointerOffset.
    """

    operator: BinaryOperator
    target: Lvalue
    value: Expression
    computation: CType


@dataclass(frozen=True, slots=True, eq=False)
class Increment(TypedNode):
    """`++` (ADD) and `--` (SUBTRACT): as CompoundAssign by one; the value of a postfix form is the old one."""

    operator: BinaryOperator
    position: Position
    target: Lvalue
    computation: CType


@dataclass(frozen=True, slots=True, eq=False)
class Call(TypedNode):
    """A call of a function pointer, a FunctionAddress for a direct call; the type is the result, maybe void.

    Arguments have the types of the parameters, and promoted types where there is no prototype or after `...`. A call
    of an `assert` that the program does not define has one int argument, 0 or 1: the truth of what is asserted.
    """

    function: Expression
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Comma(TypedNode):
    """`left, right`; the left operand has any type and its value is dropped."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class StatementExpression(TypedNode):
    """GNU `({ … value; })`: the body, then the value; None where the type is void."""

    body: Compound
    value: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class PassedArguments(TypedNode):
    """The value of `va_start`, a `void *`: where the arguments of this call begin that have no parameter.

    This and `NextArgument` become other code before a tree is lowered or run (`frontend/libc/arguments.py`).
    """


@dataclass(frozen=True, slots=True, eq=False)
class NextArgument(TypedNode):
    """`va_arg`: the argument at the position in `list`, a `void *` that then moves on."""

    list: Lvalue


@dataclass(frozen=True, slots=True, eq=False)
class UnsupportedExpression(TypedNode):
    """An expression that is parsed but not decided, such as an unknown builtin; `reason` is for the message."""

    reason: str


# Lvalues --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Variable(TypedNode):
    object: Object


@dataclass(frozen=True, slots=True, eq=False)
class Index(TypedNode):
    """An element of an array object: also what the text writes `*(a + i)`; `p[i]` for a pointer is a Dereference.

    The index is an integer of any promoted type, taken for its mathematical value.
    """

    array: Lvalue
    index: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Member(TypedNode):
    """A member of an object whose type is a Record. `p->f` is the Member of a Dereference."""

    base: Lvalue
    field: Field


@dataclass(frozen=True, slots=True, eq=False)
class Dereference(TypedNode):
    pointer: Expression


@dataclass(frozen=True, slots=True, eq=False)
class StringLiteral(TypedNode):
    """A static array of characters; `values` includes the final 0. Equal ones are one node, and one object."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CompoundLiteral(TypedNode):
    """`(type){…}`: an object that is initialised anew each time the expression is evaluated."""

    object: Object
    initialiser: Initialiser


@dataclass(frozen=True, slots=True, eq=False)
class Temporary(TypedNode):
    """An object that holds the value of an expression of Record type, so that a member can be read: `f().x`."""

    value: Expression


Lvalue = Variable | Index | Member | Dereference | StringLiteral | CompoundLiteral | Temporary

Expression = (
    IntegerConstant
    | FloatConstant
    | FunctionAddress
    | Load
    | AddressOf
    | Decay
    | Convert
    | Unary
    | Binary
    | PointerOffset
    | PointerDifference
    | Logical
    | Conditional
    | Assign
    | CompoundAssign
    | Increment
    | Call
    | Comma
    | StatementExpression
    | PassedArguments
    | NextArgument
    | UnsupportedExpression
)


# Initialisers ---------------------------------------------------------------------------------------------------------

Path = tuple[int | Field, ...]
"""From an object to a part of it: indices of arrays and fields of records; the empty path is the object itself."""


@dataclass(frozen=True, slots=True, eq=False)
class InitialiserEntry:
    """One initialised part; the value has the part's type, which is scalar, or a Record copied whole."""

    path: Path
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Initialiser(Node):
    """The entries are evaluated and stored in order; no two of them are for the same part.

    With `zero_fill`, every other part of the object is zero; without, the entries cover the object.
    """

    entries: tuple[InitialiserEntry, ...]
    zero_fill: bool


# Statements -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Declaration(Node):
    """An automatic object begins here; without an initialiser its value is indeterminate. Static ones are globals."""

    object: Object
    initialiser: Initialiser | None


@dataclass(frozen=True, slots=True, eq=False)
class ExpressionStatement(Node):
    expression: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Empty(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Assembly(Node):
    """Inline assembly, which nothing here decides."""

    text: str


class ClaimKind(Enum):
    """The kinds of claims. One that does not hold is an error of the specification, or ends the path.

    A WITNESSED one is an error of a witness; nothing behind it depends on whether it holds or can be evaluated.
    """

    CHECKED = "checked"
    ASSUMED = "assumed"
    WITNESSED = "witnessed"


@dataclass(frozen=True, slots=True, eq=False)
class Claim(Node):
    """A clause of an ACSL annotation; `condition` has no effects, and `text` is what the annotation says.

    Variables that stand for quantifiers are declared before it.
    """

    kind: ClaimKind
    condition: Expression
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Compound(Node):
    items: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class If(Node):
    condition: Expression
    then: Statement
    otherwise: Statement | None


@dataclass(frozen=True, slots=True, eq=False)
class While(Node):
    condition: Expression
    body: Statement


@dataclass(frozen=True, slots=True, eq=False)
class DoWhile(Node):
    body: Statement
    condition: Expression


@dataclass(frozen=True, slots=True, eq=False)
class For(Node):
    """`initial` holds declarations or one expression statement; no condition is a true one."""

    initial: tuple[Statement, ...]
    condition: Expression | None
    step: Expression | None
    body: Statement


@dataclass(frozen=True, slots=True, eq=False)
class Switch(Node):
    """The value is promoted; `Case` and `Default` of this switch are anywhere in the body but in inner switches."""

    value: Expression
    body: Statement


@dataclass(frozen=True, slots=True, eq=False)
class Case(Node):
    """`value` is converted to the type of the switch; values in one switch differ.

    `order` is the order of evaluation that the case takes, where it stands for one.
    """

    value: int
    statement: Statement
    enumerator: str = ""
    order: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Default(Node):
    statement: Statement
    order: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Labeled(Node):
    """Labels are unique in a function."""

    label: str
    statement: Statement


@dataclass(frozen=True, slots=True, eq=False)
class Goto(Node):
    """To a label of the same function, which exists."""

    label: str


@dataclass(frozen=True, slots=True, eq=False)
class Break(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Continue(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Return(Node):
    """The value has the result type of the function; it may have type void."""

    value: Expression | None


Statement = (
    Declaration
    | ExpressionStatement
    | Empty
    | Assembly
    | Claim
    | Compound
    | If
    | While
    | DoWhile
    | For
    | Switch
    | Case
    | Default
    | Labeled
    | Goto
    | Break
    | Continue
    | Return
)


# The unit -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class FunctionDeclaration(Node):
    """A function; `body` is None where the unit only declares or calls it.

    `parameters` are those of the definition, with arrays and functions adjusted to pointers. The span of a definition
    covers its body.
    """

    name: str
    type: Signature
    parameters: tuple[Object, ...]
    body: Compound | None


@dataclass(frozen=True, slots=True)
class Enumeration:
    """The enumerators of an enumeration with their values, in order; `tag` is empty where it has none."""

    tag: str
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class FileContents:
    """The names of the functions and objects that a C file defines; those that are `hidden` it declares `static`."""

    file: str
    names: frozenset[str]
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class UndecidedClause:
    """A clause of an annotation that is read and not decided, by its words, such as `loop assigns`."""

    span: Span
    words: str


@dataclass(frozen=True, slots=True, eq=False)
class TranslationUnit:
    """A program: one or more translation units that were linked. `globals` are the objects that live as
    long as the program, in order of declaration.

    `functions` has every function that is defined, declared or called, in the order of their first mention;
    `no_return` has the names of those that are declared never to return. `annotations` are those that were read, and
    have become claims. `constant` has the names of the objects that are declared `const`, which their types do not say.
    `file` is the first of `files`. `alignments` are those that
    declarations of objects ask for, in bytes. `enumerations` are all of the
    program, in the order of the text. `nonnull` has the parameters of functions that are declared never to be null,
    from 1, with 0 for all that are pointers and -1 for the result. `restricted` has the parameters that
    are `restrict` of functions with a body, which types do not say; empty names stand for anything else. `undecided`
    are the clauses of annotations that no claim stands for. `extents` are the bytes that arguments of parameters such
    as `[static 4]` lead to at least. `has_volatile`: something is `volatile`, which is read as `volatile`
    says. `malloc` says whether functions that allocate may fail, `argc` how many arguments the program may be started
    with. `assumed` is what a user says of functions without a body.
    """

    file: str
    data_model: DataModel
    globals: tuple[Declaration, ...]
    functions: Mapping[str, FunctionDeclaration]
    annotations: tuple[Annotation, ...]
    warnings: tuple[Diagnostic, ...]
    no_return: frozenset[str] = frozenset()
    constant: frozenset[str] = frozenset()
    files: tuple[FileContents, ...] = ()
    enumerations: tuple[Enumeration, ...] = ()
    alignments: Mapping[str, int] = field(default_factory=dict)
    restricted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    nonnull: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    undecided: tuple[UndecidedClause, ...] = ()
    extents: Mapping[str, int] = field(default_factory=dict)
    has_volatile: bool = False
    malloc: Malloc = Malloc.SUCCEEDS
    volatile: Volatile = Volatile.MEMORY
    argc: Argc = Argc.ANY
    assumed: AssumedFunctions = NOTHING_ASSUMED
