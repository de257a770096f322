"""Objects in memory over their lives: first contents, new addresses, indeterminate values."""

from __future__ import annotations

from core.program import Assign, InputKind
from core.program.source import STRING_LITERAL
from core.terms import Term
from frontend.libc.texts import ALLOCATED
from frontend.lowering.arithmetic import ADDRESS, BoundedTerm
from frontend.lowering.checks.object_states import BLOCK, Lives, Qualities
from frontend.lowering.context import BOUNDED, NUMBERS, Cursor, LoweringContext
from frontend.lowering.memory import scalars
from frontend.lowering.memory.clearing import clear, mark
from frontend.lowering.pointsto.classes import find
from frontend.lowering.storage import Slot
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.alignment import alignment_of
from frontend.typed.casts import PLACE
from frontend.typed.const_parts import constant_parts
from frontend.typed.ctype import spell
from frontend.typed.leaves import TypeLeaf
from frontend.typed.library_table import library_function
from frontend.typed.traversal import nodes

MAX_CHARACTERS = 65_536
"""Of all strings in memory together: each is a term."""

ALLOCATED_SIZES = "memory.allocated"
"""The name of the variable with the sizes of objects on the heap."""

LeafSlots = tuple[tuple[TypeLeaf, Slot | None], ...]


class MemoryObjects:
    """Adds the edges at which objects in memory begin; `locals_` gets the variables that hold addresses."""

    def __init__(self, cursor: Cursor, locals_: dict[Term, None]) -> None:
        self._cursor, self._context, self._locals = cursor, cursor.context, locals_

    def begin(self, span: Span) -> None:
        """The first contents of every region, before the program starts: zeros where only static objects lie in it."""
        memory, variables = self._context.memory, self._context.variables
        updates: list[tuple[Term, Term]] = []
        for region, owner in memory.regions.every():
            variable = memory.region(region)
            if owner.volatile or not owner.defined:  # if none of our objects is there, the pointers to it are stray
                first = variables.input(InputKind.INDETERMINATE, region.name, span, region.type, like=variable)
            else:
                first = memory.zeros()
            updates.append((variable, first))
            is_told = owner.opaque and region.type == ADDRESS and self._context.tells_null
            if is_told or any(variable in one.regions for one in memory.string_arrays):
                updates.append((memory.keep_first(region), first))
        updates += [(memory.region(region), memory.zeros()) for region in memory.regions.unread()]
        allocates = any(library_function(name).makes_object for name in self._context.unit.functions)
        if updates or memory.regions.points.escaped or allocates:
            updates.append((memory.heap, memory.first_heap))
        sizes = allocated_sizes(self._context)
        if sizes is not None:
            updates.append((sizes, memory.zeros()))
        if self._context.assigned is not None:
            static = [one.object for one in self._context.unit.globals if memory.holds(one.object)]
            self._context.assigned.limits = memory.behind([]), memory.behind(static)
            updates.extend((marks, memory.zeros()) for marks in self._context.assigned.regions)
        if memory.lives is not None:
            updates.extend(memory.lives.start(self._static_sizes()))
            updates.extend(memory.lives.begin(self._static_qualities()))
        if updates:
            self._cursor.step(Assign(tuple(updates)), span, "")
        self._begin_numbers(span)
        room = MAX_CHARACTERS
        for literal in memory.regions.literals():
            room -= len(literal.values)
            if room < 0:
                raise Unsupported(literal.span, f"strings of more than {MAX_CHARACTERS} characters are not supported")
            self._literal(literal)

    def _begin_numbers(self, span: Span) -> None:
        """The places of static objects, and of functions, whose addresses may become numbers."""
        memory, arena, points = self._context.memory, self._context.arena, self._context.points
        numbers, lives = memory.numbers, memory.lives
        if numbers is None or lives is None:
            return
        sizes = {arena.integer(address): size for address, size in self._static_sizes().items()}
        first = lives.next_constant // BLOCK
        functions = {name: memory.function(name).term for name in points.numbered}
        numbers.functions = first, lives.next_constant // BLOCK
        make = self._context.variables.input
        bases = make(InputKind.INDETERMINATE, PLACE, span, numbers.type, like=numbers.bases, bounds=numbers.bounds)
        lead = make(InputKind.INDETERMINATE, PLACE, span, numbers.type, bounds=numbers.leads)
        start = (numbers.bases, arena.store(bases, arena.zero, arena.zero)), (numbers.lead, lead)
        self._cursor.step(Assign((*start, (numbers.origins, memory.zeros()))), span, "")
        for literal in memory.regions.literals():
            if find(points.place(literal)).exposed:
                address, model = memory.literal(literal).address.term, memory.regions.model
                size, alignment = sizes[address], alignment_of(literal.type, model)
                place(self._cursor, lives.block(address), size, alignment, literal.span, "a string literal")
        for object_ in (one.object for one in self._context.unit.globals):
            if memory.holds(object_) and find(points.content(object_)).exposed:
                address, (alignment, _) = memory.address(object_).term, self._qualities(object_)
                if address in sizes:
                    name = object_.source_name
                    place(self._cursor, lives.block(address), sizes[address], alignment, object_.span, name)
        for name, address in functions.items():
            place(self._cursor, lives.block(address), arena.one, 1, span, name)

    def _static_sizes(self) -> dict[int, Term]:
        """The objects that live from the start to the end, by their addresses."""
        memory = self._context.memory
        found: dict[int, Term] = {}
        for literal in memory.regions.literals():
            found[memory.literal(literal).address.low] = memory.size_term(literal.type)
        for declaration in self._context.unit.globals:
            if memory.holds(declaration.object) and memory.size(declaration.object.type) is not None:
                object_ = declaration.object
                found[memory.address(object_).low] = memory.size_term(object_.type)
        return found

    def _static_qualities(self) -> dict[int, Qualities]:
        """The alignments of these, and whether they are constant."""
        memory, model = self._context.memory, self._context.unit.data_model
        found: dict[int, Qualities] = {
            memory.literal(one).address.low: (alignment_of(one.type, model), False) for one in memory.regions.literals()
        }
        for declaration in self._context.unit.globals:
            if memory.holds(declaration.object):
                found[memory.address(declaration.object).low] = self._qualities(declaration.object)
        return found

    def _qualities(self, object_: tree.Object) -> Qualities:
        unit, model = self._context.unit, self._context.unit.data_model
        asked = unit.alignments.get(object_.name, 1)
        constant = object_.name in unit.constant or constant_parts(object_.type, model) or False
        return max(asked, alignment_of(object_.type, model)), constant

    def _literal(self, literal: tree.StringLiteral) -> None:
        updates: dict[Term, Term] = {}
        place = self._context.memory.literal(literal)
        for k, number in enumerate(literal.values):
            ((_, slot),) = self._context.memory.slots(place.element(self._cursor.constant(k)), literal.span)
            if slot is not None:
                settled = self._cursor.arithmetic.settle(self._cursor.constant(number), slot.type)
                old = updates.get(slot.variable, slot.variable)
                updates[slot.variable] = scalars.written(self._cursor.arithmetic, slot, old, settled.term)
        self._set_all(updates, literal.span, STRING_LITERAL)

    def allocate(self, object_: tree.Object, span: Span) -> None:
        """A new address, for an object that has no constant one; where that matters, it is alive then."""
        memory = self._context.memory
        if memory.lives is not None:
            self._begin_life(memory.lives, object_, span)
        elif memory.moves(object_):
            address = memory.moving(object_)
            self._locals[address] = None
            take(self._cursor, address, memory.size_term(object_.type), span, spell_object(object_))

    def _begin_life(self, lives: Lives, object_: tree.Object, span: Span) -> None:
        memory = self._context.memory
        size = memory.size_term(object_.type)
        if memory.moves(object_):
            block = memory.moving(object_)
            self._locals[block] = None
            keep_within(self._cursor, memory.after(size), size, span)
            self._place(object_, memory.heap, size)
            updates = {block: memory.heap, memory.heap: memory.after(size)}
            updates.update([lives.sized(memory.heap, size), *lives.qualified(memory.heap, *self._qualities(object_))])
        else:
            block = lives.block(memory.address(object_).term)
            self._place(object_, block, size)
            updates = dict([lives.sized(block, size), *lives.qualified(block, *self._qualities(object_))])
        self._set_all(updates, span, spell_object(object_))

    def _place(self, object_: tree.Object, block: Term, size: Term) -> None:
        if find(self._context.points.content(object_)).exposed:
            place(self._cursor, block, size, self._qualities(object_)[0], object_.span, object_.source_name)

    def mark(self, object_: tree.Object, span: Span, is_set: bool) -> None:
        """The marks of all parts of an object, where reads are checked; those of fresh memory are 0 already."""
        memory, assigned = self._context.memory, self._context.assigned
        if assigned is None:
            return
        owner = memory.regions.points.content(object_)
        if object_.storage is tree.Storage.STATIC and not assigned.is_overwritten(owner):
            return
        if is_set or not memory.moves(object_) or assigned.is_escaping(owner):
            address, size = memory.address(object_).term, memory.size_term(object_.type)
            mark(self._cursor, owner, address, size, span, is_set)

    def indeterminate(self, object_: tree.Object, span: Span) -> None:
        """New contents: an input for each part, as for other objects."""
        memory, arena = self._context.memory, self._context.arena
        self.mark(object_, span, is_set=False)
        if memory.moves(object_):
            return  # the first contents of the memory are arbitrary
        slots = memory.slots(memory.object(object_), span)
        if object_.name in memory.once and any(slot is not None and slot.is_array for _, slot in slots):
            return  # likewise; smaller objects have inputs of their own all the same, which tell their values
        updates: dict[Term, Term] = {}
        for leaf, slot in slots:
            if slot is None:
                continue
            like = slot.variable if slot.is_array else None
            kind, name = InputKind.INDETERMINATE, object_.name + leaf.suffix
            new = self._context.variables.input(kind, name, span, slot.type, like=like)
            held = updates.get(slot.variable, slot.variable)
            for k in range(slot.count or 0 if slot.is_array else 1):
                value = arena.select(new, arena.integer(k)) if slot.is_array else new
                held = scalars.written(self._cursor.arithmetic, slot, held, value, k)
            updates[slot.variable] = held
        self._set_all(updates, span, spell_object(object_))

    def zeros(self, slots: LeafSlots) -> dict[Term, Term]:
        """New values of the variables, where each slot is zero."""
        result: dict[Term, Term] = {}
        for _, slot in slots:
            if slot is not None:
                old = result.get(slot.variable, slot.variable)
                for k in range(slot.count or 0) if slot.is_array else (0,):
                    old = scalars.written(self._cursor.arithmetic, slot, old, self._context.arena.zero, k)
                result[slot.variable] = old
        return result

    def clear(self, object_: tree.Object, span: Span) -> None:
        """Zeros in an object of any size."""
        memory = self._context.memory
        if memory.is_large(object_.type):
            owner, address = memory.regions.points.content(object_), memory.address(object_).term
            clear(self._cursor, owner, address, memory.size_term(object_.type), span)
        else:
            self._set_all(self.zeros(memory.slots(memory.object(object_), span)), span, spell_object(object_))

    def _set_all(self, updates: dict[Term, Term], span: Span, text: str) -> None:
        if updates:
            self._cursor.step(Assign(tuple(updates.items())), span, text)


