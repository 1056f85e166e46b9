"""Judges lists, tuples, vectors (in order) and sets (in any order, said twice or once)."""

from .brackets import top_level
from .jstext import SPACES, trim
from .plain import fold
from .regex import Regex
from .split import items_of, unwrap
from .verdicts import verdict_right, verdict_undecided, verdict_wrong

_SEQUENCE_MOST = 400
_SEQUENCE_WORD = Regex(r"\w")
_SEQUENCE_NAME = Regex(r"^(?:[A-Za-z]\w{0,3}|\p{L}⃗|\([\p{L}\d_, ]{1,40}\)) ?[=∈:] ?", "u")
_SEQUENCE_ITEM_NAME = Regex(r"^[A-Za-z]\w{0,3} ?= ?")
_SEQUENCE_EMPTY = Regex(r"^(?:∅|ø|(?:the )?empty set|emptyset|varnothing|none|\{ ?\}|❴ ?❵|\[ ?\]|\( ?\))$", "i")
_SEQUENCE_ARROW = Regex(r"→|->|⟹|[<>≤≥]")
_SEQUENCE_BOTH_SIGNS = Regex(r"^±[^±]+$")
_SEQUENCE_BRACKET = Regex(r"[[({\\]")
_SEQUENCE_BULLETED = Regex(r"^(?:[-*•] |\d{1,3}[.)] )")
_SEQUENCE_BULLET = Regex(r"^(?:[-*•]|\d{1,3}[.)]) ")
_SEQUENCE_LINE_END = Regex(r"[,;]$")
_SEQUENCE_VECTOR_NAME = Regex(r"^[^=]{1,20}= ?")
_SEQUENCE_UNIT_VECTORS = Regex(r"^[^ijkîĵ]*[iî](?!\p{L})|[jĵ](?!\p{L})", "u")
_SEQUENCE_TERMS = Regex(r" ?(?=[+-] ?[^+-]*$|[+-] ?[^+-]*[ijkîĵ](?!\p{L}))", "u")
_SEQUENCE_TERM = Regex(r"^([+-]?) ?(.{0,40}?) ?[*·]? ?([iîjĵk])\u0302?$", "u")


def grade_sequence(raw, plain, expected, notation, grade):
    """`grade(text, expected)` judges one item."""
    kind, wanted = expected["type"], expected["items"]
    if _sequence_goes_on(plain):
        return verdict_undecided("unreadable", "the list is not written out", plain)
    items, ambiguous = (_sequence_unit_vectors(plain, len(wanted)) if kind == "vector" else None), False
    if items is None:
        items, ambiguous = _sequence_items(raw, plain, len(wanted), notation, kind == "set")
    if len(items) > _SEQUENCE_MOST:
        return verdict_undecided("too_long", "there are too many items to judge", plain)
    verdict = (_sequence_set if kind == "set" else _sequence_in_order)(items, wanted, grade, plain)
    if ambiguous and verdict.verdict == "right":
        return verdict_undecided("ambiguous_number", "a comma may part items or be part of a number", plain)
    return verdict


def _sequence_goes_on(plain):
    """Whether a text ends in three points or "etc", whatever marks follow."""
    end = len(plain)
    while end > 0 and not _SEQUENCE_WORD.test(plain[end - 1]):
        end -= 1
    marks = plain[end:]
    if "..." in marks or "…" in marks:
        return True
    return plain.endswith("etc", 0, end) and not _SEQUENCE_WORD.test(plain[max(0, end - 4) : end - 3])


def _sequence_items(raw, plain, count, notation, is_set):
    """The items, and whether they may be others."""
    text = _SEQUENCE_NAME.sub("", plain, 1).rstrip(".;," + SPACES)
    if _SEQUENCE_EMPTY.test(trim(text)):
        return [], False
    lines = _sequence_lines(raw)
    if lines is not None and count > 1:
        return lines, False
    box = unwrap(text)
    outer = box is not None and (count != 1 or bool(top_level(box.inside, ",;")) or box.open != "(")
    if outer:
        items, ambiguous = items_of(box.inside, notation, count, True, is_set)
        if box.behind != "":
            items = [f"{item} {box.behind}" for item in items]
    else:
        arrowed = _sequence_arrowed(text, count, is_set)
        items, ambiguous = items_of(text, notation, count, False, is_set) if arrowed is None else (arrowed, False)
    # A column or a row written as a matrix: [[1];[2]].
    single = unwrap(items[0]) if len(items) == 1 and count > 1 else None
    if single is not None:
        items = items_of(single.inside, notation, count, True, is_set)[0]
    if is_set:
        unnamed = [_SEQUENCE_ITEM_NAME.sub("", item, 1) for item in items]
        items = [sign for item in unnamed for sign in _sequence_both_signs(item)]
    return items, ambiguous


