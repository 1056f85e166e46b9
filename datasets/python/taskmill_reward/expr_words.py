"""Names that expressions may hold: functions, Greek letters, and short words of prose that make a text no formula."""

_EXPR_PLAIN = "sin cos tan cot sec csc sinh cosh tanh exp ln abs sign floor ceil log lg sqrt cbrt min max binom"

# Names of functions, in plain text or behind a backslash, and what they stand for.
EXPR_FUNCTIONS = {name: name for name in _EXPR_PLAIN.split()}
for _expr_name in ("sin", "cos", "tan"):
    EXPR_FUNCTIONS["arc" + _expr_name] = EXPR_FUNCTIONS["a" + _expr_name] = "arc" + _expr_name
for _expr_name in ("sinh", "cosh", "tanh"):
    for _expr_start in ("arc", "ar", "a"):
        EXPR_FUNCTIONS[_expr_start + _expr_name] = "arc" + _expr_name
EXPR_FUNCTIONS.update({"tg": "tan", "ctg": "cot", "cosec": "csc", "sgn": "sign", "binomial": "binom"})

# Functions undone by an exponent of -1.
EXPR_INVERSES = {name: "arc" + name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")}

# Functions of one argument.
EXPR_UNARY = frozenset(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp ln abs sign floor ceil".split()
)

_EXPR_GREEK = (
    "alpha:α beta:β gamma:γ delta:δ epsilon:εϵ zeta:ζ eta:η theta:θϑ iota:ι kappa:κ lambda:λ mu:μµ nu:ν xi:ξ pi:π rho:ρϱ "
    "sigma:σς tau:τ upsilon:υ phi:φϕ chi:χ psi:ψ omega:ω Gamma:Γ Delta:Δ∆ Theta:Θ Lambda:Λ Xi:Ξ Pi:Π Sigma:Σ Phi:Φ Psi:Ψ "
    "Omega:Ω hbar:ℏħ ell:ℓ"
)

# Greek and other named letters by each of their signs.
EXPR_LETTERS = {letter: pair.split(":")[0] for pair in _EXPR_GREEK.split(" ") for letter in pair.split(":")[1]}

# Their names, which stand for them in plain text and behind a backslash.
EXPR_LETTER_NAMES = frozenset(EXPR_LETTERS.values())

# Names that plain text may hold inside a run of letters: the longest that fits is taken ("xsin" is x sin).
EXPR_PLAIN_WORDS = frozenset(EXPR_FUNCTIONS) | EXPR_LETTER_NAMES
EXPR_LONGEST_WORD = max(map(len, EXPR_PLAIN_WORDS))

EXPR_PROSE = frozenset(
    "and are but can do for from has if is it its let no not of or so that the then this to we with where when".split()
)
