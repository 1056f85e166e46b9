"""The answer verifier and the reward of Taskmill in Python: standard library only, the same verdicts as the TypeScript verifier.

Modules use relative imports of names (`from .regex import Regex`, no aliases), and names at the top of a module are unique in the whole
package: `join.ts` puts the modules into one file. Texts are in UTF-16 units (see jstext.py), patterns are JavaScript's (see regex.py).
"""

from .grade import grade_answer
from .markup import escape_markup
from .reply import grade_reply
from .reward import score_conversation, score_text
from .signatures import compute_score, reward, reward_func, taskmill_acc, taskmill_progress, taskmill_score

__all__ = [
    "compute_score",
    "escape_markup",
    "grade_answer",
    "grade_reply",
    "reward",
    "reward_func",
    "score_conversation",
    "score_text",
    "taskmill_acc",
    "taskmill_progress",
    "taskmill_score",
]
