"""Keys under which two spellings of a name are one: no case, accents or punctuation; transliterated; numerals as digits."""

from .jstext import normalized, trim
from .plain import fold, words_of
from .regex import Regex

_NAMES_CYRILLIC = dict(
    pair.split(":")
    for pair in (
        "а:a б:b в:v г:g д:d е:e ж:zh з:z и:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch "
        "ы:y э:e ю:yu я:ya і:i є:ye ґ:g ъ: ь:"
    ).split(" ")
)
_NAMES_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρστυφχψω",
        (
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
            "psi omega"
        ).split(" "),
    )
)
_NAMES_ARTICLES = Regex(r"^(?:the|an?|der|die|das|les?|la|l|el|los|las|il|lo|os?|de|het)$")
_NAMES_SPELLINGS = {
    "aluminum": "aluminium",
    "cesium": "caesium",
    "sulphur": "sulfur",
    "saint": "st",
    "mount": "mt",
}
_NAMES_GERMAN = tuple(
    (Regex(letters), by) for letters, by in (("[äæÄÆ]", "ae"), ("[öøœÖØŒ]", "oe"), ("[üÜ]", "ue"), ("[åÅ]", "aa"))
)
_NAMES_QUOTES = Regex(r"['’ʻʼ‘`´]")
_NAMES_NUMERAL = Regex(r"^(?=.)X{0,3}(?:IX|IV|V?I{0,3})$")
_NAMES_VALUES = {"I": 1, "V": 5, "X": 10}
_NAMES_DIGIT_LAST = Regex(r"\d$")
_NAMES_DIGIT_FIRST = Regex(r"^\d")
_NAMES_LONE_GREEK = Regex(r"(?<!\p{L})[α-ω](?!\p{L})", "u")
_NAMES_CYRILLIC_LETTER = Regex(r"[а-яієґ]")
_NAMES_FOREIGN = Regex(r"[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]", "u")
_NAMES_LONGEST = 400
_NAMES_MOST_KNOWN = 50_000
# The names of a table are compared with every answer about it.
_names_known = {}


def name_keys(text):
    """All keys of a name; two names are one when they share a key. Empty for a text without letters and digits."""
    known = _names_known.get(text)
    if known is not None:
        return known
    keys = _names_keys(text)
    if len(_names_known) > _NAMES_MOST_KNOWN:
        _names_known.clear()
    if len(text) <= 100:
        _names_known[text] = keys
    return keys


def _names_keys(text):
    typed = _NAMES_QUOTES.sub("", text[:_NAMES_LONGEST])
    if typed.isascii():
        return frozenset((_names_key(typed),)) - {""}
    german = normalized("NFC", typed)
    for letters, by in _NAMES_GERMAN:
        german = letters.sub(by, german)
    return frozenset((_names_key(typed), _names_key(german), _names_key(_names_latin(typed)))) - {""}


def _names_key(text):
    """Words run together, so that Kepler-22 b is Kepler-22b; digits of two words stay apart, so that 22 2b is not 2 22b."""
    words = [_names_numeral(word.raw, i) or word.folded for i, word in enumerate(words_of(text))]
    if len(words) > 1 and _NAMES_ARTICLES.test(words[0]):
        words = words[1:]
    key = ""
    for word in words:
        word = _NAMES_SPELLINGS.get(word, word)
        apart = _NAMES_DIGIT_LAST.test(key) and _NAMES_DIGIT_FIRST.test(word)
        key += "_" + word if apart else word
    return key


def _names_numeral(raw, place):
    """Jupiter II is Jupiter 2. Only I, V and X make numerals, never in first place, and X alone is a letter."""
    if place == 0 or raw == "X" or not _NAMES_NUMERAL.test(raw):
        return None
    values = [_NAMES_VALUES[c] for c in raw]
    total = sum(-v if i + 1 < len(values) and v < values[i + 1] else v for i, v in enumerate(values))
    return str(total)


def _names_latin(text):
    """Cyrillic letter by letter; a Greek letter that stands alone by its name (α Centauri)."""
    greek = _NAMES_LONE_GREEK.sub(lambda m: _NAMES_GREEK.get(m[0], m[0]), fold(text))
    return _NAMES_CYRILLIC_LETTER.sub(lambda m: _NAMES_CYRILLIC.get(m[0], m[0]), greek)


def other_script(text, names):
    """Whether a text has letters of a script in which none of the names is written: then it may be any of them."""
    return not text.isascii() and _NAMES_FOREIGN.test(text) and not any(map(_NAMES_FOREIGN.test, names))


_NAMES_SYMBOL = Regex(r"^\p{L}{1,2}$", "u")
_NAMES_COMPOUND = Regex(r"[\d()]")
_NAMES_BRACKETS = Regex(r"\([^()]*\)")
_NAMES_NUMBER = Regex(r"^\d+[ .]+")
_NAMES_NUMBER_OF_NAME = Regex(r"^\d+[ .]+(?=\p{L})", "u")
_NAMES_DESIGNATION = Regex(r"\(([^()]*\d[^()]*)\)")
_NAMES_LETTER = Regex(r"\p{L}", "u")
_NAMES_MOST_TABLES = 64


class NameIndex:
    """
    Names to look for. symbols: those of one or two letters, which count as written: Co is not CO. parts: what compound names
    are without numbers and brackets.
    """

    __slots__ = ("keys", "symbols", "parts")

    def __init__(self, names, shared):
        forms = [form for name in names for form in _names_forms(name, shared)]
        self.symbols = frozenset(form for form in forms if _NAMES_SYMBOL.test(form))
        self.keys = frozenset(key for form in forms if form not in self.symbols for key in name_keys(form))
        self.parts = frozenset(map(_names_stripped, names))


# A table's other names are many, and the same for each of its answers.
_names_tables = {}


def others_index(others):
    key = tuple(others)
    known = _names_tables.get(key)
    if known is None:
        if len(_names_tables) >= _NAMES_MOST_TABLES:
            _names_tables.clear()
        known = _names_tables[key] = NameIndex(key, frozenset())
    return known


def is_named(text, index, unless=None):
    """Whether the whole text is one of these names, and none of those in `unless`."""
    if _NAMES_SYMBOL.test(text):
        return text in index.symbols
    said = name_keys(text)
    return not said.isdisjoint(index.keys) and (unless is None or said.isdisjoint(unless.keys))


def _names_forms(name, shared):
    """A compound name's parts that are names too: "20000 Varuna (2000 WR106)". A part that another entity shares is none."""
    if not _NAMES_COMPOUND.test(name):
        return [name]
    outside = trim(_NAMES_BRACKETS.sub(" ", name))
    parts = [outside, _NAMES_NUMBER_OF_NAME.sub("", outside, 1)]
    parts += [m[1] for m in _NAMES_DESIGNATION.all(name) if _NAMES_LETTER.test(m[1])]
    return [name] + [p for p in dict.fromkeys(parts) if p not in ("", name) and _names_stripped(p) not in shared]


def _names_stripped(name):
    return trim(fold(_NAMES_NUMBER.sub("", _NAMES_BRACKETS.sub(" ", name), 1)))
