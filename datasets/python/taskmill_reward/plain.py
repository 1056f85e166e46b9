"""One plain form for the many ways of typing the same text: LaTeX, HTML, superscripts, full-width digits, odd spaces."""

from .charclass import in_class
from .jstext import lowered, normalized, points, units
from .regex import Regex

PLAIN_LATEX = {
    "times": "×",
    "cdot": "·",
    "ast": "*",
    "approx": "≈",
    "sim": "~",
    "degree": "°",
    "circ": "°",
    "mu": "µ",
    "Omega": "Ω",
    "odot": "☉",
    "oplus": "⊕",
    "percent": "%",
    "pm": "±",
}
_PLAIN_ENTITIES = {
    "nbsp": " ",
    "thinsp": " ",
    "ensp": " ",
    "emsp": " ",
    "times": "×",
    "middot": "·",
    "sdot": "·",
    "minus": "-",
    "deg": "°",
    "micro": "µ",
    "ndash": "–",
    "mdash": "—",
    "apos": "'",
    "rsquo": "'",
    "amp": "&",
}
_PLAIN_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_PLAIN_INVISIBLE = Regex(r"\p{Cf}|\p{Variation_Selector}|\u034f|\u115f|\u1160|\u17b4|\u17b5", "gu")
_PLAIN_ENTITY = Regex(r"&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));", "gi")
_PLAIN_SUP = Regex(r"<sup>", "gi")
_PLAIN_TAG = Regex(r"<\/?[a-z]{1,10}>", "gi")
_PLAIN_SUPERSCRIPTS = Regex(r"[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]{1,20}", "gu")
_PLAIN_SECONDS = Regex(r"[\u2033\u301e]", "g")
_PLAIN_DIGIT = Regex(r"\p{Nd}", "gu")
_PLAIN_HYPHENS = Regex(r"[\u2212\u2010\u2011\ufe63]", "g")
_PLAIN_QUOTES = Regex(r"[\u2018\u2019\u02bc\u201b\uff07\u00b4`]", "g")
_PLAIN_DOTS = Regex(r"[⋅∙•]", "g")
_PLAIN_GAPS = Regex(r"[^\S\n]", "g")


def plain_text(text):
    """The text in its plain form: "$1.27\\times10^{3}$ kg m⁻³" becomes "1.27×10^3 kg m^-3"."""
    text = units(text)
    text = text if text.isascii() else _PLAIN_INVISIBLE.sub("", text)
    if "&" in text:
        text = _PLAIN_ENTITY.sub(_plain_entity, text)
    if "<" in text:
        text = _PLAIN_TAG.sub("", _PLAIN_SUP.sub("^", text))
    if not text.isascii():
        text = _PLAIN_SUPERSCRIPTS.sub(lambda m: "^" + "".join(map(_plain_lowered, m[0])), text)
        text = normalized("NFKC", _PLAIN_SECONDS.sub("\ue000", text)).replace("\ue000", "″")
        text = _PLAIN_DIGIT.sub(_plain_digit, text)
    text = _plain_latex(text)
    text = _PLAIN_QUOTES.sub("'", _PLAIN_HYPHENS.sub("-", text)).replace("\u03bc", "µ")
    return _PLAIN_GAPS.sub(" ", _PLAIN_DOTS.sub("·", text))


def _plain_lowered(c):
    return "-" if c == "⁻" else "" if c == "⁺" else str(_PLAIN_RAISED.index(c))


def _plain_entity(match):
    if match[3] is not None:
        return _PLAIN_ENTITIES.get(match[3].lower(), match[0])
    code = int(match[1]) if match[1] is not None else int(match[2], 16)
    return units(chr(code)) if 31 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else match[0]


def _plain_digit(match):
    """A decimal digit of any script as ASCII: its place in its run of digits."""
    code = ord(points(match[0]))
    if code < 0x80:
        return match[0]
    value = 0
    while value < 9 and in_class("Nd", code - value - 1):
        value += 1
    return str(value)


_PLAIN_MARKED = Regex(r"[\\${}~]")
_PLAIN_COMMA = Regex(r"\{,\}", "g")
_PLAIN_SPACING = Regex(r"\\(?:[,;:! ]|quad|qquad)", "g")
_PLAIN_COMMAND = Regex(r"\\([A-Za-z]{1,20})", "g")
_PLAIN_BRACES = Regex(r"[{}$]", "g")
_PLAIN_TIE = Regex(r"~(?=\S)", "g")


def _plain_latex(text):
    if not _PLAIN_MARKED.test(text):
        return text
    text = _PLAIN_SPACING.sub(" ", _PLAIN_COMMA.sub(",", text)).replace("\\%", "%")
    text = _PLAIN_COMMAND.sub(lambda m: PLAIN_LATEX.get(m[1], " "), text)
    return _PLAIN_TIE.sub(" ", _PLAIN_BRACES.sub("", text))


_PLAIN_LETTERS = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i", "ŋ": "n"}
_PLAIN_PRINTABLE = Regex(r"^[ -~]*$")
_PLAIN_MARKS = Regex(r"\p{M}", "gu")
_PLAIN_OTHERS = Regex(r"[ßæœøđðþłħıŋ]", "g")
_PLAIN_WORD = Regex(r"[\p{L}\p{N}\p{M}]+", "gu")


def fold(text):
    """Lower case without accents: "Ōumuamua" gives "oumuamua"."""
    text = units(text)
    if _PLAIN_PRINTABLE.test(text):
        return text.lower()
    text = lowered(_PLAIN_MARKS.sub("", normalized("NFKD", text)))
    return _PLAIN_OTHERS.sub(lambda m: _PLAIN_LETTERS[m[0]], text)


class Word:
    """A word of a text: letters and digits, as written and folded, with its place."""

    __slots__ = ("raw", "folded", "start", "end")

    def __init__(self, match):
        self.raw = match[0]
        self.folded = fold(match[0])
        self.start = match.start()
        self.end = match.end()


def words_of(plain):
    """The words of a plain text in order."""
    return [Word(m) for m in _PLAIN_WORD.all(plain)]
