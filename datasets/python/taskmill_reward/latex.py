"""LaTeX to the plain forms that the readers know: `\\frac{1}{3}` to `1⁄3`, `\\begin{pmatrix}1\\\\2\\end{pmatrix}` to `[[1];[2]]`, `\\{` to a
bracket of its own. A command that is not known here stays as a word, so that `\\ln 5` never becomes 5.
"""

from .jstext import trim, units
from .plain import PLAIN_LATEX, plain_text
from .regex import Regex

_LATEX_MAX_DEPTH = 40
# Braces that stand for themselves; the plain ones only group.
LATEX_OPEN = "❴"
LATEX_CLOSE = "❵"

# Commands whose argument is meant as it stands.
_LATEX_TRANSPARENT = frozenset(
    (
        "text textrm textbf textit textsf texttt textnormal mathrm mathbf mathit mathsf mathtt mathbb boldsymbol operatorname mbox hbox "
        "rm unit si num emph underline boxed fbox ensuremath ce mathcal"
    ).split(" ")
)
_LATEX_DROPPED = frozenset(
    (
        "left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr displaystyle textstyle rm bf it limits nolimits middle "
        "mathopen mathclose hline"
    ).split(" ")
)
# Marks over a name, which say what it is: \vec{v}. Over digits they say how these go on, and stay.
_LATEX_ACCENTS = frozenset("vec bar hat tilde overline overrightarrow widehat dot ddot".split(" "))
_LATEX_FRACTIONS = frozenset(["frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac"])
_LATEX_SYMBOLS = {
    **PLAIN_LATEX,
    "div": "/",
    "simeq": "≈",
    "pi": "π",
    "infty": "∞",
    "le": "≤",
    "leq": "≤",
    "leqslant": "≤",
    "ge": "≥",
    "geq": "≥",
    "geqslant": "≥",
    "lt": "<",
    "gt": ">",
    "in": "∈",
    "cup": "∪",
    "langle": "⟨",
    "rangle": "⟩",
    "lbrace": LATEX_OPEN,
    "rbrace": LATEX_CLOSE,
    "lbrack": "[",
    "rbrack": "]",
    "lparen": "(",
    "rparen": ")",
    "ldots": "...",
    "dots": "...",
    "quad": " ",
    "qquad": " ",
    "AA": "Å",
    "per": "/",
    "implies": " ⟹ ",
    "therefore": " ",
}
_LATEX_MATRICES = Regex(r"^(?:[pbBvV]?matrix|smallmatrix|array)\*?$")
_LATEX_MIXED = Regex(r"(\d)\s?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒])", "gu")
_LATEX_PLUS = Regex(r"(?<![⁰¹²³⁴⁵⁶⁷⁸⁹⁻])([⁰¹²³⁴⁵⁶⁷⁸⁹]{0,3})⁺(?![⁰¹²³⁴⁵⁶⁷⁸⁹])", "gu")
_LATEX_MARKED = Regex(r"[\\{}$^]")
_LATEX_GAPS = Regex(r"\s+", "g")
_LATEX_TIE_AFTER = Regex(r"[\s\\\p{L}{]", "u")
_LATEX_TIE_BEFORE = Regex(r"[\d}\p{L}]", "u")
_LATEX_SILENT = Regex(r"^\s*\\(?:rm|bf|it|mathrm|text)\b")
_LATEX_SCRIPT = Regex(r"[{\\\p{L}\d+−-]", "u")
_LATEX_DEGREES = Regex(r"^[°′″]")
_LATEX_BODY = Regex(r"^[☉⊕]$")
_LATEX_BARE = Regex(r"^[+\-−]?\d+$|^\p{L}$", "u")
_LATEX_BARE_SUB = Regex(r"^[\p{L}\d]+$", "u")
_LATEX_LETTER = Regex(r"[A-Za-z]")
_LATEX_NAME = Regex(r"[A-Za-z]{1,40}", "y")
_LATEX_NAMED = Regex(r"^\p{L}", "u")
_LATEX_DIGITS = Regex(r"^\d+$")
_LATEX_NUMBER = Regex(r"[-−]?\d+|[-−]?.", "uy")
_LATEX_KEPT = Regex(r"[%&#_*]")
_LATEX_GONE = Regex(r"[()[\]!]")
_LATEX_ROWS = Regex(r"\\\\(?:\[[^\]]{0,20}\])?")


