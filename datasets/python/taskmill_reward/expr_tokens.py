"""Breaks LaTeX or plain mathematics into tokens, in one pass."""

import re

from .expr_base import ExprRefusal
from .expr_words import (
    EXPR_FUNCTIONS,
    EXPR_LETTER_NAMES,
    EXPR_LETTERS,
    EXPR_LONGEST_WORD,
    EXPR_PLAIN_WORDS,
    EXPR_PROSE,
)
from .jstext import SPACES

# LaTeX that only says how it looks.
_EXPR_SILENT = frozenset(
    (
        "left right big Big bigl bigr Bigl Bigr bigg Bigg displaystyle textstyle limits nolimits quad qquad mathstrut"
    ).split()
)
_EXPR_SIGN_COMMANDS = {
    "cdot": "*",
    "times": "*",
    "ast": "*",
    "div": "/",
    "lvert": "|",
    "rvert": "|",
    "vert": "|",
    "mid": "|",
    "lbrace": "(",
    "rbrace": ")",
    "circ": "°",
    "degree": "°",
}
# Commands that the parser knows, and other spellings of them.
_EXPR_KEPT = frozenset("frac binom sum prod lfloor rfloor lceil rceil operatorname mathrm text".split())
_EXPR_ALIASES = {"dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "dbinom": "binom", "tbinom": "binom"}
# Letters in another face, or with something on top: the mark becomes part of the name.
EXPR_MARKS = {
    "hat": "hat ",
    "vec": "",
    "bar": "bar ",
    "dot": "dot ",
    "ddot": "ddot ",
    "tilde": "tilde ",
    "mathbf": "",
    "boldsymbol": "",
    "mathcal": "cal ",
    "mathit": "",
}
_EXPR_SIGNS = dict(zip("\u2212\u2013×·\u22c5\u2219\u2217÷\u2215\u2044\u2223\u2032\u2019", "--*****///|''"))
_EXPR_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ"
_EXPR_SUPERSCRIPT_MEANS = "0123456789+-ni"
_EXPR_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
_EXPR_GRAMMAR = frozenset("+-*/^_(){}[]|!,=°'&")
_EXPR_SPACE = frozenset(SPACES + "~")
_EXPR_DIGITS = re.compile("[0-9]*")
_EXPR_LETTERS_RUN = re.compile("[a-zA-Z]*")
_EXPR_RAISED = re.compile("[0-9]+|[+-]|[ni]")
_EXPR_VARIANT = re.compile("var(?=epsilon|theta|phi|rho|sigma|pi|kappa)")
_EXPR_LONGEST_NAME = 40


class ExprToken:
    """
    kind: number, name (a variable or constant), function, command (what is left of LaTeX: frac, sum, ...), sign (one
    character of the grammar), end. spaced: something other than a token stands before it. latex: behind a backslash.
    """

    __slots__ = ("kind", "text", "spaced", "latex")

    def __init__(self, kind, text, spaced, latex):
        self.kind = kind
        self.text = text
        self.spaced = spaced
        self.latex = latex


def expr_tokenize(source, named, reading):
    """The tokens of a text. `named` are variables of more than one letter. Raises ExprRefusal."""
    return _ExprTokenizer(source, named, reading).all()


def _expr_is_digit(char):
    return "0" <= char <= "9" and char != ""


def _expr_is_letter(char):
    return "a" <= char <= "z" or "A" <= char <= "Z"


class _ExprTokenizer:
    def __init__(self, source, named, reading):
        self.source = source
        self.named = named
        self.reading = reading
        self.tokens = []
        self.spaced = False

    def push(self, kind, text, latex=False):
        self.tokens.append(ExprToken(kind, text, self.spaced, latex))
        self.spaced = False

    def all(self):
        at = 0
        while at < len(self.source):
            at = self.step(at)
        self.push("end", "")
        return self.tokens

    def step(self, at):
        """Reads what begins at a place; the place behind it."""
        source = self.source
        char = source[at]
        if char in _EXPR_SPACE:
            self.spaced = True
            return at + 1
        if char == "\\":
            return self.command(at)
        if _expr_is_digit(char) or (char == "." and _expr_is_digit(source[at + 1 : at + 2])):
            end = self.numeral(at)
            self.push("number", source[at:end])
            return end
        if char in _EXPR_SUPERSCRIPTS:
            return self.raised(at)
        if char in _EXPR_SUBSCRIPTS:
            end = self.run_of(at, _EXPR_SUBSCRIPTS)
            self.push("sign", "_")
            self.push("number", "".join(str(_EXPR_SUBSCRIPTS.index(c)) for c in source[at:end]))
            return end
        if char in EXPR_LETTERS:
            self.push("name", EXPR_LETTERS[char])
            return at + 1
        if _expr_is_letter(char):
            return self.letters(at)
        if source.startswith("**", at):
            self.push("sign", "^")
            return at + 2
        self.sign(char)
        return at + 1

    def sign(self, char):
        sign = _EXPR_SIGNS.get(char, char)
        if sign == "√":
            self.push("function", "sqrt")
        elif sign in _EXPR_GRAMMAR:
            self.push("sign", sign)
        else:
            raise ExprRefusal("a character that is not read")

    def digits(self, at):
        return _EXPR_DIGITS.match(self.source, at).end()

    def run_of(self, at, members):
        while at < len(self.source) and self.source[at] in members:
            at += 1
        return at

    def numeral(self, start):
        """The end of a numeral: digits, a point with digits, a scientific exponent without spaces."""
        source = self.source
        at = self.digits(start)
        if source[at : at + 1] == "." and source[at + 1 : at + 2] != ".":
            at = self.digits(at + 1)
        if source[at : at + 1] in ("e", "E") and not _expr_is_letter(source[at + 1 : at + 2]):
            sign = 1 if source[at + 1 : at + 2] in ("+", "-", "\u2212") else 0
            end = self.digits(at + 1 + sign)
            # "2e-3" is 0.002 or 2e - 3; "2e3" and "2.5e-3" are scientific.
            clear = sign == 0 or "." in source[start:at]
            if end > at + 1 + sign and (clear or self.reading.chooses("exponent", "scientific")):
                return end
        return at

    def raised(self, at):
        """Raised digits, signs and letters, as a group behind `^`."""
        end = self.run_of(at, _EXPR_SUPERSCRIPTS)
        plain = "".join(_EXPR_SUPERSCRIPT_MEANS[_EXPR_SUPERSCRIPTS.index(c)] for c in self.source[at:end])
        self.push("sign", "^")
        self.push("sign", "{")
        for part in _EXPR_RAISED.findall(plain):
            self.push("number" if part[0].isdigit() else "name" if part in "ni" else "sign", part)
        self.push("sign", "}")
        return end

    def command(self, at):
        """A backslash and what belongs to it."""
        source = self.source
        end = _EXPR_LETTERS_RUN.match(source, at + 1).end()
        name = source[at + 1 : end]
        if name == "":
            return self.escaped(at)
        if name in _EXPR_SILENT:
            self.spaced = True
            return end + 1 if source[end : end + 1] == "." else end
        plain = _EXPR_VARIANT.sub("", name, 1) if _EXPR_VARIANT.match(name) else name
        kept = _EXPR_ALIASES.get(name, name)
        if name in _EXPR_SIGN_COMMANDS:
            self.push("sign", _EXPR_SIGN_COMMANDS[name], True)
        elif kept in _EXPR_KEPT:
            self.push("command", kept, True)
        elif name in EXPR_MARKS:
            self.push("command", name, True)
        elif plain in EXPR_LETTER_NAMES:
            self.push("name", plain, True)
        elif name in EXPR_FUNCTIONS:
            self.push("function", name, True)
        else:
            raise ExprRefusal("a command that is not read")
        return end

    def escaped(self, at):
        """A backslash before something that is no letter."""
        char = self.source[at + 1 : at + 2]
        if char in ("{", "}"):
            self.push("sign", "(" if char == "{" else ")")
        elif char == "" or char not in ",;:! \n":
            raise ExprRefusal("an escape that is not read")
        else:
            self.spaced = True
        return at + 2

    def letters(self, at):
        source = self.source
        end = _EXPR_LETTERS_RUN.match(source, at).end()
        before, behind = source[at - 1 : at] if at > 0 else "", source[end : end + 1]
        apart = (before == "" or before in SPACES) and (behind == "" or behind in SPACES) and end - at < len(source)
        self.words(source[at:end], apart)
        return end

    def words(self, run, apart):
        """Takes a run of letters apart: names of the domain first, then functions and Greek letters, else letter by letter."""
        named = self.named
        if apart and run.lower() in EXPR_PROSE and run not in named:
            raise ExprRefusal("a word of prose")
        at = unknown = 0
        while at < len(run):
            word = self.longest(run, at)
            if word is not None:
                unknown = 0
                self.push("function" if word in EXPR_FUNCTIONS and word not in named else "name", word)
                at += len(word)
                continue
            unknown += 1
            # Four letters in a row that mean nothing are a word, not a product.
            if unknown == 4:
                raise ExprRefusal("neither a known name nor a product of letters")
            self.push("name", run[at])
            at += 1

    def longest(self, run, at):
        named = self.named
        longest = _EXPR_LONGEST_NAME if named else EXPR_LONGEST_WORD
        for length in range(min(len(run) - at, longest), 1, -1):
            word = run[at : at + length]
            if word in named or (length <= EXPR_LONGEST_WORD and word in EXPR_PLAIN_WORDS):
                return word
        return None
