"""The syntax tree of C, without types: the parser makes it for the elaboration.

Every node has the numbers of its first and last token, so that its place and its extent are exact even in text that
macros made. Nodes compare by identity.
"""

from __future__ import annotations

from core.dataclass import dataclass
from frontend.typed.ctype import Qualifiers


@dataclass(frozen=True, slots=True, eq=False)
class Syntax:
    first: int
    last: int


# Types ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class NamedType(Syntax):
    """Type words such as `unsigned long`, or the name of a typedef."""

    names: tuple[str, ...]
    qualifiers: Qualifiers = Qualifiers.NONE


@dataclass(frozen=True, slots=True, eq=False)
class RecordType(Syntax):
    """`struct tag {…}`; members None where there are no braces."""

    keyword: str
    tag: str | None
    members: tuple[DeclarationSyntax, ...] | None
    qualifiers: Qualifiers = Qualifiers.NONE


@dataclass(frozen=True, slots=True, eq=False)
class Enumerator(Syntax):
    name: str
    value: ExpressionSyntax | None


@dataclass(frozen=True, slots=True, eq=False)
class EnumType(Syntax):
    tag: str | None
    values: tuple[Enumerator, ...] | None
    qualifiers: Qualifiers = Qualifiers.NONE


@dataclass(frozen=True, slots=True, eq=False)
class PointerType(Syntax):
    target: TypeSyntax
    qualifiers: Qualifiers = Qualifiers.NONE


@dataclass(frozen=True, slots=True, eq=False)
class ArrayType(Syntax):
    """`at_least`: of a parameter, whose arguments have at least so many elements (`[static n]`)."""

    element: TypeSyntax
    length: ExpressionSyntax | None
    at_least: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class FunctionType(Syntax):
    """Parameters None for `f()`."""

    result: TypeSyntax
    parameters: tuple[DeclarationSyntax, ...] | None
    variadic: bool


@dataclass(frozen=True, slots=True, eq=False)
class TypeOfType(Syntax):
    operand: ExpressionSyntax | TypeSyntax
    qualifiers: Qualifiers = Qualifiers.NONE


TypeSyntax = NamedType | RecordType | EnumType | PointerType | ArrayType | FunctionType | TypeOfType


# Expressions ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Name(Syntax):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Number(Syntax):
    """An integer or floating constant as written, with its suffix."""

    text: str
    floating: bool


@dataclass(frozen=True, slots=True, eq=False)
class Character(Syntax):
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class String(Syntax):
    """Adjacent literals, each with its quotes and prefix, separated by a blank."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Prefix(Syntax):
    """`&  *  +  -  ~  !  ++  --`."""

    operator: str
    operand: ExpressionSyntax


@dataclass(frozen=True, slots=True, eq=False)
class Postfix(Syntax):
    """`++  --`."""

    operator: str
    operand: ExpressionSyntax


@dataclass(frozen=True, slots=True, eq=False)
class SizeOf(Syntax):
    """`sizeof`, `_Alignof` and gcc's `__alignof__`."""

    operator: str
    operand: ExpressionSyntax | TypeSyntax


@dataclass(frozen=True, slots=True, eq=False)
class Infix(Syntax):
    """Binary operators other than assignments and the comma."""

    operator: str
    left: ExpressionSyntax
    right: ExpressionSyntax


@dataclass(frozen=True, slots=True, eq=False)
class Assignment(Syntax):
    operator: str
    target: ExpressionSyntax
    value: ExpressionSyntax


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Syntax):
    """`condition ? then : otherwise`."""

    condition: ExpressionSyntax
    then: ExpressionSyntax
    otherwise: ExpressionSyntax


