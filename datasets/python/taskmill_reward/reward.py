"""The reward of a solved task: 1 if right, else max(0, 0.3·P − 0.1·(1 − A)). The same figures as the TypeScript that made the pools."""

from .findings import Given, Value, alike, findings_in, matches, quantity_in, read_finding
from .grade import answer_verdict
from .jstext import as_double, number_text, units
from .latex import plain_answer
from .markup import turns_in
from .plain import fold
from .reasoning import without_reasoning
from .regex import Regex
from .reply import reply_verdict
from .units import unit_or_none

# UTF-16 units of what an assistant said that are looked at: the last ones.
_REWARD_MAX_SAID = 200_000
# Relative tolerance of a step that states none; significant digits below which a figure is guessed too easily.
_REWARD_TOLERANCE = 0.01
_REWARD_MIN_DIGITS = 2
# What is wrong with an answer that was read as the type asked for. All else (no unit, a hedge, a range) was not.
_REWARD_WRONG_ANSWERS = frozenset(
    "wrong_value wrong_unit wrong_sign too_wide less_precise other_entity wrong_count wrong_shape wrong_item wrong_end wrong_closure".split()
)
_REWARD_NO_DIGIT = Regex(r"\D", "g")
_REWARD_LETTERS = Regex(r"[\p{L}\p{M}]+", "gu")
_REWARD_LATIN = Regex(r"[A-Za-z\u00c0-\u024f]")
_REWARD_OTHER = Regex(r"[\u0370-\u052f\u1f00-\u1fff]")
_REWARD_SPELT = Regex(r"[\p{L}\p{N}]+", "gu")


def score_conversation(messages, truth):
    """Scores a conversation: {"score", "acc", "progress", "answered", "steps"}.

    Only what the assistant says in words counts: no thoughts, no calls, nothing that a tool answered. `messages` are dicts with role
    and content; `truth` is the ground truth as a dict.
    """
    turns = []
    for message in messages:
        if message.get("role") == "assistant":
            turns.extend(turns_in(units(content_of(message)), False) or [""])
    return _reward_of_turns(turns, truth)


def content_of(message):
    """A message's text; of a list of parts, the texts among them."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(p["text"] for p in parts if isinstance(p, dict) and isinstance(p.get("text"), str))


def score_text(solution, truth):
    """Scores a rollout's text as a trainer decodes it, from the end of the prompt on: all turns and observations in one string."""
    return _reward_of_turns(turns_in(units(solution), True), truth)


def _reward_of_turns(turns, truth):
    language = truth["language"]
    last = turns[-1] if turns else ""
    verdict, answer = reply_verdict(last, truth["answer"], language, units(truth["question"]))
    acc = 1 if verdict.verdict == "right" else 0
    answered = 1 if acc or (verdict.verdict == "wrong" and verdict.reason in _REWARD_WRONG_ANSWERS) else 0
    findings = findings_in(_reward_spoken(turns), language)
    progress, steps = _reward_verified(findings, truth, answer)
    score = 1.0 if acc else max(0.0, 0.3 * progress - 0.1 * (1 - answered))
    return {"score": score, "acc": acc, "progress": progress, "answered": answered, "steps": steps}


def _reward_spoken(turns):
    """The turns without their thoughts, the last of them first to be kept."""
    left, kept = _REWARD_MAX_SAID, []
    for turn in reversed(turns):
        if left <= 0:
            break
        said = (without_reasoning(turn) or "")[-left:]
        left -= len(said)
        kept.insert(0, said)
    return kept


class _RewardStep:
    """A step of the chain. `out` says why it earns nothing by nature: it counts neither for nor against, and no other waits for it."""

    __slots__ = ("target", "out", "value", "names", "tolerance")

    def __init__(self, target, given, answer, language):
        self.target = target
        self.names = [units(name) for name in [target["text"], *(target.get("aliases") or [])]]
        tolerance = target.get("tolerance")
        self.tolerance = _REWARD_TOLERANCE if tolerance is None else tolerance
        self.value = None
        if target["kind"] == "entity":
            self.out = self._name_out(given, language)
            return
        unit = unit_or_none(target.get("unit") or "1")
        if target.get("value") is None or unit is None:
            self.out = "unreadable"
            return
        self.value = Value(as_double(target["value"]), unit)
        self.out = self._value_out(given, answer)

    def _name_out(self, given, language):
        # A name that reads as a number ("97", "3C 273") cannot be told from a value.
        if any(given.says(name) for name in self.names):
            return "given"
        return None if any(isinstance(read_finding(name, language), str) for name in self.names) else "unreadable"

    def _value_out(self, given, answer):
        if _reward_significant(self.value.value) < _REWARD_MIN_DIGITS:
            return "few_digits"
        if any(matches(v, self.value, self.tolerance) for v in given.values):
            return "given"
        return "answer" if answer is not None and matches(answer, self.value, self.tolerance) else None

    def meets(self, finding):
        if isinstance(finding, Value):
            return self.value is not None and matches(finding, self.value, self.tolerance)
        if self.value is not None or self.target["kind"] != "entity" or _reward_mixes_scripts(finding):
            return False
        expected = {"type": "entity", "name": self.names[0], "aliases": self.names[1:]}
        return answer_verdict(finding, expected).verdict == "right"

    def is_peer(self, other):
        if self.value is None or other.value is None:
            return self.value is other.value
        return alike(self.value.unit, other.value.unit)

    def concerns(self, finding):
        if not isinstance(finding, Value):
            return self.value is None
        return self.value is not None and alike(finding.unit, self.value.unit)


