"""Chat markup: the signs by which templates tell turns apart, and what of a decoded text the assistant said itself."""

from .jstext import points, trim, units
from .regex import Regex

# `<|im_start|>`, `<｜User｜>`: any special token of that shape. `<|turn>` and `<turn|>`, which open and close.
_MARKUP_TOKEN = r"<[|｜]([^|｜<>\s]{1,60})[|｜]>"
_MARKUP_HALF = r"<\|([a-z_]{1,20})>|<([a-z_]{1,20})\|>"
# Tags around what a tool answered, around what a tool is asked, around turns of Gemma.
_MARKUP_OBSERVED = "tool_response|tool_responses|tool_result|tool_results|function_response|function_results|tool_output|observation|information"
_MARKUP_CALLED = "tool_call|tool_calls|function_call|function_calls|｜DSML｜function_calls"
_MARKUP_TURNS = "start_of_turn|end_of_turn|start_function_response|end_function_response"
_MARKUP_THOUGHT = "think|thinking|thought|reasoning|reflection|scratchpad"
_MARKUP_ENDS = "s|bos|eos|pad|answer"
_MARKUP_BRACKETED = "INST|TOOL_RESULTS|TOOL_CALLS|TOOL_CONTENT|SYSTEM_PROMPT|AVAILABLE_TOOLS"
# Roles, which stay behind where special tokens are left out of a decoded text: on a line of their own, run together with the end of the
# turn before (Llama), or with the name of a channel (gpt-oss).
_MARKUP_ROLES = "user|assistant|system|tool|ipython|observation|developer|model"
_MARKUP_WORDS = (
    rf"(?<![^\n])(?:{_MARKUP_ROLES})(?![^\n])"
    r"|(?:ipython|assistant)(?=\n\n)|(?<=[.!?})\]" + r'"0-9])(?:user|tool)(?=\n\n)'
    r"|assistant(?=(?:analysis|commentary|final))"
)
_MARKUP_SIGNS = Regex(
    r"<(?=[|｜][^|｜<>\s]{1,60}[|｜]>)"
    r"|<(?=\|[a-z_]{1,20}>|[a-z_]{1,20}\|>)"
    rf"|<(?=/?(?:{_MARKUP_OBSERVED}|{_MARKUP_CALLED}|{_MARKUP_TURNS}|{_MARKUP_THOUGHT}|{_MARKUP_ENDS})>)"
    rf"|\[(?=/?(?:{_MARKUP_BRACKETED}|THINK)\])",
    "gi",
)
_MARKUP_ROLE_WORDS = Regex(_MARKUP_WORDS, "g")
# The forms in which an agent commits itself: in a page they are nobody's commitment.
_MARKUP_COMMITMENTS = Regex(
    r"(?<![^\n])([ \t]{0,8}(?:(?:[-*+•]|[0-9]{1,3}[.)])[ \t]{1,4})?[*_`]{0,3})(finding)(?=[ \t]{0,2}#?[0-9]{0,3}[*_`]{0,3}[ \t]{0,3}[:：\-–—])|(?<![\p{L}\p{N}[])(final answer)(?=[ \t]{0,3}[*_]{0,2}[ \t]?[:：=])",
    "giu",
)


def escape_markup(text):
    """Foreign text with its chat markup harmless and visible: `< |im_start|>`, `[ INST]`, a line `[assistant]`, `[Finding]: ...`."""
    text = _MARKUP_SIGNS.sub(lambda m: m[0] + " ", units(text))
    text = _MARKUP_ROLE_WORDS.sub(lambda m: f"[{m[0]}]", text)
    return points(_MARKUP_COMMITMENTS.sub(lambda m: f"[{m[3]}]" if m[2] is None else f"{m[1]}[{m[2]}]", text))


