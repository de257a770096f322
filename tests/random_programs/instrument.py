"""Instrumentation of a generated program: each run notes the undefined behaviour of its last full expression.

Every access, index, division and shift becomes a statement expression (an extension of gcc) that notes a fault and goes
on with a harmless value. An operation whose operands come from a fault is not checked, since its operands mean nothing;
operands beside it are, since C gives no order to them. So the noted faults are those that come first in some order of
evaluation. Behind the full expression the run ends. Nothing depends on which operations gcc drops, reorders or folds.

`HEAD` has what the text calls. AddressSanitizer knows which bytes live. Its own checks find nothing: a run that they
end has no truth. It does not know which object a pointer was made for, so objects lie far apart, with moats of bytes
that do not live between them, and pointers that move further than a moat end the run. Limitation: arrays of variable
length have 32 bytes around them.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

from pycparser import CParser, c_ast
from pycparser.c_generator import CGenerator
from pycparser.c_parser import ParseError

from tests.random_programs.expression_types import ExpressionTypes, is_array, is_function, is_pointer, is_void
from tests.random_programs.memory_scope import MAY_FAIL

HEAD = r"""
#include <sanitizer/asan_interface.h>
#include <setjmp.h>
static int poisoned;      /* a fault is among the operands of what is evaluated */
static jmp_buf *caller;
static char harmless[4096] __attribute__((aligned(16)));
static struct { char *block; unsigned long size; } heap[64];
static int heaps;
enum { MOAT_SIZE = 1024 };
#define MOAT __attribute__((aligned(1024)))
#define MOAT_AT_FILE_SCOPE __attribute__((aligned(1024), section("moats")))
extern char __start_moats[], __stop_moats[];
static char first_moat[MOAT_SIZE] MOAT_AT_FILE_SCOPE = {1};
static void dig(void) { __asan_poison_memory_region(__start_moats, __stop_moats - __start_moats); }
#define LIVE(x) __asan_unpoison_memory_region(&(x), sizeof (x));
static void note(const char *kind, int line, int surely)
{
    for (int i = 0; i < now->faults; i++)
        if (now->fault[i].line == line && now->fault[i].surely == surely && !strcmp(now->fault[i].kind, kind)) return;
    if (now->faults == FAULTS) _exit(4);
    now->fault[now->faults].line = line;
    now->fault[now->faults].surely = surely;
    strcpy(now->fault[now->faults++].kind, kind);
}
static void noted(const char *kind, int line) { note(kind, line, 1); poisoned = 1; }
static void stop(void) { if (caller) longjmp(*caller, 1); finish(0); }
static void *accessed(const volatile void *place, unsigned long size, int line)
{
    if (!poisoned) {
        if ((long) place < 4096) noted("null", line);
        else if (__asan_region_is_poisoned((void *) place, size)) noted("dangling", line);
        else return (void *) place;
    }
    return memset(harmless, 0, sizeof harmless);
}
static void index_checked(long index, long length, int end, int line)
{
    if (index == length && end == END_MAY_BE_MEANT) note("bounds", line, 0);
    else if (index < 0 || index >= length + (end != END_IS_OUTSIDE)) noted("bounds", line);
}
static void *allocated(unsigned long size)
{
    char *place;
    if (poisoned || heaps == 64) _exit(4);
    place = memset(aligned_alloc(MOAT_SIZE, (size + 3 * MOAT_SIZE) / MOAT_SIZE * MOAT_SIZE), 0, size + 2 * MOAT_SIZE);
    __asan_poison_memory_region(place, size + 2 * MOAT_SIZE);
    __asan_unpoison_memory_region(place + MOAT_SIZE, size);
    heap[heaps].size = size;
    return heap[heaps++].block = place + MOAT_SIZE;
}
static void *filled(void *to, int value, unsigned long size, int line)
{
    return memset(accessed(to, size, line), value, size);
}
static void *copied(void *to, const void *from, unsigned long size, int line)
{
    return memcpy(accessed(to, size, line), accessed(from, size, line), size);
}
static long moved(long distance, long size)
{
    if (distance * size > MOAT_SIZE / 2 || distance * size < -MOAT_SIZE / 2) _exit(4);
    return distance;
}
static void released(void *block, int line)
{
    if (poisoned || !block) return;
    for (int i = 0; i < heaps; i++)
        if (heap[i].block == block) {
            heap[i].block = 0;
            __asan_poison_memory_region(block, heap[i].size);
            return;
        }
    noted("dangling", line);
}
static void *reallocated(void *old, unsigned long size, int line)
{
    unsigned long kept = 0;
    void *new = allocated(size);
    for (int i = 0; i < heaps; i++)
        if (old && heap[i].block == old) kept = heap[i].size;
    memcpy(new, old ? old : new, kept < size ? kept : size);
    released(old, line);
    return new;
}
#define APART int outside = poisoned; poisoned = 0
#define TOGETHER poisoned |= outside
#define END if (poisoned) stop();
#define FULL(e) ({ e; END })
#define VALUE(e) ({ __auto_type value = (e); END value; })
#define TEST(e) ({ int value = !!(e); END value; })
#define ACCESS(e, line) \
    ({ APART; __auto_type place = (e); place = accessed(place, sizeof *place, line); TOGETHER; place; })
