"""Loads exports of every target with the code that reads them, and prints what came of it.

Usage: exports.py EXPORTS TEMPLATES RESULT CONSUMER...

EXPORTS holds a folder per target, and expected.json: what the rows should be. TEMPLATES holds chat templates. RESULT is a file that gets a
JSON list of {consumer, version, loaded, rows, masked, result}. A consumer that is not installed is reported as skipped, with the reason.
No model, tokenizer or data set is fetched: the tokenizer is made here.
"""

import importlib
import importlib.metadata
import json
import os
import re
import sys
import traceback

EXPORTS, TEMPLATES, RESULT, *WANTED = sys.argv[1:]

with open(os.path.join(EXPORTS, "expected.json"), encoding="utf-8") as file:
    EXPECTED = json.load(file)


def at(target, name):
    return os.path.join(EXPORTS, target, name)


def lines(target, name):
    with open(at(target, name), encoding="utf-8") as file:
        return [json.loads(line) for line in file.read().split("\n") if line]


def template(name):
    with open(os.path.join(TEMPLATES, name + ".jinja"), encoding="utf-8") as file:
        return file.read()


def tokenizer(chat_template, more=()):
    """A byte-level tokenizer, trained on a few lines: it can write any text and read it back."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<pad>", *more]
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=special, initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator(["the assistant said what the tool found", '{"name": "search", "arguments": {"query": "x"}}'], trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|im_end|>", pad_token="<pad>", additional_special_tokens=special, chat_template=chat_template
    )


def runs(ids, learned):
    """Token ids of each unbroken stretch that is learned from."""
    out, open_run = [], False
    for token, flag in zip(ids, learned):
        if flag and not open_run:
            out.append([])
        if flag:
            out[-1].append(token)
        open_run = bool(flag)
    return out


def check_learned(texts, expected, where, reasoning=True):
    """Each learned stretch is one assistant message: its text, its calls, and nobody else's words."""
    assert len(texts) == len(expected), (where, len(texts), len(expected))
    for text, message in zip(texts, expected):
        assert message["content"].strip() in text, (where, message["content"][:80], text[:200])
        for call in message["calls"]:
            assert call["name"] in text, (where, call, text[:200])
            for value in call["args"].values():
                shown = json.dumps(value, ensure_ascii=False).strip('"') if isinstance(value, str) else str(value)
                assert shown in text or str(value) in text, (where, value, text[:300])
            assert '\\"%s\\"' % next(iter(call["args"])) not in text, (where, "double-encoded", text[:300])
        if reasoning and message["reasoning"]:
            assert message["reasoning"].strip() in text, (where, "reasoning", text[:200])
        assert "<tool_response>" not in text and "observed: " not in text, (where, text[:200])
        own = message["content"] + (message["reasoning"] or "") + json.dumps(message["calls"], ensure_ascii=False)
        for word in ("null", "None"):
            assert text.count(word) <= own.count(word), (where, word, text[:300])


def rows_of(split="train"):
    return [row for row in EXPECTED["sft"] if row["split"] == split]


def learned_of(row):
    return [m for m in row["messages"] if m["role"] == "assistant" and m["loss"]]


def version(name):
    return importlib.metadata.version(name)


# --- libraries that everybody loads with -------------------------------------------------------------------------------------


def consume_pyarrow():
    import pyarrow.parquet

    total = 0
    for target in ("verl-rl", "verl-sft", "trl-grpo", "openrlhf-rl", "open-instruct"):
        schemas = set()
        for split, count in EXPECTED["rows"][target].items():
            file = pyarrow.parquet.ParquetFile(at(target, split + ".parquet"))
            assert file.metadata.num_rows == count, (target, split)
            groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
            assert all(group.total_byte_size <= 100 << 20 for group in groups), target
            schemas.add(str(file.schema_arrow))
            total += file.read().num_rows
        # Every shard has the one declared schema, whatever its rows hold.
        assert len(schemas) == 1, (target, schemas)
    return version("pyarrow"), "Parquet of 5 targets", total, None