_MARKUP_MARKED = (
    rf"{_MARKUP_TOKEN}|{_MARKUP_HALF}|<(/?)({_MARKUP_OBSERVED}|{_MARKUP_CALLED}|{_MARKUP_TURNS})>|\[(/?)({_MARKUP_BRACKETED})\]|</s>|<eos>"
)
_MARKUP_MARKS = Regex(_MARKUP_MARKED, "g")
_MARKUP_PLAIN_MARKS = Regex(f"{_MARKUP_MARKED}|{_MARKUP_WORDS}", "g")
# Signs that name whose turn it is. Where one stands, words alone name nobody.
_MARKUP_TURN_SIGN = Regex(
    r"<[|｜](?:im_start|im_assistant|im_user|im_system|start_header_id|header_start|start|channel|user|assistant|observation|tool▁outputs▁begin|tool▁output▁begin|START_OF_TURN_TOKEN)[|｜]>|<\|turn>|<start_of_turn>|\[\/?(?:INST|TOOL_RESULTS)\]",
    "i",
)
_MARKUP_HEADER = Regex(r"[^\n<]{0,200}\n?", "y")
_MARKUP_OWN_HEADER = Regex(r"^(?:assistant|model)(?![A-Za-z0-9_])")
_MARKUP_CHANNEL = Regex(r"^(?:analysis|commentary to=|commentary|final)")
_MARKUP_GLUED_THOUGHT = Regex(r"^analysis[\s\S]*assistant(?:analysis|commentary|final)")
_MARKUP_SOMETHING = Regex(r"\S")

_MARKUP_NAMING = frozenset("im_start start_header_id header_start start".split())
_MARKUP_OWN = frozenset("assistant im_assistant chatbot_token".split())
_MARKUP_OTHERS = frozenset("user system observation tool developer function im_user im_system user_token system_token".split())
_MARKUP_ENDING = frozenset(
    "im_end eot_id eom_id eot eom end return call endoftext end_of_text end_of_sentence end_of_turn_token".split()
)
_MARKUP_OBSERVING = frozenset("tool_outputs_begin tool_output_begin start_tool_result tool_response".split())
_MARKUP_OBSERVED_ENDS = frozenset("tool_outputs_end tool_output_end end_tool_result".split())
_MARKUP_SILENT = frozenset(
    "tool_calls_begin tool_call_begin tool_calls_section_begin python_tag start_action start_thinking".split()
)
_MARKUP_SILENT_ENDS = frozenset(
    "tool_calls_end tool_call_end tool_calls_section_end end_action end_thinking start_response end_response".split()
)
_MARKUP_OBSERVED_TAGS = frozenset(_MARKUP_OBSERVED.split("|"))


def turns_in(text, plain):
    """The assistant's turns in a text (in units) that begins in one; a turn of calls or thoughts alone is an empty one.

    `plain`: whether roles may stand without their signs, as in a text decoded without special tokens.
    """
    bare = plain and not _MARKUP_TURN_SIGN.test(text)
    marks = _MARKUP_PLAIN_MARKS if bare else _MARKUP_MARKS
    reader = _MarkupReader(text, "silent" if bare and _MARKUP_GLUED_THOUGHT.test(text) else "assistant")
    for mark in marks.all(text):
        reader.at(mark)
    return reader.finished()


