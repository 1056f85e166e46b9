"""JavaScript's patterns to Python's."""

import re

from .charclass import regex_class, regex_complement, regex_merged, regex_variants
from .jstext import SPACES

_REGEX_ENDS = "\n\r\u2028\u2029"
_REGEX_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "f": "\x0c", "v": "\x0b", "0": "\0"}


class RegexTranslation:
    """One pass over a pattern."""

    def __init__(self, source, flags, wide):
        self.source = source
        self.unicode = "u" in flags
        self.any_case = "i" in flags
        self.lines = "m" in flags
        self.dots = "s" in flags
        self.wide = wide

    def text(self):
        return self.sequence(self.source)

    def sequence(self, source):
        out, at = [], 0
        while at < len(source):
            piece, at = self.step(source, at)
            out.append(piece)
        return "".join(out)

    def step(self, source, at):
        c = source[at]
        if c == "\\":
            return self.escape(source, at)
        if c == "[":
            end = self.class_end(source, at)
            return self.char_class(source[at + 1 : end]), end + 1
        if source.startswith(("(?<=", "(?<!"), at):
            end = self.closing(source, at)
            return self.lookbehind(source[at : at + 4], source[at + 4 : end]), end + 1
        if c == ".":
            return self.members([], True) if self.dots else self.members([(ord(e), ord(e)) for e in _REGEX_ENDS], True), at + 1
        if c == "^":
            return (f"(?:(?<=[{_REGEX_ENDS}])|\\A)" if self.lines else r"\A"), at + 1
        if c == "$":
            return (f"(?=[{_REGEX_ENDS}]|\\Z)" if self.lines else r"\Z"), at + 1
        if c in "()|*+?{}":
            if c == "{" and re.match(r"\{\d+(,\d*)?\}", source[at:]) is None:
                return r"\{", at + 1
            if c == "{":
                end = source.index("}", at)
                return source[at : end + 1], end + 1
            if c == "(" and source.startswith("(?", at):
                head = re.match(r"\(\?(?:[:=!]|<[A-Za-z]+>)", source[at:])[0]
                return head.replace("(?<", "(?P<"), at + len(head)
            return c, at + 1
        return self.literal(c), at + 1

    def literal(self, c):
        if c > "\uffff" and not self.wide:
            # No text without surrogates has this character.
            return "(?!)"
        if not self.any_case:
            return re.escape(c)
        same = regex_variants(c, self.unicode)
        return re.escape(c) if len(same) == 1 else self.members([(ord(s), ord(s)) for s in same], False)

    def escape(self, source, at):
        c = source[at + 1]
        if c in "bB":
            return "\\" + c, at + 2
        if c in "123456789":
            return f"(?:\\{c})", at + 2
        ranges, end = self.escaped(source, at)
        if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
            return self.literal(chr(ranges[0][0])), end
        return self.members(ranges, False), end

    def escaped(self, source, at):
        """The ranges that a backslash stands for, and where it ends."""
        c = source[at + 1]
        if c in "dDwWsS":
            ranges = self.shorthand(c.lower())
            return (regex_complement(ranges) if c.isupper() else ranges), at + 2
        if c in "pP":
            end = source.index("}", at)
            ranges = self.named(source[at + 3 : end], c == "P")
            return ranges, end + 1
        if c == "u":
            end = source.index("}", at) + 1 if source[at + 2] == "{" else at + 6
            code = int(source[at + 2 : end].strip("{}"), 16)
            return [(code, code)], end
        if c == "x":
            code = int(source[at + 2 : at + 4], 16)
            return [(code, code)], at + 4
        plain = _REGEX_PLAIN.get(c, c)
        return [(ord(plain), ord(plain))], at + 2

    def shorthand(self, c):
        if c == "d":
            return [(0x30, 0x39)]
        if c == "s":
            return [(ord(s), ord(s)) for s in SPACES]
        folded = [(0x17F, 0x17F), (0x212A, 0x212A)] if self.unicode and self.any_case else []
        return [(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)] + folded

    def named(self, name, negated):
        if self.any_case and (negated or name in ("Lu", "Ll", "M")):
            raise ValueError(f"\\p{{{name}}} with the flag i is not translated: {self.source}")
        ranges = list(regex_class(name))
        if self.any_case and name == "L":
            # The combining iota folds to the letter.
            ranges.append((0x345, 0x345))
        return regex_complement(ranges) if negated else ranges

    def class_end(self, source, at):
        at += 1
        while source[at] != "]":
            at += 2 if source[at] == "\\" else 1
        return at

    def char_class(self, body):
        negated = body.startswith("^")
        at = 1 if negated else 0
        ranges = []
        while at < len(body):
            start, at = self.member(body, at)
            if at + 1 < len(body) and body[at] == "-" and len(start) == 1 and start[0][0] == start[0][1]:
                end, at = self.member(body, at + 1)
                start = [(start[0][0], end[0][0])]
            ranges.extend(self.both_cases(start))
        return self.members(ranges, negated)

    def member(self, body, at):
        if body[at] == "\\":
            if body[at + 1] == "b":
                return [(8, 8)], at + 2
            return self.escaped(body, at)
        return [(ord(body[at]), ord(body[at]))], at + 1

    def both_cases(self, ranges):
        if not self.any_case or len(ranges) != 1 or ranges[0][1] - ranges[0][0] > 1000:
            return ranges
        codes = range(ranges[0][0], ranges[0][1] + 1)
        return ranges + [(ord(v), ord(v)) for code in codes for v in regex_variants(chr(code), self.unicode)]

    def members(self, ranges, negated):
        """A Python class of these ranges; in narrow form without what is beyond U+FFFF."""
        merged = regex_merged(ranges if self.wide else [(lo, min(hi, 0xFFFF)) for lo, hi in ranges if lo <= 0xFFFF])
        if not merged:
            return r"[\s\S]" if negated else "(?!)"
        body = "".join(_regex_char(lo) if lo == hi else f"{_regex_char(lo)}-{_regex_char(hi)}" for lo, hi in merged)
        return f"[{'^' if negated else ''}{body}]"

    def closing(self, source, at):
        """The bracket that closes the one at a place."""
        depth = 0
        while True:
            c = source[at]
            if c == "\\":
                at += 1
            elif c == "[":
                at = self.class_end(source, at)
            elif c == "(":
                depth += 1
            elif c == ")":
                depth -= 1
                if depth == 0:
                    return at
            at += 1

    def lookbehind(self, head, body):
        """Python wants one length for all alternatives: each gets a lookbehind of its own."""
        parts, start, at = [], 0, 0
        while at < len(body):
            if body[at] == "\\":
                at += 1
            elif body[at] == "[":
                at = self.class_end(body, at)
            elif body[at] == "(":
                at = self.closing(body, at)
            elif body[at] == "|":
                parts.append(body[start:at])
                start = at + 1
            at += 1
        parts.append(body[start:])
        each = [f"{head}{self.sequence(part)})" for part in parts]
        return "".join(each) if head == "(?<!" else f"(?:{'|'.join(each)})"


def regex_has_choice(source):
    """Whether a pattern has alternatives outside all brackets."""
    depth, at, inside = 0, 0, False
    while at < len(source):
        c = source[at]
        if c == "\\":
            at += 1
        elif inside:
            inside = c != "]"
        elif c == "[":
            inside = True
        elif c == "|" and depth == 0:
            return True
        else:
            depth += (c == "(") - (c == ")")
        at += 1
    return False


def _regex_char(code):
    c = chr(code)
    return c if c.isalnum() and c <= "\x7f" else f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
