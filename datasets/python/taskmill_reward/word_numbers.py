"""Numbers in English words: "twenty-five thousand", "one point two seven"."""

from .jstext import number_text, trim
from .regex import Regex

_WORDS_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
            " "
        )
    )
}
_WORDS_TENS = {
    word: 20 + 10 * i for i, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(" "))
}
_WORDS_SCALES = {"hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "quadrillion": 1e15}
_WORDS_FORM = Regex(r"[A-Za-z]+", "g")
_WORDS_SCALE = Regex(r"[ -](hundred|thousand|million|billion|trillion|quadrillion)s?\b", "iy")


def number_in_words_at(plain, at):
    """Value (a float) and end of the number in words that starts at a place, or None."""
    words = [(m[0].lower(), m.start(), m.end()) for m in _WORDS_FORM.all(plain)]
    i = 0
    while i < len(words):
        word, start, _ = words[i]
        if word in _WORDS_SMALL or word in _WORDS_TENS:
            value, last = _words_taken(plain, words, i)
            if start == at:
                return value, words[last][2]
            i = last
        i += 1
    return None


def _words_taken(plain, words, i):
    """The longest number that starts at word `i`: cardinals with scales, then "point" and digits."""
    total, current, last = 0.0, 0.0, i
    # The size of what was taken last, 0 before anything was.
    step = 0
    j = i
    while j < len(words) and (j == i or len(trim(plain[words[j - 1][2] : words[j][1]])) <= 1):
        word = words[j][0]
        small = _WORDS_SMALL.get(word)
        ten = _WORDS_TENS.get(word)
        if small is not None and (step == 0 or (step == 10 and 0 < small < 10) or step >= 100):
            current += small
            step = 1
        elif ten is not None and (step == 0 or step >= 100):
            current += ten
            step = 10
        elif word == "hundred" and current > 0:
            current *= 100
            step = 100
        elif word in _WORDS_SCALES and current > 0:
            total += current * _WORDS_SCALES[word]
            current = 0.0
            step = 1000
        elif word == "and" and step >= 100:
            j += 1
            continue
        elif word == "point" and j + 1 < len(words) and words[j + 1][0] in _WORDS_SMALL:
            fraction, k = _words_fraction(words, j + 1)
            if fraction == "":
                break
            return _words_decimal(plain, words, number_text(total + current), fraction, k)
        else:
            break
        last = j
        j += 1
    return total + current, last


def _words_fraction(words, k):
    fraction = ""
    while k < len(words) and _WORDS_SMALL.get(words[k][0], 10) < 10:
        fraction += str(_WORDS_SMALL[words[k][0]])
        k += 1
    return fraction, k


def _words_decimal(plain, words, whole, fraction, k):
    # From 1e21 on the whole part has an exponent of its own: no number, as in TypeScript.
    value = float("nan") if "e" in whole else float(f"{whole}.{fraction}")
    factor, end = _words_scale(plain, words[k - 1][2])
    while k < len(words) and words[k][2] <= end:
        k += 1
    return value * factor, k - 1


def _words_scale(plain, end):
    """ " million", " thousand million": at most three words."""
    factor = 1.0
    for _ in range(3):
        match = _WORDS_SCALE.at(plain, end)
        if match is None:
            break
        factor *= _WORDS_SCALES[match[1].lower()]
        end = match.end()
    return factor, end