class _MarkupReader:
    """`whose` text it is: the assistant's words; its calls and hidden channels ("silent"); anybody else's ("other")."""

    def __init__(self, text, whose):
        self.text = text
        self.whose = whose
        self.speaker = "assistant"
        # Inside tags: what closes them, and whose text it was before.
        self.block = None
        self.turns = []
        self.said = []
        # Whether the turn has anything in it, if only calls.
        self.busy = False
        self.start = 0

    def at(self, mark):
        if mark.start() < self.start:
            return
        self.take(mark.start())
        self.start = mark.end()
        if mark[1] is not None:
            self.token(mark[1].lower().replace("▁", "_"))
        elif mark[2] is not None:
            self.opened(mark[2])
        elif mark[3] is not None:
            self.closed(mark[3])
        elif mark[5] is not None:
            self.tagged(mark[5], mark[4] == "/")
        elif mark[7] is not None:
            self.bracketed(mark[7], mark[6] == "/")
        elif mark[0] in ("</s>", "<eos>"):
            self.hand("other")
        elif self.block is None:
            self.word(mark[0])

    def finished(self):
        self.take(len(self.text))
        self.end_turn()
        return self.turns

    def take(self, to):
        if self.whose == "other" or to <= self.start:
            return
        piece = self.text[self.start : to]
        if self.whose == "assistant":
            self.said.append(piece)
        if not self.busy:
            self.busy = _MARKUP_SOMETHING.test(piece)

    def end_turn(self):
        if self.busy:
            self.turns.append("".join(self.said))
        self.said = []
        self.busy = False

    def hand(self, to):
        """The text is somebody's from here on; tags that were left open are closed."""
        self.whose = to
        self.block = None

    def begin(self, speaker):
        self.end_turn()
        self.speaker = speaker
        self.hand(speaker)

    def header(self):
        header = _MARKUP_HEADER.at(self.text, self.start)
        self.start = header.end()
        return trim(header[0])

    def named(self):
        header = self.header()
        own = _MARKUP_OWN_HEADER.test(header)
        self.begin("assistant" if own else "other")
        if own and "to=" in header:
            self.whose = "silent"

    def token(self, name):
        if name in _MARKUP_NAMING:
            self.named()
        elif name in _MARKUP_OWN:
            self.addressed("assistant", name)
        elif name in _MARKUP_OTHERS:
            self.addressed("other", name)
        elif name in _MARKUP_ENDING or name in _MARKUP_OBSERVING:
            self.hand("other")
        elif name in _MARKUP_OBSERVED_ENDS:
            self.begin("assistant")
        elif name in _MARKUP_SILENT:
            self.hand("silent")
        elif name in _MARKUP_SILENT_ENDS and self.speaker == "assistant":
            self.hand("assistant")
        elif name == "channel":
            self.channel(self.header())

    def addressed(self, speaker, name):
        # Kimi writes a name behind the role.
        if name.startswith("im_"):
            self.header()
        self.begin(speaker)

    def channel(self, name):
        """Channels of gpt-oss: what is final, or said on the way to nobody but the user, are words."""
        if self.speaker != "assistant":
            return
        spoken = name.startswith("final") or (name.startswith("commentary") and "to=" not in name)
        self.hand("assistant" if spoken and self.whose != "silent" else "silent")

    def opened(self, name):
        if name == "turn":
            self.named()
        elif name == "tool_response":
            self.hand("other")
        elif name in ("tool_call", "channel") and self.speaker == "assistant":
            self.hand("silent")

    def closed(self, name):
        if name == "turn":
            self.hand("other")
        elif name == "tool_response":
            self.begin("assistant")
        elif name in ("tool_call", "channel") and self.speaker == "assistant":
            self.hand("assistant")

    def tagged(self, tag, ends):
        if tag == "start_of_turn":
            self.named()
        elif tag in ("end_of_turn", "start_function_response"):
            self.hand("other")
        elif tag == "end_function_response":
            self.begin("assistant")
        elif ends:
            self.close(tag)
        elif self.block is None:
            self.open(tag)

    def open(self, tag):
        self.block = (tag, self.whose)
        if self.whose == "assistant":
            self.whose = "other" if tag in _MARKUP_OBSERVED_TAGS else "silent"

    def close(self, tag):
        if self.block is None or self.block[0] != tag:
            return
        before = self.block[1]
        if tag in _MARKUP_OBSERVED_TAGS and before == "assistant":
            self.begin("assistant")
        else:
            self.hand(before)

    def bracketed(self, name, ends):
        if name == "TOOL_CALLS":
            self.hand("silent")
        elif name == "TOOL_CONTENT":
            return
        elif ends and name in ("INST", "TOOL_RESULTS"):
            self.begin("assistant")
        else:
            self.hand("other")

    def word(self, role):
        """A role without signs around it."""
        own = role in ("assistant", "model") and self.text[max(0, self.start - len(role) - 3) : self.start - len(role)] != "to="
        self.begin("assistant" if own else "other")
        channel = _MARKUP_CHANNEL.search(self.text[self.start : self.start + 20])
        if not own or channel is None:
            return
        self.start += channel.end()
        if channel[0] not in ("final", "commentary"):
            self.whose = "silent"