def consume_pandas():
    import pandas

    frame = pandas.read_parquet(at("verl-sft", "train.parquet"))
    for messages, row in zip(frame["messages"], rows_of()):
        assert messages[1]["content"] == row["messages"][1]["content"]
    slime = pandas.read_json(at("slime", "train.jsonl"), lines=True, dtype={"label": str})
    assert all(isinstance(label, str) and json.loads(label)["answer"] for label in slime["label"])
    assert [m["task_id"] for m in slime["metadata"]] == ["task " + t for t in EXPECTED["rl"]["train"]]
    return version("pandas"), "verl-sft, and slime as slime reads it", len(frame) + len(slime), None


def consume_datasets():
    import datasets

    total = 0
    for target, splits in EXPECTED["rows"].items():
        if target == "hub":
            continue
        loaded = datasets.load_dataset(os.path.join(EXPORTS, target))
        assert {split: len(rows) for split, rows in loaded.items()} == splits, target
        total += sum(splits.values())
    # As it is written: no null where a message lacks a member, no argument of another tool.
    train = datasets.load_dataset(os.path.join(EXPORTS, "trl-sft"), split="train")
    assert [row["prompt"] + row["completion"] for row in train] == [
        row["prompt"] + row["completion"] for row in lines("trl-sft", "train.jsonl")
    ]
    hub = datasets.load_dataset("parquet", data_files=os.path.join(EXPORTS, "hub", "pools", "sft.parquet"), split="train")
    assert len(hub) == len(EXPECTED["sft"])
    return version("datasets"), "%d exports by folder, trl-sft row for row" % (len(EXPECTED["rows"]) - 1), total, None


# --- trainers ----------------------------------------------------------------------------------------------------------------


def consume_trl():
    import datasets
    import tempfile
    from transformers import Qwen3Config, Qwen3ForCausalLM
    from trl import SFTConfig, SFTTrainer

    masked = 0
    rows = rows_of()
    for family in ("qwen3_training", "qwen2_5_training"):
        tok = tokenizer(template(family))
        config = Qwen3Config(
            vocab_size=len(tok), hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1, num_key_value_heads=1, head_dim=8
        )
        train = datasets.load_dataset(os.path.join(EXPORTS, "trl-sft"), split="train")
        args = SFTConfig(
            output_dir=tempfile.mkdtemp(), assistant_only_loss=True, completion_only_loss=True, max_length=None, report_to="none", use_cpu=True, bf16=False
        )
        trainer = SFTTrainer(model=Qwen3ForCausalLM(config), train_dataset=train, processing_class=tok, args=args)
        prepared = trainer.train_dataset
        assert len(prepared) == len(rows)
        for item, row in zip(prepared, rows):
            flags = learned_flags(item)
            texts = [tok.decode(run) for run in runs(item["input_ids"], flags)]
            check_learned(texts, learned_of(row), "trl %s %s" % (family, row["rollout"]), reasoning=family.startswith("qwen3"))
            masked += sum(flags)
    return version("trl"), "trl-sft through SFTTrainer, assistant_only_loss, templates qwen3 and qwen2.5", len(rows), masked


def learned_flags(item):
    """Whichever columns this version of TRL keeps its masks in."""
    if "labels" in item:
        return [label != -100 for label in item["labels"]]
    masks = [item[name] for name in ("completion_mask", "assistant_masks") if name in item]
    assert len(masks) == 2, list(item)
    return [all(flags) for flags in zip(*masks)]


def consume_trl_grpo():
    import datasets

    train = datasets.load_dataset("parquet", data_files=at("trl-grpo", "train.parquet"), split="train")
    sys.path.insert(0, os.path.join(EXPORTS, "trl-grpo"))
    reward = importlib.import_module("taskmill_reward").reward
    right = [EXPECTED["answers"][row["task_id"]] for row in train]
    completions = [[{"role": "assistant", "content": "Final answer: " + answer}] for answer in right]
    columns = {name: list(train[name]) for name in train.column_names if name != "prompt"}
    scores = reward(prompts=list(train["prompt"]), completions=completions, completion_ids=[[0]] * len(train), **columns)
    assert scores == [1.0] * len(train), scores
    wrong = [[{"role": "assistant", "content": "I cannot say."}]] * len(train)
    assert reward(prompts=list(train["prompt"]), completions=wrong, completion_ids=[[0]] * len(train), **columns) == [0.0] * len(train)
    return version("trl"), "trl-grpo: columns into the reward function, right and wrong answers scored", len(train), None


