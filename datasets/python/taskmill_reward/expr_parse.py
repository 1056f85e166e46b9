"""
Reads LaTeX or plain mathematics into a tree, whole or not at all.

Nodes are tuples: ("number", text), ("constant", "pi" | "e" | "i"), ("variable", name), ("sum" | "product", parts),
("negative" | "factorial", of), ("quotient", over, under), ("power", base, exponent), ("call", name, args) and
("series", "sum" | "product", index, from, to, body). What is written in several ways has one form here.

Methods that may recurse are generators, for expr_run.
"""

import re

from .expr_base import ExprRefusal, expr_run
from .expr_name import expr_read_name, expr_read_number
from .expr_tokens import ExprToken, expr_tokenize
from .expr_words import EXPR_FUNCTIONS, EXPR_INVERSES, EXPR_UNARY

# Bounds that no honest answer reaches.
_EXPR_DEEPEST = 160
_EXPR_MOST_NODES = 3000

_EXPR_ONE = ("number", "1")
_EXPR_HALF_TURN = ("number", "180")
_EXPR_PI = ("constant", "pi")
_EXPR_CONSTANTS = ("pi", "e", "i")
# What a bracket closes with.
_EXPR_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_EXPR_GROUP_OF_DIGITS = re.compile(r"[0-9]{3}(\.[0-9]+)?")
_EXPR_UNKNOWN_FUNCTION = re.compile("[fgh]'*")
_EXPR_MANY_DIGITS = re.compile("[0-9]{2,}")


def expr_parse(text, reading, named, decimal_comma=False):
    """
    The tree of a text. `named` are the names of variables in the declared domain: they come before constants and functions
    of the same name. Raises ExprRefusal.
    """
    parser = _ExprParser(expr_tokenize(text, named, reading), reading, named, decimal_comma)
    return expr_run(parser.whole())