def allocated_sizes(context: LoweringContext) -> Term | None:
    """The array with the sizes of objects on the heap, by address; None where nothing asks for them."""
    if ALLOCATED not in context.unit.functions:
        return None
    return context.variables.hidden(ALLOCATED_SIZES, None, context.unit.data_model.size_type, (None,))


def keep_within(cursor: Cursor, after: Term, size: Term, span: Span) -> None:
    """End the path where an object of `size` bytes, behind which `after` comes, does not fit where addresses end."""
    memory, context = cursor.context.memory, cursor.context
    fits = memory.fits(after)
    if fits is not None:
        context.assume(NUMBERS if memory.regions.is_numeric else BOUNDED)
        bound = context.arena.le(size, context.arena.integer(memory.type.maximum))
        cursor.assume(context.arena.and_(fits, bound), span, "")


def place(
    cursor: Cursor, block: Term, size: Term, alignment: int, span: Span, name: str, *, asked: Term | None = None
) -> None:
    """Choose where the new object of a block lies, where its address may become a number.

    `asked` is an alignment that it has beside the one that all objects of its kind have.
    """
    context, numbers = cursor.context, cursor.context.memory.numbers
    if numbers is None:
        return
    numbers.check_size(size.value if size.is_constant else None, span)
    context.assume(numbers.assumption)
    about, bounds = f"[where {name} lies]", numbers.bounds
    symbol = context.variables.input(InputKind.EXTERN, PLACE, span, numbers.type, bounds=bounds)
    base = cursor.save(BoundedTerm(symbol, bounds.low, bounds.high), numbers.type, span, about)
    cursor.assume(numbers.fits(base.term, size, alignment), span, f"[{name} may lie there]")
    if asked is not None:
        aligned = context.arena.equals(context.arena.modulo(base.term, asked), context.arena.zero)
        cursor.assume(aligned, span, f"[{name} is aligned]")
    cursor.step(Assign(tuple(numbers.placed(cursor.arithmetic, block, base))), span, about)


def take(cursor: Cursor, target: Term, size: Term, span: Span, text: str) -> None:
    """Make `target` the address of a new object; the size mentions no input where addresses are numbers."""
    memory = cursor.context.memory
    after = memory.after(size)
    keep_within(cursor, after, size, span)
    cursor.step(Assign(((target, memory.heap), (memory.heap, after))), span, text)


def spell_object(object_: tree.Object) -> str:
    return spell(object_.type, object_.source_name)


def declared_once(unit: tree.TranslationUnit, recursive: frozenset[str]) -> frozenset[str]:
    """The objects of main whose declaration is executed once at most: outside loops, and no label is before it."""
    names: set[str] = set()
    main = unit.functions["main"]
    if "main" in recursive or main.body is None:
        return frozenset()
    if any(isinstance(node, tree.Goto) for node in nodes(main.body)):
        return frozenset()
    stack: list[tree.Node] = [main.body]
    while stack:
        node = stack.pop()
        if isinstance(node, tree.Declaration):
            names.add(node.object.name)
        elif isinstance(node, tree.Compound):
            stack.extend(node.items)
    return frozenset(names)