def consume_verl_rl():
    from omegaconf import OmegaConf
    from verl.utils.dataset.rl_dataset import RLHFDataset

    tok = tokenizer(template("qwen2_5"))
    config = OmegaConf.create({"max_prompt_length": 100000, "filter_overlong_prompts": True, "filter_overlong_prompts_workers": 1})
    data = RLHFDataset([at("verl-rl", "train.parquet"), at("verl-rl", "validation.parquet")], tok, config)
    count = EXPECTED["rows"]["verl-rl"]["train"] + EXPECTED["rows"]["verl-rl"]["validation"]
    assert len(data) == count
    sys.path.insert(0, os.path.join(EXPORTS, "verl-rl"))
    compute_score = importlib.import_module("taskmill_reward").compute_score
    for i in range(len(data)):
        item = data[i]
        assert item["raw_prompt"][-1]["role"] == "user" and item["tools_kwargs"] == {}
        answer = EXPECTED["answers"][item["extra_info"]["task_id"]]
        solution = "<|im_start|>assistant\nFinal answer: %s<|im_end|>" % answer
        result = compute_score(item["data_source"], solution, item["reward_model"]["ground_truth"], extra_info=item["extra_info"])
        assert result["acc"] == 1 and result["score"] == 1, (answer, result)
    return version("verl"), "verl-rl through RLHFDataset, right answers scored by compute_score", len(data), None


def consume_verl_sft():
    from omegaconf import OmegaConf
    from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset

    tok = tokenizer(template("qwen2_5"))
    config = OmegaConf.create({"max_length": 1000000, "truncation": "error", "pad_mode": "no_padding", "ignore_input_ids_mismatch": False})
    data = MultiTurnSFTDataset(at("verl-sft", "train.parquet"), tok, config)
    rows, masked = rows_of(), 0
    assert len(data) == len(rows)
    for i, row in enumerate(rows):
        item = data[i]
        flags = [bool(flag) for flag in item["loss_mask"].tolist()]
        texts = [tok.decode(run) for run in runs(item["input_ids"].tolist(), flags)]
        check_learned(texts, [m for m in row["messages"] if m["role"] == "assistant"], "verl " + row["rollout"])
        masked += sum(flags)
    return version("verl"), "verl-sft through MultiTurnSFTDataset, with its own check of parts against the whole", len(rows), masked


def consume_openrlhf():
    from types import SimpleNamespace

    import datasets
    from openrlhf.datasets.prompts_dataset import PromptDataset
    from openrlhf.datasets.sft_dataset import SFTDataset

    tok = tokenizer(template("qwen2_5"))

    def strategy(**data):
        return SimpleNamespace(args=SimpleNamespace(data=SimpleNamespace(apply_chat_template=True, **data)), is_rank_0=lambda: False)

    train = datasets.load_dataset("json", data_files=at("openrlhf-sft", "train.jsonl"), split="train")
    data = SFTDataset(train, tok, 1000000, strategy(input_key="messages"), num_processors=1, multiturn=True)
    rows, masked = rows_of(), 0
    assert len(data) == len(rows)
    for i, row in enumerate(rows):
        ids, _attention, loss_mask = data[i][:3]
        flags = [bool(flag) for flag in loss_mask.flatten().tolist()]
        # Its mask is shifted by one: a flag stands at the token before the one that is predicted.
        texts = [tok.decode(run) for run in runs(ids.flatten().tolist()[1:], flags[:-1])]
        check_learned(texts, [m for m in row["messages"] if m["role"] == "assistant"], "openrlhf " + row["rollout"])
        masked += sum(flags)
    prompts = datasets.load_dataset("parquet", data_files=at("openrlhf-rl", "train.parquet"), split="train")
    loaded = PromptDataset(prompts, tok, strategy(input_key="input", label_key="label"))
    sys.path.insert(0, os.path.join(EXPORTS, "openrlhf-rl"))
    reward_func = importlib.import_module("taskmill_reward").reward_func
    items = [loaded[i] for i in range(len(loaded))]
    answers = [EXPECTED["answers"][task] for task in EXPECTED["rl"]["train"]]
    queries = [prompt + "Final answer: %s<|im_end|>" % answer for (_, prompt, _, _), answer in zip(items, answers)]
    result = reward_func(queries, [item[1] for item in items], [item[2] for item in items])
    assert [float(score) for score in result["scores"]] == [1.0] * len(items), result
    return version("openrlhf"), "openrlhf-sft through SFTDataset (multiturn), openrlhf-rl through PromptDataset and reward_func", len(rows) + len(items), masked