class _ExprParser:
    def __init__(self, tokens, reading, named, decimal_comma):
        self.tokens = tokens
        self.reading = reading
        self.named_variables = named
        self.decimal_comma = decimal_comma
        self.at = self.depth = self.nodes = 0
        # Open bars of absolute values at this level of brackets: the next bar behind an operand closes one.
        self.bars = 0
        # Within the arguments of a function of several, where a comma ends an argument.
        self.listed = False

    def whole(self):
        node = yield self.sum()
        if self.peek().kind != "end":
            raise ExprRefusal("something is left")
        return node

    def sum(self):
        self.deeper()
        parts = [(yield self.signed(self.product))]
        while self.peek_sign("+-"):
            parts.append((yield self.signed(self.product)))
        self.depth -= 1
        return parts[0] if len(parts) == 1 else self.made(("sum", tuple(parts)))

    def signed(self, operand):
        """An operand behind any plus or minus signs."""
        negative, signs = False, 0
        while self.peek_sign("+-"):
            signs += 1
            if signs > 2:
                raise ExprRefusal("three signs in a row")
            if self.next().text == "-":
                negative = not negative
        of = yield operand()
        return self.made(("negative", of)) if negative else of

    def product(self):
        parts = yield self.chain()
        while self.peek_sign("*/"):
            divides = self.next().text == "/"
            right = [(yield self.signed(self.joined_chain))] if self.peek_sign("-+") else (yield self.chain())
            if not divides:
                parts.extend(right)
                continue
            tight = len(right) > 1 and self.reading.chooses("slash", "tight")
            under = self.joined(right) if tight else right[0]
            parts = [self.made(("quotient", self.joined(parts), under))] + ([] if tight else right[1:])
        return self.joined(parts)

    def joined_chain(self):
        return self.joined((yield self.chain()))

    def chain(self):
        """Factors side by side without a sign between them."""
        factors = [(yield self.power())]
        before, first = self.tokens[self.at - 1], self.at - 1
        while self.starts_operand():
            token = self.peek()
            if token.kind == "number" and before.kind == "number":
                raise ExprRefusal("two numbers side by side")
            mixed = token.text == "frac" and before.kind == "number" and first == self.at - 1
            first = self.at
            factor = yield self.power()
            if mixed and self.is_mixed(factors[-1], factor):
                factors[-1] = self.made(("sum", (factors[-1], factor)))
            else:
                factors.append(factor)
            before = self.tokens[self.at - 1]
        return factors

    def is_mixed(self, whole, part):
        """`2\\frac{1}{2}` with whole numbers only."""
        return (
            whole[0] == "number"
            and part[0] == "quotient"
            and part[1][0] == "number"
            and part[2][0] == "number"
            and self.reading.chooses("mixed", "sum")
        )

    def power(self):
        self.deeper()
        base = yield self.postfix()
        if self.take_sign("^"):
            if self.degrees():
                base = self.made(("quotient", self.joined([base, _EXPR_PI]), _EXPR_HALF_TURN))
            else:
                # A group, or one operand with its own exponent: x^y^z is x^(y^z).
                base = self.made(("power", base, (yield self.signed(self.power))))
        self.depth -= 1
        return base

    def degrees(self):
        """`^\\circ`, in braces or not."""
        if self.take_sign("°"):
            return True
        if not (self.peek_sign("{") and self.text_at(1) == "°"):
            return False
        self.at += 2
        self.expect("}")
        return True

    def postfix(self):
        node = yield self.primary()
        while True:
            if self.take_sign("!"):
                if self.peek_sign("!"):
                    raise ExprRefusal("a double factorial is not read")
                node = self.made(("factorial", node))
            elif self.take_sign("°"):
                if self.peek_sign("°"):
                    raise ExprRefusal("a degree of a degree is not read")
                node = self.made(("quotient", self.joined([node, _EXPR_PI]), _EXPR_HALF_TURN))
            else:
                return node

    def primary(self):
        token = self.peek()
        if token.kind == "number":
            return self.made(("number", expr_read_number(self.numerals(), self.decimal_comma)))
        if token.kind == "name":
            return self.named()
        if token.kind == "function":
            return (yield self.applied())
        if token.kind == "command":
            return (yield self.command())
        if token.kind == "sign" and token.text in _EXPR_CLOSERS:
            return (yield self.group())
        if token.kind == "sign" and token.text == "|":
            return (yield self.absolute())
        raise ExprRefusal("a value should stand here")

    def numerals(self):
        """The tokens of one number: digits with separators of thousands between them."""
        taken = [self.next()]
        while True:
            separator = self.peek()
            digits = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else None
            comma = not self.listed and separator.text == "," and not separator.spaced
            if comma and digits is not None and digits.kind == "number" and not digits.spaced:
                taken += [self.next(), self.next()]
            elif separator.kind == "number" and separator.spaced and _EXPR_GROUP_OF_DIGITS.fullmatch(separator.text):
                taken.append(self.next())
            else:
                return taken

    def named(self):
        name, self.at = expr_read_name(self.tokens, self.at)
        if name not in self.named_variables:
            if name in _EXPR_CONSTANTS:
                return self.made(("constant", name))
            if _EXPR_UNKNOWN_FUNCTION.fullmatch(name) and self.peek_sign("(") and not self.peek().spaced:
                raise ExprRefusal("a function that is not known here")
        return self.made(("variable", name))

    def group(self):
        open_sign = self.next()
        node = yield self.inside()
        self.expect(_EXPR_CLOSERS[open_sign.text])
        return node

    def inside(self):
        """A sum within brackets, which hide the bars and lists around them."""
        kept = self.bars, self.listed
        self.bars, self.listed = 0, False
        node = yield self.sum()
        self.bars, self.listed = kept
        return node

    def absolute(self):
        self.next()
        self.bars += 1
        node = yield self.sum()
        self.bars -= 1
        self.expect("|")
        return self.made(("call", "abs", (node,)))

    def applied(self):
        """A function's name, then an exponent or base, then its argument."""
        token = self.next()
        name = EXPR_FUNCTIONS[token.text]
        if name == "sqrt":
            return (yield self.root(token))
        if name in ("binom", "min", "max"):
            return (yield self.several(name))
        base = (yield self.script()) if self.take_sign("_") or self.glued_base(token) else None
        if base is not None and name != "log":
            raise ExprRefusal("the function has no base")
        exponent = (yield self.signed(self.power)) if self.take_sign("^") else None
        inverse = exponent == ("negative", _EXPR_ONE)
        if inverse:
            if name not in EXPR_INVERSES:
                raise ExprRefusal("^-1 has two meanings")
            name = EXPR_INVERSES[name]
        node = self.made(self.of(name, base, (yield self.argument())))
        return node if exponent is None or inverse else self.made(("power", node, exponent))

    def glued_base(self, token):
        """`log2(x)` and `log10(x)`, as in programs."""
        glued = self.peek()
        return (
            token.text == "log"
            and not token.latex
            and not glued.spaced
            and glued.kind == "number"
            and glued.text in ("2", "10")
        )

    def of(self, name, base, argument):
        if base is not None:
            return ("call", "logb", (base, argument))
        if name == "lg":
            return ("call", "logb", (("number", "10"), argument))
        if name == "cbrt":
            return ("power", argument, ("quotient", _EXPR_ONE, ("number", "3")))
        if name == "log":
            natural = self.reading.chooses("log", "natural")
            return ("call", "ln", (argument,)) if natural else ("call", "logb", (("number", "10"), argument))
        if name not in EXPR_UNARY:
            raise ExprRefusal("the function is not read here")
        return ("call", name, (argument,))

    def argument(self):
        """What a function without brackets applies to: `sin 2 pi x`, `ln x^2`; with brackets, the brackets alone."""
        if self.peek_sign("([{|") and not (self.peek_sign("|") and self.bars > 0):
            return (yield self.primary())
        first = self.peek()
        if first.kind == "function":
            return (yield self.power())
        parts = [(yield self.power())]
        settled = first.kind != "number" and not (first.kind == "name" and first.text in _EXPR_CONSTANTS)
        while self.starts_operand() and self.peek().kind != "function":
            simple = self.peek().kind == "name" and self.text_at(1) != "^"
            if settled and not simple and self.reading.chooses("reach", "short"):
                return self.joined(parts)
            settled = settled or simple
            parts.append((yield self.power()))
        if self.peek_sign("/") and self.reading.chooses("reach", "long"):
            self.next()
            over = self.joined(parts)
            return self.made(("quotient", over, (yield self.power())))
        return self.joined(parts)

    def several(self, name):
        if not self.peek_sign("("):
            raise ExprRefusal("the function needs its arguments in brackets")
        self.next()
        kept = self.bars, self.listed
        self.bars, self.listed = 0, True
        args = [(yield self.sum())]
        while self.take_sign(","):
            args.append((yield self.sum()))
        self.expect(")")
        self.bars, self.listed = kept
        if name == "binom" and len(args) != 2:
            raise ExprRefusal("the function takes other arguments")
        return self.made(("call", name, tuple(args)))

    def root(self, token):
        """`\\sqrt[n]{x}`, `sqrt(x)`, `sqrt x`."""
        index = ("number", "2")
        if token.latex and self.peek_sign("["):
            index = yield self.group()
        if token.latex:
            base = yield self.operand()
        else:
            base = yield (self.group() if self.peek_sign("([{") else self.power())
        return self.made(("power", base, ("quotient", _EXPR_ONE, index)))

    def operand(self):
        """What a LaTeX command takes: a group, a letter, or one digit (`\\frac12`)."""
        token = self.peek()
        if self.peek_sign("{("):
            return (yield self.group())
        if token.kind == "number":
            if len(token.text) == 1 and token.text != ".":
                return self.made(("number", self.next().text))
            raise ExprRefusal("more than one digit needs braces here")
        if token.kind == "name":
            self.next()
            constant = token.text not in self.named_variables and token.text in _EXPR_CONSTANTS
            return self.made(("constant" if constant else "variable", token.text))
        if token.kind == "command":
            return (yield self.command())
        raise ExprRefusal("a group in braces should follow")

    def command(self):
        token = self.peek()
        text = token.text
        if text == "frac":
            self.next()
            return (yield self.fraction())
        if text == "binom":
            self.next()
            upper = yield self.operand()
            return self.made(("call", "binom", (upper, (yield self.operand()))))
        if text in ("sum", "prod"):
            return (yield self.series())
        if text in ("lfloor", "lceil"):
            self.next()
            node = yield self.inside()
            self.expect("rfloor" if text == "lfloor" else "rceil")
            return self.made(("call", "floor" if text == "lfloor" else "ceil", (node,)))
        if text in ("operatorname", "mathrm", "text"):
            return (yield self.upright())
        if text.startswith("r"):
            raise ExprRefusal("it closes nothing")
        return self.named()

    def fraction(self):
        digits = self.peek()
        if digits.kind == "number" and _EXPR_MANY_DIGITS.fullmatch(digits.text):
            # In TeX each of `\frac12` and `\frac1{2}` takes one digit: the rest is what follows.
            self.tokens[self.at] = ExprToken("number", digits.text[0], digits.spaced, digits.latex)
            self.tokens.insert(self.at + 1, ExprToken("number", digits.text[1:], False, digits.latex))
        over = yield self.operand()
        rest = self.peek()
        if rest.kind == "number" and _EXPR_MANY_DIGITS.fullmatch(rest.text):
            raise ExprRefusal("more than one digit needs braces here")
        return self.made(("quotient", over, (yield self.operand())))

    def upright(self):
        """`\\operatorname{arsinh}`, `\\mathrm{e}`: a function or a single name."""
        inner = self.tokens[self.at + 2] if self.at + 2 < len(self.tokens) else None
        if self.text_at(1) != "{" or self.text_at(3) != "}" or inner.kind not in ("function", "name"):
            raise ExprRefusal("it holds no single name")
        self.tokens[self.at : self.at + 4] = [inner]
        return (yield self.applied()) if inner.kind == "function" else self.named()

    def series(self):
        """`\\sum_{k=1}^{n} body`: the body goes on as far as a product does."""
        op = "sum" if self.next().text == "sum" else "product"
        if not self.take_sign("_"):
            raise ExprRefusal("a sum or product needs its index")
        self.expect("{")
        name, self.at = expr_read_name(self.tokens, self.at)
        self.expect("=")
        first = yield self.inside()
        self.expect("}")
        self.expect("^")
        last = yield (self.group() if self.peek_sign("{") else self.operand())
        # The index stands for a variable here, though it may be a constant elsewhere (`\sum_{i=1}`).
        outer = self.named_variables
        self.named_variables = outer | {name}
        body = yield self.product()
        self.named_variables = outer
        return self.made(("series", op, name, first, last, body))

    def script(self):
        if self.peek_sign("{("):
            return (yield self.group())
        if self.peek().kind == "number":
            return self.made(("number", self.next().text))
        return (yield self.operand())

    def starts_operand(self):
        token = self.peek()
        if token.kind in ("number", "name", "function"):
            return True
        if token.kind == "command":
            return token.text not in ("rfloor", "rceil")
        return token.kind == "sign" and (token.text in _EXPR_CLOSERS or (token.text == "|" and self.bars == 0))

    def joined(self, parts):
        return parts[0] if len(parts) == 1 else self.made(("product", tuple(parts)))

    def made(self, node):
        self.nodes += 1
        if self.nodes > _EXPR_MOST_NODES:
            raise ExprRefusal("it has too many parts")
        return node

    def deeper(self):
        self.depth += 1
        if self.depth > _EXPR_DEEPEST:
            raise ExprRefusal("it is nested too deeply")

    def peek(self):
        return self.tokens[self.at]

    def text_at(self, ahead):
        at = self.at + ahead
        return self.tokens[at].text if at < len(self.tokens) else None

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def peek_sign(self, signs):
        token = self.tokens[self.at]
        return token.kind == "sign" and token.text in signs

    def take_sign(self, sign):
        taken = self.peek_sign(sign)
        if taken:
            self.at += 1
        return taken

    def expect(self, text):
        if self.peek().text != text:
            raise ExprRefusal("something else should stand here")
        self.at += 1