@dataclass(frozen=True, slots=True, eq=False)
class Otherwise(Syntax):
    """GNU `value ?: otherwise`: the value where it is not zero, evaluated once."""

    value: ExpressionSyntax
    otherwise: ExpressionSyntax


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(Syntax):
    """Expressions joined by commas, two or more."""

    parts: tuple[ExpressionSyntax, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Cast(Syntax):
    type: TypeSyntax
    operand: ExpressionSyntax


@dataclass(frozen=True, slots=True, eq=False)
class CallSyntax(Syntax):
    function: ExpressionSyntax
    arguments: tuple[ExpressionSyntax, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Subscript(Syntax):
    base: ExpressionSyntax
    index: ExpressionSyntax


@dataclass(frozen=True, slots=True, eq=False)
class Selection(Syntax):
    """`base.field`, or `base->field` with `arrow`."""

    base: ExpressionSyntax
    arrow: bool
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Syntax):
    """`(type){…}`."""

    type: TypeSyntax
    value: Braces


@dataclass(frozen=True, slots=True, eq=False)
class StatementValue(Syntax):
    """`({ … })`."""

    body: Compound


@dataclass(frozen=True, slots=True, eq=False)
class OffsetOf(Syntax):
    """`__builtin_offsetof(type, path)`."""

    type: TypeSyntax
    path: ExpressionSyntax


@dataclass(frozen=True, slots=True, eq=False)
class Generic(Syntax):
    """`_Generic(control, type: value, …)`; the type of `default` is None."""

    control: ExpressionSyntax
    associations: tuple[tuple[TypeSyntax | None, ExpressionSyntax], ...]


@dataclass(frozen=True, slots=True, eq=False)
class NextArgument(Syntax):
    """`va_arg(list, type)`."""

    list: ExpressionSyntax
    type: TypeSyntax


ExpressionSyntax = (
    Name
    | Number
    | Character
    | String
    | Prefix
    | Postfix
    | SizeOf
    | Infix
    | Assignment
    | Choice
    | Otherwise
    | Sequence
    | Cast
    | CallSyntax
    | Subscript
    | Selection
    | Literal
    | StatementValue
    | OffsetOf
    | Generic
    | NextArgument
)


# Declarations ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Range(Syntax):
    """GNU `low ... high`, as a designator or in a case."""

    low: ExpressionSyntax
    high: ExpressionSyntax


Designator = str | ExpressionSyntax | Range
"""The name of a member, an index, or a range of indices."""


@dataclass(frozen=True, slots=True, eq=False)
class Designated(Syntax):
    """`[1].field = value`."""

    designators: tuple[Designator, ...]
    value: InitialiserSyntax


@dataclass(frozen=True, slots=True, eq=False)
class Braces(Syntax):
    items: tuple[InitialiserSyntax | Designated, ...]


InitialiserSyntax = ExpressionSyntax | Braces


@dataclass(frozen=True, slots=True, eq=False)
class DeclarationSyntax(Syntax):
    """One declarator of an object, function, typedef, member or parameter.

    The name is None where there is none: abstract parameters, unnamed bit-fields, `struct s {…};`. Where there is one,
    `first` begins its declarator.
    """

    name: str | None
    type: TypeSyntax
    storage: tuple[str, ...]
    initialiser: InitialiserSyntax | None = None
    width: ExpressionSyntax | None = None
    alignments: tuple[ExpressionSyntax | TypeSyntax, ...] = ()
    named: int = -1
    """The token of the name: attributes belong to it; `first` may be that of a `*`."""


@dataclass(frozen=True, slots=True, eq=False)
class StaticAssert(Syntax):
    condition: ExpressionSyntax


@dataclass(frozen=True, slots=True, eq=False)
class FunctionDefinition(Syntax):
    declaration: DeclarationSyntax
    old_parameters: tuple[DeclarationSyntax, ...]
    body: Compound


# Statements -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Compound(Syntax):
    items: tuple[StatementSyntax, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Simple(Syntax):
    """An expression statement."""

    expression: ExpressionSyntax


@dataclass(frozen=True, slots=True, eq=False)
class Nothing(Syntax):
    """`;`, and pragmas."""


@dataclass(frozen=True, slots=True, eq=False)
class IfSyntax(Syntax):
    condition: ExpressionSyntax
    then: StatementSyntax
    otherwise: StatementSyntax | None


@dataclass(frozen=True, slots=True, eq=False)
class Loop(Syntax):
    """`while`, and `do` with `keyword` saying which."""

    keyword: str
    condition: ExpressionSyntax
    body: StatementSyntax


@dataclass(frozen=True, slots=True, eq=False)
class ForSyntax(Syntax):
    initial: tuple[StatementSyntax, ...]
    condition: ExpressionSyntax | None
    step: ExpressionSyntax | None
    body: StatementSyntax


@dataclass(frozen=True, slots=True, eq=False)
class SwitchSyntax(Syntax):
    value: ExpressionSyntax
    body: StatementSyntax


@dataclass(frozen=True, slots=True, eq=False)
class CaseSyntax(Syntax):
    """`case value:`, and `default:` with no value; the statements up to the next one of the same block follow."""

    value: ExpressionSyntax | Range | None
    statements: tuple[StatementSyntax, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LabelSyntax(Syntax):
    label: str
    statement: StatementSyntax


@dataclass(frozen=True, slots=True, eq=False)
class Jump(Syntax):
    """`break` and `continue`, and `goto` with its label."""

    keyword: str
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class ReturnSyntax(Syntax):
    value: ExpressionSyntax | None


StatementSyntax = (
    Compound
    | Simple
    | Nothing
    | IfSyntax
    | Loop
    | ForSyntax
    | SwitchSyntax
    | CaseSyntax
    | LabelSyntax
    | Jump
    | ReturnSyntax
    | DeclarationSyntax
    | StaticAssert
)

ExternalSyntax = FunctionDefinition | DeclarationSyntax | StaticAssert