def consume_axolotl():
    from axolotl.prompt_strategies.chat_template import ChatTemplatePrompter, ChatTemplateStrategy

    tok = tokenizer(template("qwen3"))
    prompter = ChatTemplatePrompter(
        tok,
        chat_template=template("qwen3"),
        message_field_training="train",
        message_property_mappings={"role": "role", "content": "content", "reasoning_content": "reasoning_content"},
    )
    strategy = ChatTemplateStrategy(prompter, tok, False, 1000000, roles_to_train=[], train_on_eos="turn")
    import datasets

    rows, masked = rows_of(), 0
    train = datasets.load_dataset("json", data_files=at("axolotl", "train.jsonl"), split="train")
    for item, row in zip(train, rows):
        out = strategy.tokenize_prompt(item)
        flags = [label != -100 for label in out["labels"]]
        texts = [tok.decode(run) for run in runs(out["input_ids"], flags)]
        check_learned(texts, learned_of(row), "axolotl " + row["rollout"])
        masked += sum(flags)
    return version("axolotl"), "axolotl through ChatTemplateStrategy, message_field_training", len(rows), masked


def consume_llama_factory():
    from types import SimpleNamespace

    import datasets
    from llamafactory.data.converter import get_dataset_converter
    from llamafactory.data.parser import DatasetAttr
    from llamafactory.data.template import TEMPLATES

    with open(at("llama-factory", "dataset_info.json"), encoding="utf-8") as file:
        info = json.load(file)["sample_train"]
    attr = DatasetAttr("file", dataset_name=info["file_name"])
    attr.join(info)
    convert = get_dataset_converter(info["formatting"], attr, SimpleNamespace(media_dir="."))
    tok = tokenizer(template("qwen2_5"))
    rows, masked = rows_of(), 0
    train = datasets.load_dataset("json", data_files=at("llama-factory", "train.jsonl"), split="train")
    for item, row in zip(train, rows):
        made = convert(item)
        assert made["_prompt"] and made["_response"], row["rollout"]
        pairs = TEMPLATES["qwen"].encode_multiturn(tok, made["_prompt"] + made["_response"], made["_system"], made["_tools"])
        check_learned([tok.decode(answer) for _, answer in pairs], [m for m in row["messages"] if m["role"] == "assistant"], "llama-factory " + row["rollout"])
        masked += sum(len(answer) for _, answer in pairs)
        # What it makes of the row is what the model's own template makes of the structured form.
        whole = "".join(tok.decode(part) for pair in pairs for part in pair)
        assert [m["content"].strip() in whole for m in row["messages"]] == [True] * len(row["messages"]), row["rollout"]
    return version("llamafactory"), "llama-factory through its sharegpt converter and template qwen", len(rows), masked


