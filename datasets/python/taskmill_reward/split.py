"""Taking lists apart: brackets, separators, and the comma that may be a decimal mark or part a number's groups."""

from .brackets import CLOSING, OPENING, cut_at, top_level
from .jstext import trim
from .regex import Regex

_SPLIT_PAIRS = {"(": ")", "[": "]", "{": "}", "❴": "❵", "⟨": "⟩", "<": ">"}
_SPLIT_NO_UNIT = Regex(r"^(?:[,;([{❴⟨<]|(?:and|or)\b|&)")
_SPLIT_DIGITS = frozenset("0123456789")
_SPLIT_COMMA_NUMBER = Regex(r"^[^,]*\d,\d+(?:[^,\d].*)?$")
_SPLIT_GROUPED_NUMBER = Regex(r"^\D*\d{1,3}(?:,\d{3})+(?![\d,])[^,]*$")
_SPLIT_PLAIN_NUMBER = Regex(r"^[+-]?[\d./]+$")
_SPLIT_GROUP = Regex(r"\d \d{3}(?!\d)")
_SPLIT_NUMBER_FIRST = Regex(r"^[+-]?[\d.]")
# The word before the last item and the words that part items; with "or" for sets.
_SPLIT_LINKS = (
    Regex(r"^(?:and|&|und|et|y|e)\s+", "i"),
    Regex(r"^(?:and|or|&|und|oder|et|ou|y|o|e)\s+", "i"),
)
_SPLIT_WORDS = (Regex(r"\s+(?:and|&|und|et)\s+", "i"), Regex(r"\s+(?:and|or|&|und|oder|et|ou)\s+", "i"))


class Bracketed:
    """behind: what stands behind the closing bracket, a unit that all items share."""

    __slots__ = ("inside", "open", "behind")

    def __init__(self, inside, opened, behind):
        self.inside = inside
        self.open = opened
        self.behind = behind


def unwrap(text):
    """A text in brackets that fit each other; `behind` is short or empty. None for any other."""
    opened = text[:1]
    wanted = _SPLIT_PAIRS.get(opened)
    if wanted is None:
        return None
    depth = 0
    for i, c in enumerate(text):
        if c == opened or (opened != "<" and c in OPENING):
            depth += 1
        elif c == wanted or (opened != "<" and c in CLOSING):
            depth -= 1
        if depth > 0:
            continue
        behind = trim(text[i + 1 :])
        unit = len(behind) <= 40 and not _SPLIT_NO_UNIT.test(behind)
        return Bracketed(trim(text[1:i]), opened, behind) if c == wanted and unit else None
    return None


def items_of(text, notation, count, bracketed, or_parts):
    """
    The items of a list without its brackets, and whether the marks could be read in another way, so that nothing right may come
    of it. `count` is how many are asked for; `or_parts`: also "or" parts items.
    """
    if trim(text) == "":
        return [], False
    semicolons = top_level(text, ";")
    if semicolons:
        return _split_joined(cut_at(text, semicolons), count, or_parts), False
    commas = top_level(text, ",")
    tight = {i for i in commas if text[max(0, i - 1)] in _SPLIT_DIGITS and text[i + 1 : i + 2] in _SPLIT_DIGITS}
    loose = [i for i in commas if i not in tight]
    if not tight:
        items = _split_joined(cut_at(text, loose), count, or_parts)
        if len(items) != 1 or count < 2:
            return items, False
        apart, ambiguous = _split_spaced(items[0])
        return apart, (ambiguous if bracketed else len(apart) > 1)
    every = _split_joined(cut_at(text, commas), count, or_parts)
    kept = _split_joined(cut_at(text, loose), count, or_parts)
    if not all(_split_one_number(item, notation) for item in kept):
        return every, False
    styled = any(text[i + 1 : i + 2] == " " for i in commas)
    if styled or count == 1:
        return kept, count == 1 and not styled and bracketed
    # "[1,270]" may be 1270 or two items; in brackets and in English, commas without spaces part items.
    return every, not (bracketed and notation.decimal == ".")


def _split_one_number(item, notation):
    """Whether the tight commas of an item are part of one number in this language."""
    if "," not in item:
        return True
    return (_SPLIT_COMMA_NUMBER if notation.decimal == "," else _SPLIT_GROUPED_NUMBER).test(item)


def _split_spaced(text):
    """[1 2 3]: spaces part the items, unless they may part groups of digits."""
    items = text.split(" ")
    if all(map(_SPLIT_PLAIN_NUMBER.test, items)):
        return items, _SPLIT_GROUP.test(text)
    return [text], False


def _split_at_words(item, words):
    """Cut at linking words outside brackets."""
    pieces = words.split(item)
    balanced = all(sum(map(p.count, OPENING)) == sum(map(p.count, CLOSING)) for p in pieces)
    return pieces if balanced else [item]


def _split_joined(items, count, or_parts):
    """
    "Io, Europa and Ganymede": the last link may be a word; it is only cut where items are missing, as in "Antigua and Barbuda".
    """
    link, words = _SPLIT_LINKS[or_parts], _SPLIT_WORDS[or_parts]
    clean = [link.sub("", item, 1) if i > 0 else item for i, item in enumerate(items)]
    if clean and clean[-1] == "":
        clean.pop()
    parts = [_split_at_words(item, words) for item in clean]
    flat = [piece for part in parts for piece in part]
    # Numbers never hold such a word: "0, 5 and 5" are three items, whatever count is asked for.
    if any(len(part) > 1 and all(map(_SPLIT_NUMBER_FIRST.test, part)) for part in parts):
        return flat
    if len(clean) >= count or not clean:
        return clean
    ended = clean[:-1] + parts[-1]
    return ended if len(ended) == count else flat