#define TRUTH(e, surely, line) \
    ({ APART; __auto_type place = (e); \
       if (!poisoned && *(unsigned char *) place > 1) { note("boolean", line, surely); poisoned = surely; } \
       if (poisoned) place = memset(harmless, 0, sizeof harmless); TOGETHER; place; })
#define INDEX(array, e, end, line) \
    ({ APART; long index = (e); if (!poisoned) index_checked(index, sizeof *(array) / sizeof **(array), end, line); \
       __auto_type place = &(*(array))[index]; TOGETHER; place; })
#define DIVIDE(left, op, right, line) \
    ({ APART; __auto_type by = +(right); if (!poisoned && !by) noted("division", line); if (poisoned) by = 1; \
       TOGETHER; (left) op by; })
#define SHIFT(left, op, right, line) \
    ({ APART; __auto_type by = +(right); \
       if (!poisoned && (by < 0 || by >= 8 * sizeof +(left))) noted("shift", line); if (poisoned) by = 0; \
       TOGETHER; (left) op by; })
#define UNLESS(short_cut, left, right) \
    ({ APART; int value = !!(left); if (!poisoned && value != short_cut) value = !!(right); TOGETHER; value; })
#define CHOICE(type, e, left, right) \
    ({ APART; int which = !!(e); type value; memset(&value, 0, sizeof value); \
       if (!poisoned) value = which ? (left) : (right); TOGETHER; value; })
#define CALLED(callee, line) if (!poisoned && (long) (callee) < 4096) noted("null", line)
#define CALL(e) \
    if (!poisoned) { \
        jmp_buf here, *before = caller; \
        caller = &here; \
        if (setjmp(here)) poisoned = 1; else e; \
        caller = before; \
    } \
    TOGETHER