def consume_ms_swift():
    import datasets
    from swift.dataset.preprocessor.core import MessagesPreprocessor

    rows = rows_of()
    train = datasets.load_dataset("json", data_files=at("ms-swift", "train.jsonl"), split="train")
    preprocess = MessagesPreprocessor()
    for item, row in zip(train, rows):
        made = preprocess.preprocess(dict(item))
        said = [m for m in made["messages"] if m["role"] in ("assistant", "tool_call")]
        wanted = []
        for message in row["messages"]:
            if message["role"] != "assistant":
                continue
            text = ("<think>\n%s\n</think>\n\n" % message["reasoning"] if message["reasoning"] else "") + message["content"]
            if text or not message["calls"]:
                wanted.append(("assistant", text, message["loss"]))
            wanted += [("tool_call", {"name": c["name"], "arguments": c["args"]}, message["loss"]) for c in message["calls"]]
        found = [(m["role"], json.loads(m["content"]) if m["role"] == "tool_call" and isinstance(m["content"], str) else m["content"], m.get("loss")) for m in said]
        assert found == wanted, (row["rollout"], found[:2], wanted[:2])
        assert json.loads(item["tools"]) == EXPECTED["tools"]
    return version("ms-swift"), "ms-swift through MessagesPreprocessor: messages, calls and loss flags", len(rows), None


def consume_verifiers():
    import verifiers

    sys.path.insert(0, os.path.join(EXPORTS, "verifiers"))

    def search(query: str) -> str:
        """Searches."""
        return query

    env = verifiers.load_environment("taskmill-sample", tools=[search])
    data = env.get_dataset()
    module = importlib.import_module("taskmill_sample")
    for row in data:
        info = row["info"] if isinstance(row["info"], dict) else json.loads(row["info"])
        answer = EXPECTED["answers"][info["task_id"]]
        completion = [{"role": "assistant", "content": "Final answer: " + answer}]
        assert module.score(completion, row["answer"]) == 1 and module.acc(completion, row["answer"]) == 1
        echo = [{"role": "tool", "content": "Final answer: " + answer}, {"role": "assistant", "content": "I give up."}]
        assert module.score(echo, row["answer"]) == 0
    assert len(data) == EXPECTED["rows"]["verifiers"]["train"]
    return version("verifiers"), "verifiers: load_environment, ToolEnv, rubric on right and wrong answers", len(data), None


def consume_renderers():
    """prime-rl renders with this package; its own loader parses arguments and tools as here."""
    from renderers import Qwen3RendererConfig
    from renderers.base import build_training_sample, create_renderer

    marks = [mark % name for name in ("tool_call", "tool_response", "think") for mark in ("<%s>", "</%s>")]
    tok = tokenizer(template("qwen3"), marks)
    renderer = create_renderer(tok, Qwen3RendererConfig())
    rows, masked = rows_of(), 0
    for item, row in zip(lines("prime-rl", "train.jsonl"), rows):
        for message in item["messages"]:
            for call in message.get("tool_calls", []):
                call["function"]["arguments"] = json.loads(call["function"]["arguments"])
        sample = build_training_sample(renderer, item["messages"], role_to_mask=lambda message: message["role"] == "assistant", tools=json.loads(item["tools"]))
        texts = [tok.decode(run) for run in runs(sample.token_ids, sample.loss_mask)]
        check_learned(texts, [m for m in row["messages"] if m["role"] == "assistant"], "prime-rl " + row["rollout"])
        masked += sum(bool(flag) for flag in sample.loss_mask)
    return version("renderers"), "prime-rl rows through renderers.build_training_sample", len(rows), masked


CONSUMERS = {name[8:].replace("_", "-"): value for name, value in globals().items() if name.startswith("consume_")}


def main():
    results = []
    for name in WANTED or CONSUMERS:
        entry = {"consumer": name, "version": None, "loaded": None, "rows": 0, "masked": None}
        try:
            entry["version"], entry["loaded"], entry["rows"], entry["masked"] = CONSUMERS[name]()
            entry["result"] = "ok"
        except ImportError as error:
            entry["result"] = "skipped: " + str(error).split("\n")[0]
        except Exception as error:
            traceback.print_exc()
            entry["result"] = "failed: %s: %s" % (type(error).__name__, re.sub(r"\s+", " ", str(error))[:300])
        results.append(entry)
    with open(RESULT, "w", encoding="utf-8") as file:
        json.dump(results, file)


main()