def _reward_significant(value):
    """Digits that say something: 2000 and 5e24 have one."""
    return len(_REWARD_NO_DIGIT.sub("", number_text(value).partition("e")[0]).strip("0"))


def _reward_mixes_scripts(text):
    """A word of Latin letters and of look-alikes from another script: no spelling of anything."""
    words = [m[0] for m in _REWARD_LETTERS.all(text)]
    return any(_REWARD_LATIN.test(word) and _REWARD_OTHER.test(word) for word in words)


def _reward_verified(findings, truth, submitted):
    """P and the verdict on each step."""
    targets = [t for t in truth["chain"] if t["kind"] != "answer"]
    if not targets:
        return 0.0, []
    language = truth["language"]
    given = Given(truth["question"], language)
    answer = _reward_answer(truth["answer"])
    steps = [_RewardStep(target, given, answer, language) for target in targets]
    found = _reward_found(findings, steps, given, answer, submitted, language)
    verdicts = [_reward_verdict(step, steps, found) for step in steps]
    counted = sum(1 for step in steps if step.out is None)
    verified = sum(1 for verdict in verdicts if verdict["verified"])
    return (verified / counted if counted else 0.0), verdicts


def _reward_answer(answer):
    if answer["type"] != "quantity":
        return None
    unit = unit_or_none(answer["unit"])
    value = as_double(answer["value"])
    return None if unit is None or value in (float("inf"), float("-inf")) else Value(value, unit)


def _reward_found(findings, steps, given, answer, submitted, language):
    """By step, whether it was met or had more candidates than there are steps of its kind; None if there were too many findings."""
    if findings is None:
        return None
    own = None if submitted is None else quantity_in(plain_answer(submitted), language)
    answers = [v for v in (answer, None if own == "unclear" else own) if v is not None]
    claims = [c for c in (_reward_claim(f, steps, given, answers) for f in findings) if c is not None]
    still_open = [step for step in steps if step.out is None]
    found = {}
    for step in still_open:
        rivals = [claim for claim in claims if step.concerns(claim[0])]
        if not any(step in meets for _, meets in rivals):
            continue
        peers = sum(1 for other in still_open if step.is_peer(other))
        found[id(step)] = "several_candidates" if _reward_candidates(rivals) > peers else "met"
    return found


def _reward_claim(finding, steps, given, answers):
    """What a finding claims, with the steps that it meets; None for what is no candidate."""
    meets = [step for step in steps if step.meets(finding)]
    if any(step.out is not None for step in meets):
        return None
    if not isinstance(finding, Value):
        return None if given.says(finding) else (finding, meets)
    if finding.digits < _REWARD_MIN_DIGITS or any(matches(finding, v) for v in given.values):
        return None
    return None if any(matches(finding, v) for v in answers) else (finding, meets)


def _reward_candidates(claims):
    """How many different things the claims say; what meets the same steps is one, and so are equal values or spellings."""
    met, others = set(), []
    for finding, meets in claims:
        if meets:
            met.add(tuple(step.target["id"] for step in meets))
        elif not any(_reward_same(other, finding) for other in others):
            others.append(finding)
    return len(met) + len(others)


def _reward_same(a, b):
    if isinstance(a, Value) or isinstance(b, Value):
        return isinstance(a, Value) and isinstance(b, Value) and matches(b, a)
    return _reward_spelling(a) == _reward_spelling(b)


def _reward_spelling(name):
    return "".join(m[0] for m in _REWARD_SPELT.all(fold(plain_answer(name))))


def _reward_verdict(step, steps, found):
    name = step.target["id"]
    if step.out is not None:
        return {"id": name, "verified": False, "why": step.out}
    if found is None:
        return {"id": name, "verified": False, "why": "too_many_findings"}
    own = found.get(id(step))
    if own != "met":
        return {"id": name, "verified": False, "why": own or "not_said"}
    rests = _reward_rests(step, steps, found, set())
    return {"id": name, "verified": rests, "why": "verified" if rests else "ancestor"}


def _reward_rests(step, steps, found, seen):
    """Whether a step's ancestors were all found; those that are left out were given, or cannot be asked for."""
    if step.target["id"] in seen:
        return True
    seen.add(step.target["id"])
    for name in step.target["depends_on"]:
        before = next((other for other in steps if other.target["id"] == name), None)
        if before is None:
            return False
        if not ((before.out is not None or found.get(id(before)) == "met") and _reward_rests(before, steps, found, seen)):
            return False
    return True