#define UNLESS_POISONED(type, e, then) ({ type value = (e); if (!poisoned) { then; } })
"""

TAIL = """
static char *last_moat(void) { static char moat[MOAT_SIZE] MOAT_AT_FILE_SCOPE = {1}; return moat; }
"""
"""Stands last, since gcc places static objects of functions behind those of the file, each in order."""


class NotInstrumented(Exception):
    """A construct that generated programs do not have."""


def instrumented(text: str) -> str:
    """The text of a program with its own checks. Its place of errors and inputs is the line of `text`."""
    try:
        return str(_Instrumenter(MAY_FAIL in text).visit(CParser().parse(text)))
    except ParseError as error:
        raise NotInstrumented(str(error)) from None


def _plain(n: c_ast.Node) -> str:
    return str(CGenerator().visit(n))


def _is_object(n: c_ast.Decl) -> bool:
    """Whether a declaration makes an object, which needs a moat."""
    return n.name is not None and not is_function(n.type) and "extern" not in n.storage


def _with_copies(function: c_ast.Decl) -> tuple[c_ast.Decl, str]:
    """A function whose parameters have other names, and declarations that copy them, with moats."""
    other, copies = deepcopy(function), ""
    for one in other.type.args.params if other.type.args is not None else ():
        if isinstance(one, c_ast.Decl) and one.name is not None:
            named = one.type
            while not isinstance(named, c_ast.TypeDecl):
                named = named.type
            copies += f"MOAT __typeof__(given_{one.name}) {one.name} = given_{one.name}; "
            named.declname = f"given_{one.name}"
    return other, copies


_EXPRESSIONS = (
    c_ast.Assignment,
    c_ast.Cast,
    c_ast.UnaryOp,
    c_ast.BinaryOp,
    c_ast.TernaryOp,
    c_ast.FuncCall,
    c_ast.ArrayRef,
    c_ast.StructRef,
    c_ast.Constant,
    c_ast.ID,
)
_END_IS_OUTSIDE, _END_IS_MEANT, _END_MAY_BE_MEANT = "END_IS_OUTSIDE", "END_IS_MEANT", "END_MAY_BE_MEANT"
"""Whether an index may be the length: not in an access, in `&a[n]`, perhaps in `&a[n].member`."""


class _Instrumenter(CGenerator):  # type: ignore[misc]
    """Prints a tree with checks: `visit` of an expression is its value."""

    def __init__(self, may_fail: bool) -> None:
        super().__init__()
        self._may_fail = may_fail
        self._types = ExpressionTypes()
        self._is_inside = False

    # Lvalues

    def _is_named(self, n: c_ast.Node) -> bool:
        """An object with a name or a member of one, which lives."""
        return isinstance(n, c_ast.ID) or (isinstance(n, c_ast.StructRef) and n.type == "." and self._is_named(n.name))

    def _place(self, n: c_ast.Node) -> str:
        """An lvalue that may be accessed."""
        if self._is_named(n):
            return _plain(n)
        if isinstance(n, c_ast.StructRef):
            if n.type == "." and isinstance(n.name, c_ast.FuncCall):
                return f"({self.visit(n.name)}).{n.field.name}"
            if self._types.is_bit_field(n):
                base = self.visit(n.name) if n.type == "->" else self._address(n.name, _END_IS_OUTSIDE)
                return f"(*ACCESS(({base}), {n.coord.line})).{n.field.name}"
        return f"(*ACCESS(({self._address(n, _END_IS_OUTSIDE)}), {n.coord.line}))"

    def _address(self, n: c_ast.Node, end: str) -> str:
        """The address of an lvalue, which is not accessed."""
        match n:
            case _ if self._is_named(n):
                return f"&{_plain(n)}"
            case c_ast.UnaryOp(op="*"):
                return str(self.visit(n.expr))
            case c_ast.ArrayRef() if is_array(self._types.of(n.name)):
                inner = _END_IS_OUTSIDE if end == _END_IS_OUTSIDE else _END_MAY_BE_MEANT
                array = self._address(n.name, inner)
                return f"INDEX(({array}), ({self.visit(n.subscript)}), {end}, {n.coord.line})"
            case c_ast.ArrayRef():
                return f"&({self.visit(n.name)})[{self._moved(n.name, n.subscript)}]"
            case c_ast.StructRef(type="->"):
                return f"&({self.visit(n.name)})->{n.field.name}"
            case c_ast.StructRef():
                inner = _END_IS_OUTSIDE if end == _END_IS_OUTSIDE else _END_MAY_BE_MEANT
                return f"&({self._address(n.name, inner)})->{n.field.name}"
            case _:
                raise NotInstrumented(f"the address of {_plain(n)}")

    def _lvalue(self, n: c_ast.Node) -> str:
        """The value of an lvalue."""
        type_ = self._types.of(n)
        if is_function(type_):
            return str(self.visit(n.expr)) if isinstance(n, c_ast.UnaryOp) else _plain(n)
        if is_array(type_) and not isinstance(n, c_ast.ID):
            return f"(*{self._address(n, _END_MAY_BE_MEANT)})"
        return self._of_truths(n, self._place(n))

    def _of_truths(self, n: c_ast.Node, place: str) -> str:
        """The lvalue, whose value is read. Bytes that are no values of members may be called a fault of a struct."""
        type_ = self._types.of(n)
        if self._types.is_bit_field(n):
            return place
        if self._types.truths_in(type_, "") == [""]:
            return f"(*TRUTH(&{place}, 1, {n.coord.line}))"
        checks = "".join(f"TRUTH(&{one}, 0, {n.coord.line}); " for one in self._types.truths_in(type_, "(*whole)"))
        return f"(*({{ __auto_type whole = &{place}; {checks}whole; }}))" if checks else place

    visit_ID = visit_ArrayRef = visit_StructRef = _lvalue

    # Operators

    def visit_UnaryOp(self, n: c_ast.UnaryOp) -> str:
        match n.op:
            case "sizeof":
                return _plain(n)
            case "&":
                return f"({self._address(n.expr, _END_IS_MEANT)})"
            case "*":
                return self._lvalue(n)
            case "p++" | "p--":
                return f"({self._lvalue(n.expr)}){n.op[1:]}"
            case "++" | "--":
                return f"{n.op}({self._lvalue(n.expr)})"
            case _:
                return f"({n.op}({self.visit(n.expr)}))"

    def visit_BinaryOp(self, n: c_ast.BinaryOp) -> str:
        left, right = f"({self.visit(n.left)})", f"({self.visit(n.right)})"
        match n.op:
            case "/" | "%":
                return f"DIVIDE({left}, {n.op}, {right}, {n.coord.line})"
            case "<<" | ">>":
                return f"SHIFT({left}, {n.op}, {right}, {n.coord.line})"
            case "&&" | "||":
                return f"UNLESS({int(n.op == '||')}, {left}, {right})"
            case "+" | "-" if is_pointer(self._types.of(n.left)) and not is_pointer(self._types.of(n.right)):
                return f"({left} {n.op} {self._moved(n.left, n.right)})"
            case "+" if is_pointer(self._types.of(n.right)):
                return f"({self._moved(n.right, n.left)} + {right})"
            case _:
                return f"({left} {n.op} {right})"

    def visit_TernaryOp(self, n: c_ast.TernaryOp) -> str:
        type_ = f"__typeof__(1 ? ({_plain(n.iftrue)}) : ({_plain(n.iffalse)}))"
        return f"CHOICE({type_}, ({self.visit(n.cond)}), ({self.visit(n.iftrue)}), ({self.visit(n.iffalse)}))"

    def visit_Assignment(self, n: c_ast.Assignment) -> str:
        if n.op in ("/=", "%=", "<<=", ">>="):
            raise NotInstrumented(n.op)
        if n.op in ("+=", "-=") and is_pointer(self._types.of(n.lvalue)):
            return f"({self._place(n.lvalue)} {n.op} {self._moved(n.lvalue, n.rvalue)})"
        target = self._place(n.lvalue) if n.op == "=" else self._lvalue(n.lvalue)
        return f"({target} {n.op} {self._visit_expr(n.rvalue)})"

    def _moved(self, pointer: c_ast.Node, distance: c_ast.Node) -> str:
        """The distance by which a pointer moves."""
        return f"moved({self.visit(distance)}, sizeof *({_plain(pointer)}))"

    def visit_ExprList(self, n: c_ast.ExprList) -> str:
        raise NotInstrumented("a comma")

    # Calls

    def visit_FuncCall(self, n: c_ast.FuncCall) -> str:
        name = n.name.name if isinstance(n.name, c_ast.ID) else ""
        arguments = [] if n.args is None else n.args.exprs
        known = _FUNCTIONS.get(name)
        if known is not None:
            text = known([f"({self.visit(one)})" for one in arguments], n.coord.line)
            fails = self._may_fail and name in ("malloc", "calloc", "realloc")
            return f"(choose_input({n.coord.line}) ? (void *) 0 : {text})" if fails else text
        copies = "".join(f"__auto_type _{k} = {self._copied(one)}; " for k, one in enumerate(arguments))
        call = f"callee({', '.join(f'_{k}' for k in range(len(arguments)))})"
        start = f"APART; __auto_type callee = ({self.visit(n.name)}); CALLED(callee, {n.coord.line}); {copies}"
        if is_void(self._types.of(n)):
            return f"({{ {start}CALL({call}); }})"
        result = f"__typeof__({_plain(n)}) value; memset(&value, 0, sizeof value);"
        return f"({{ {start}{result} CALL((value = {call})); value; }})"

    def _copied(self, e: c_ast.Node) -> str:
        """The value of an expression, which gives a variable its type."""
        return f"{'+' if self._types.is_bit_field(e) else ''}({self.visit(e)})"

    # Declarations

    def visit_FileAST(self, n: c_ast.FileAST) -> str:
        text = "".join(
            f"{self.visit(one)}{'' if isinstance(one, c_ast.FuncDef) else ';'}\n"
            for one in n.ext
            if "extern" not in (getattr(one, "storage", None) or ())
        )
        living = "".join(f"LIVE({one.name}) " for one in n.ext if isinstance(one, c_ast.Decl) and _is_object(one))
        return f"{text}static void begin(void) {{ dig(); {living}}}\n"

    def visit_FuncDef(self, n: c_ast.FuncDef) -> str:
        self._types.declare(n.decl)
        self._types.enter()
        for one in n.decl.type.args.params if n.decl.type.args is not None else ():
            if isinstance(one, c_ast.Decl):
                self._types.declare(one)
        self._is_inside = True
        body = self.visit(n.body)
        self._is_inside = False
        self._types.leave()
        head, copies = _with_copies(n.decl)
        return f"{_plain(head)}\n{{ {copies}{body}}}\n"

    def visit_Decl(self, n: c_ast.Decl, no_type: bool = False) -> str:
        self._types.declare(n)
        if not _is_object(n):
            return _plain(n)
        if not self._is_inside:
            return f"MOAT_AT_FILE_SCOPE {_plain(n)}"
        if "static" in n.storage:
            return f"MOAT_AT_FILE_SCOPE {_plain(n)}; LIVE({n.name})"
        if n.init is None:
            return f"MOAT {_plain(n)}"
        declared = f"MOAT {_plain(c_ast.Decl(n.name, n.quals, n.align, n.storage, n.funcspec, n.type, None, None))}"
        if isinstance(n.init, c_ast.InitList):
            return f"{declared} = {{{self.visit(n.init)}}}"
        return f"{declared} = VALUE({self._copied(n.init)})"

    def visit_InitList(self, n: c_ast.InitList) -> str:
        return ", ".join(self._visit_expr(one) for one in n.exprs)

    # Statements, which end full expressions

    def visit_Compound(self, n: c_ast.Compound) -> str:
        self._types.enter()
        body = "".join(self._generate_stmt(one) for one in n.block_items or ())
        self._types.leave()
        return f"{{\n{body}}}\n"

    def visit_For(self, n: c_ast.For) -> str:
        self._types.enter()
        first = "" if n.init is None else self.visit(n.init)
        first = f"FULL(({first}))" if isinstance(n.init, _EXPRESSIONS) else first
        condition = "" if n.cond is None else f"TEST(({self.visit(n.cond)}))"
        step = "" if n.next is None else f"FULL(({self.visit(n.next)}))"
        body = self._generate_stmt(n.stmt)
        self._types.leave()
        return f"for ({first}; {condition}; {step})\n{body}"

    def visit_DeclList(self, n: c_ast.DeclList) -> str:
        if len(n.decls) > 1:
            raise NotInstrumented("several declarations")
        return str(self.visit(n.decls[0]))

    def _generate_stmt(self, n: c_ast.Node, add_indent: bool = False) -> str:
        match n:
            case c_ast.If():
                other = "" if n.iffalse is None else f"else\n{self._generate_stmt(n.iffalse)}"
                return f"if (TEST(({self.visit(n.cond)})))\n{self._generate_stmt(n.iftrue)}{other}"
            case c_ast.While():
                return f"while (TEST(({self.visit(n.cond)})))\n{self._generate_stmt(n.stmt)}"
            case c_ast.DoWhile():
                return f"do\n{self._generate_stmt(n.stmt)}while (TEST(({self.visit(n.cond)})));\n"
            case c_ast.Switch():
                return f"switch (VALUE({self._copied(n.cond)}))\n{self._generate_stmt(n.stmt)}"
            case c_ast.Return() if n.expr is not None:
                return f"return VALUE({self._copied(n.expr)});\n"
            case c_ast.Decl():
                return f"{self.visit(n)};{' END' if isinstance(n.init, c_ast.InitList) else ''}\n"
            case _ if isinstance(n, _EXPRESSIONS):
                return f"{{ {self.visit(n)}; END }}\n"
            case _:
                return str(super()._generate_stmt(n))


_Known = Callable[[list[str], int], str]

_FUNCTIONS: dict[str, _Known] = {
    "malloc": lambda a, _: f"allocated({a[0]})",
    "calloc": lambda a, _: f"allocated({a[0]} * {a[1]})",
    "realloc": lambda a, line: f"reallocated({a[0]}, {a[1]}, {line})",
    "memcpy": lambda a, line: f"copied({a[0]}, {a[1]}, {a[2]}, {line})",
    "memset": lambda a, line: f"filled({a[0]}, {a[1]}, {a[2]}, {line})",
    "free": lambda a, line: f"released({a[0]}, {line})",
    "abort": lambda _, __: "UNLESS_POISONED(int, 0, finish(0))",
    "reach_error": lambda _, line: f"UNLESS_POISONED(int, 0, finish({line}))",
    "OBSERVE": lambda a, _: f"UNLESS_POISONED(long long, {a[1]}, observe_value({a[0]}, value))",
    "__VERIFIER_assume": lambda a, _: f"UNLESS_POISONED(int, !!{a[0]}, if (!value) finish(0))",
    "__VERIFIER_nondet_int": lambda _, line: f"((int) choose_input({line}))",
    "__VERIFIER_nondet_bool": lambda _, line: f"((_Bool) choose_input({line}))",
}
"""The functions without body, as code."""