def plain_answer(text):
    """A final answer in plain form: LaTeX undone, then as `plain_text`, spaces single."""
    typed = units(text)
    if not typed.isascii():
        typed = _LATEX_MIXED.sub(lambda m: f"{m[1]} {m[2]}", typed)
        typed = _LATEX_PLUS.sub(lambda m: f"^{m[1]}+", typed).replace("\u2215", "/")
    typed = typed.replace("+/-", "±")
    undone = _LatexUndoing(typed).text() if _LATEX_MARKED.test(typed) else typed
    return trim(_LATEX_GAPS.sub(" ", plain_text(undone)))


class _LatexUndoing:
    """Steps return the text read and the place behind it."""

    def __init__(self, source):
        self.source = source
        self.partner = _latex_partners(source)

    def text(self):
        return self.read(0, len(self.source), 0)

    def read(self, start, to, depth):
        """The plain form of source[start:to]."""
        if depth > _LATEX_MAX_DEPTH:
            return " … "
        out = []
        at = start
        while at < to:
            c = self.source[at]
            if c == "\\":
                text, at = self.command(at, to, depth)
            elif c == "{":
                text, at = self.group(at, to, depth)
            elif c == "^" or c == "_":
                text, at = self.script(at, to, depth)
            else:
                text = "" if c == "$" else LATEX_CLOSE if c == "}" else self.tie(at) if c == "~" else c
                at += 1
            out.append(text)
        return "".join(out)

    def tie(self, at):
        """A tie between a number and its unit is a space; elsewhere the mark says "about"."""
        behind = _LATEX_TIE_AFTER.test(self.source[at + 1 : at + 2])
        return " " if behind and at > 0 and _LATEX_TIE_BEFORE.test(self.source[at - 1]) else "~"

    def group(self, at, to, depth):
        """A brace that belongs to no command: a set's, unless it holds a font switch or a separator."""
        close = self.partner[at]
        if close < 0 or close >= to:
            return LATEX_OPEN, at + 1
        inside = self.source[at + 1 : min(close, at + 8)]
        if inside == "," or inside == ".":
            return inside, close + 1
        content = self.read(at + 1, close, depth + 1)
        return (content if _LATEX_SILENT.test(inside) else LATEX_OPEN + content + LATEX_CLOSE), close + 1

    def script(self, at, to, depth):
        """`^{-3}` as ^-3, `^{a+b}` as ^(a+b), `^\\circ` as °, `_{\\odot}` as ☉."""
        mark = self.source[at]
        if not _LATEX_SCRIPT.test(self.source[at + 1 : at + 2]):
            return mark, at + 1
        argument = self.argument(at + 1, to, depth)
        if argument is None:
            return mark, at + 1
        content, end = trim(argument[0]), argument[1]
        if mark == "^" and _LATEX_DEGREES.test(content):
            return content, end
        if mark == "_" and _LATEX_BODY.test(content):
            return content, end
        bare = _LATEX_BARE.test(content) or (mark == "_" and _LATEX_BARE_SUB.test(content))
        return (mark + content if bare else f"{mark}({content})"), end

    def command(self, at, to, depth):
        following = self.source[at + 1 : at + 2]
        if not _LATEX_LETTER.test(following):
            return _latex_escaped(following), min(at + 2, to)
        match = _LATEX_NAME.at(self.source, at + 1)
        name, after = match[0], match.end()
        if name == "begin":
            return self.environment(after, to, depth)
        if name in _LATEX_FRACTIONS:
            return self.fraction(after, to, depth)
        if name == "sqrt":
            return self.root(after, to, depth)
        if name == "SI" or name == "qty":
            return self.pair(name, after, to, depth, lambda a, b: f"{a} {b}")
        if name in _LATEX_TRANSPARENT and self.brace_at(after, to) is not None:
            return self.argument(after, to, depth)
        if name in _LATEX_ACCENTS:
            argument = self.argument(after, to, depth)
            if argument is not None and _LATEX_NAMED.test(argument[0]):
                return argument
        if name in _LATEX_DROPPED:
            return "", after
        symbol = _LATEX_SYMBOLS.get(name)
        return _latex_word(name, after) if symbol is None else (symbol, after)

    def fraction(self, after, to, depth):
        return self.pair("frac", after, to, depth, _latex_fraction)

    def root(self, after, to, depth):
        if self.source[after : after + 1] == "[":
            return _latex_word("root", after)
        argument = self.argument(after, to, depth)
        return _latex_word("sqrt", after) if argument is None else (f"√({argument[0]})", argument[1])

    def pair(self, name, after, to, depth, join):
        """A command of two arguments. What was read of one that lacks them is not read again: that would double at every depth."""
        first = self.argument(after, to, depth)
        if first is None:
            return _latex_word(name, after)
        second = self.argument(first[1], to, depth)
        if second is None:
            return f" {name} {first[0]}", first[1]
        return join(first[0], second[0]), second[1]

    def argument(self, start, to, depth):
        """A command's argument: a group, a command or one character."""
        source = self.source
        at = start
        while at < to and source[at] == " ":
            at += 1
        if at >= to:
            return None
        close = self.brace_at(at, to)
        if close is not None:
            return self.read(at + 1, close, depth + 1), close + 1
        if depth > _LATEX_MAX_DEPTH:
            return None
        if source[at] == "\\":
            return self.command(at, to, depth + 1)
        if source[at] in "-−" or start == at:
            number = _LATEX_NUMBER.at(source, at) if start > 0 and source[start - 1] == "^" else None
            text = source[at] if number is None else number[0]
            return text, at + len(text)
        return source[at], at + 1

    def brace_at(self, at, to):
        if self.source[at : at + 1] != "{":
            return None
        close = self.partner[at]
        return close if 0 <= close < to else None

    def environment(self, after, to, depth):
        """A matrix as [[a;b];[c;d]]; the commands of another environment go, what it holds stays."""
        close = self.brace_at(after, to)
        name = "" if close is None else self.source[after + 1 : close]
        if close is None or not _LATEX_MATRICES.test(name):
            return " ", (after if close is None else close + 1)
        end = self.source.find(f"\\end{{{name}}}", close)
        if end < 0 or end >= to:
            return _latex_word("begin", after)
        start = close + 1
        if name.startswith("array"):
            columns = self.brace_at(start, end)
            start = start if columns is None else columns + 1
        # A matrix within a matrix would be split by the outer one's marks: such an answer stays unread.
        body = self.source[start:end] if start < end else ""
        if "\\begin" in body:
            return _latex_word("matrix", end)
        rows = []
        for cells in _latex_rows(body):
            plain = [trim(_LatexUndoing(cell).read(0, len(cell), depth + 1)) for cell in cells]
            rows.append(f"[{' ; '.join(plain)}]")
        return f"[{' ; '.join(rows)}]", end + len(name) + 6


def _latex_word(name, at):
    return f" {name} ", at


def _latex_fraction(a, b):
    a_, b_ = trim(a), trim(b)
    return f" {a_}⁄{b_}" if _LATEX_DIGITS.test(a_) and _LATEX_DIGITS.test(b_) else f"({a})/({b})"


def _latex_escaped(c):
    """What a backslash and one character that is no letter stand for."""
    if c == "{":
        return LATEX_OPEN
    if c == "}":
        return LATEX_CLOSE
    if _LATEX_KEPT.test(c):
        return c
    return "" if _LATEX_GONE.test(c) else " "


def _latex_rows(body):
    rows = [[trim(cell) for cell in row.split("&")] for row in _LATEX_ROWS.split(body)]
    if len(rows) > 1 and all(cell == "" for cell in rows[-1]):
        rows.pop()
    return rows


def _latex_partners(text):
    """For each opening brace its closing one, -1 for those without; escaped braces do not count."""
    found = [-1] * len(text)
    opened = []
    at = 0
    while at < len(text):
        c = text[at]
        if c == "\\":
            at += 1
        elif c == "{":
            opened.append(at)
        elif c == "}" and opened:
            found[opened.pop()] = at
        at += 1
    return found