def _sequence_unit_vectors(plain, count):
    """"3i - 2j + k": the components of a vector by its unit vectors, each at most once."""
    text = _SEQUENCE_VECTOR_NAME.sub("", plain, 1).rstrip("." + SPACES)
    if count < 2 or count > 3 or len(text) > 200 or not _SEQUENCE_UNIT_VECTORS.test(text):
        return None
    components, seen = ["0"] * count, set()
    for term in _sequence_terms(text):
        match = _SEQUENCE_TERM.search(term)
        at = -1 if match is None else "ijk".find(fold(match[3]))
        if at < 0 or at >= count or at in seen:
            return None
        seen.add(at)
        components[at] = ("-" if match[1] == "-" else "") + (match[2] or "1")
    return components


def _sequence_terms(text):
    """Pieces between signs; a split that takes nothing away parts only what stands on both sides of it."""
    pieces, start, at = [], 0, 0
    while at < len(text):
        match = _SEQUENCE_TERMS.at(text, at)
        if match is None or match.end() == start:
            at += 1
            continue
        pieces.append(text[start:at])
        start = at = match.end()
    return [trim(piece) for piece in [*pieces, text[start:]]]


def _sequence_arrowed(text, count, is_set):
    """"Io < Europa < Titan", "1 → 2 → 5": an order in which one kind of mark parts the items."""
    if is_set or count < 2 or top_level(text, ";,"):
        return None
    marks = {m[0] for m in _SEQUENCE_ARROW.all(text)}
    if len(marks) != 1:
        return None
    items = [trim(item) for item in text.split(marks.pop())]
    return items if len(items) > 1 and "" not in items else None


def _sequence_both_signs(item):
    """x = ±2 are two solutions."""
    if not _SEQUENCE_BOTH_SIGNS.test(item):
        return [item]
    value = trim(item[1:])
    return [value, "-" + value]


def _sequence_lines(raw):
    """Items on lines of their own, with or without bullets and numbers; None where there are none."""
    if "\n" not in trim(raw) or _SEQUENCE_BRACKET.test(raw):
        return None
    lines = [line for line in map(trim, raw.split("\n")) if line != ""]
    if all(map(_SEQUENCE_BULLETED.test, lines)):
        lines = [_SEQUENCE_BULLET.sub("", line, 1) for line in lines]
    return [_SEQUENCE_LINE_END.sub("", line, 1) for line in lines]


def _sequence_in_order(items, wanted, grade, plain):
    """Items as strict as the list: a bracketed single such as "(3)" is unwrapped by the item's own reader."""
    if len(items) != len(wanted):
        why = f"there are {len(items)} items where {len(wanted)} are right"
        return verdict_wrong("wrong_count", why, plain)
    undecided = None
    for item, of in zip(items, wanted):
        verdict = grade(_sequence_unnested(item, of), of)
        if verdict.verdict == "wrong":
            return verdict_wrong("wrong_item", f"an item is wrong: {verdict.why}", plain)
        if verdict.verdict == "undecided" and undecided is None:
            undecided = verdict
    if undecided is not None:
        return verdict_undecided(undecided.reason, f"an item cannot be judged: {undecided.why}", plain)
    return verdict_right("equal", "all items are right", plain)


def _sequence_unnested(item, expected):
    """An item, or the only entry of a row: [1] for 1."""
    nests = "items" in expected or expected["type"] in ("interval", "matrix")
    box = None if nests else unwrap(item)
    return box.inside if box is not None and box.open == "[" and box.behind == "" else item


def _sequence_set(items, wanted, grade, plain):
    fits, undecided = [], None
    for item in dict.fromkeys(items):
        row = [grade(item, of) for of in wanted]
        if all(v.verdict == "wrong" for v in row):
            return verdict_wrong("wrong_item", "an item does not belong to the set", plain)
        fits.append([v.verdict == "right" for v in row])
        if undecided is None and not any(fits[-1]):
            undecided = next((v for v in row if v.verdict == "undecided"), None)
    if undecided is not None:
        return verdict_undecided(undecided.reason, f"an item cannot be judged: {undecided.why}", plain)
    if _sequence_covered(fits, len(wanted)):
        return verdict_right("equal", "the items are those of the set", plain)
    return verdict_wrong("wrong_count", "an item of the set is missing", plain)


def _sequence_covered(fits, count):
    """Whether each expected item has an answer of its own (Kuhn's matching); answers may repeat one."""
    owner = [-1] * len(fits)

    def place(want, seen):
        for i, row in enumerate(fits):
            if row[want] and i not in seen:
                seen.add(i)
                if owner[i] < 0 or place(owner[i], seen):
                    owner[i] = want
                    return True
        return False

    return all(place(want, set()) for want in range(count))
