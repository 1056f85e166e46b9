"""The reward as trainers call it. Ground truth is what the pool's `reward_model.ground_truth` holds: JSON text."""

import json
import sys

from .reward import score_conversation, score_text

_signatures_truths = {}


def ground_truth_of(text):
    """A ground truth as a dict; a group's samples share one."""
    if isinstance(text, dict):
        return text
    if text not in _signatures_truths:
        if len(_signatures_truths) >= 1000:
            _signatures_truths.clear()
        _signatures_truths[text] = json.loads(text)
    return _signatures_truths[text]


def score_said(said, ground_truth):
    """Scores what there is of a rollout: one decoded text, or its messages."""
    truth = ground_truth_of(ground_truth)
    if isinstance(said, str):
        return score_text(said, truth)
    return score_conversation([_signatures_message(message) for message in said], truth)


def _signatures_message(message):
    """A message as a dict: some trainers have objects of their own."""
    if isinstance(message, dict):
        return message
    return {"role": getattr(message, "role", None), "content": getattr(message, "content", None)}


def compute_score(data_source, solution_str, ground_truth, extra_info=None, **kwargs):
    """verl, slime and others: {"score", "acc", "progress", "answered"}. Filter groups by `acc`: one that is all wrong can still differ
    in score. `solution_str` is the decoded response with what tools answered in it, or a list of messages."""
    scored = score_said(solution_str, ground_truth)
    return {key: scored[key] for key in ("score", "acc", "progress", "answered")}


def reward(prompts=None, completions=(), completion_ids=None, **columns):
    """TRL: one score for each completion; None for a row of another dataset, which has no ground truth of ours.

    Looks for it in the columns `ground_truth` and `reward_model`.
    """
    truths = columns.get("ground_truth")
    if truths is None:
        models = columns.get("reward_model") or [None] * len(completions)
        truths = [None if model is None else model.get("ground_truth") for model in models]
    return [None if truth is None else score_said(said, truth)["score"] for said, truth in zip(completions, truths)]


def reward_func(queries, prompts, labels, **kwargs):
    """OpenRLHF: `rewards` for training, `scores` (correctness alone, 0 or 1) for dynamic filtering, `extra_logs`.

    `queries` are prompts with their responses. Lists, or tensors where torch is loaded.
    """
    scored = [score_said(_signatures_response(q, p), truth) for q, p, truth in zip(queries, prompts, labels)]
    logs = {key: _signatures_tensor([float(s[key]) for s in scored]) for key in ("acc", "progress", "answered")}
    return {
        "rewards": _signatures_tensor([s["score"] for s in scored]),
        "scores": _signatures_tensor([float(s["acc"]) for s in scored]),
        "extra_logs": logs,
    }


def _signatures_response(query, prompt):
    return query[len(prompt) :] if isinstance(prompt, str) and query.startswith(prompt) else query


def _signatures_tensor(values):
    torch = sys.modules.get("torch")
    return values if torch is None else torch.tensor(values, dtype=torch.float32)


def taskmill_score(completion, answer="", info=None, **kwargs):
    """`verifiers`: the reward of a rollout. Ground truth stands in `answer`, or in `info` under `ground_truth`."""
    return score_said(completion, _signatures_truth(answer, info))["score"]


def taskmill_acc(completion, answer="", info=None, **kwargs):
    """`verifiers`: whether the answer is right, as a metric of weight 0."""
    return float(score_said(completion, _signatures_truth(answer, info))["acc"])


def taskmill_progress(completion, answer="", info=None, **kwargs):
    """`verifiers`: the share of the chain that was found, as a metric of weight 0."""
    return score_said(completion, _signatures_truth(answer, info))["progress"]


def _signatures_truth(answer, info):
    if answer:
        return answer
    return (json.loads(info) if isinstance(info, str) else info)["ground_truth"]
