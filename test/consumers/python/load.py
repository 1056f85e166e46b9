"""Loads a dataset directory the way trainers do: pyarrow, pandas, datasets by config and split, verl's access to RL rows.

Usage: load.py DIR, where DIR holds pools/, README.md and expected.json. Prints versions and "all loaded".
"""

import json
import os
import sys

import datasets
import pandas
import pyarrow
import pyarrow.ipc
import pyarrow.parquet

directory = sys.argv[1]
with open(os.path.join(directory, "expected.json")) as file:
    expected = json.load(file)
rows = expected["rows"]


def at(name):
    return os.path.join(directory, "pools", name)


# pyarrow: Parquet and IPC hold the same table, with the declared nullability.
for pool in ("tasks", "rl", "sft"):
    parquet = pyarrow.parquet.read_table(at(pool + ".parquet"))
    arrow = pyarrow.ipc.open_file(at(pool + ".arrow")).read_all()
    assert parquet.schema.equals(arrow.schema), (parquet.schema, arrow.schema)
    assert parquet.equals(arrow), pool
tasks = pyarrow.parquet.read_table(at("tasks.parquet")).to_pylist()
assert [t["task_id"] for t in tasks] == [r["id"] for r in rows]
for task, row in zip(tasks, rows):
    assert task["hidden_answer"]["value"] == row["answer"]["value"]
    assert task["hidden_chain"] == row["chain"]
    assert json.loads(task["hidden_program"]) == row["program"]

# pandas: filters on scalar columns.
frame = pandas.read_parquet(at("tasks.parquet"))
assert frame.groupby("split").size().to_dict() == expected["splits"]
assert frame["answer_digits"].dtype == "int64"

# datasets, through the card: features as declared, splits as counted, the same in streaming.
for pool in ("tasks", "rl"):
    loaded = datasets.load_dataset(directory, pool)
    schema = pyarrow.parquet.read_schema(at(pool + ".parquet"))
    for split, count in expected["splits"].items():
        assert len(loaded[split]) == count, (pool, split, len(loaded[split]))
        assert list(loaded[split].features) == schema.names, pool
assert datasets.get_dataset_config_names(directory) == ["tasks", "rl"]  # sft is empty: nothing for `datasets` to load
assert pyarrow.parquet.read_table(at("sft.parquet")).num_rows == 0
train = datasets.load_dataset(directory, "tasks", split="train")
assert [t["question"] for t in train] == [r["question"] for r in rows if r["split"] == "train"]
streamed = datasets.load_dataset(directory, "rl", split="test", streaming=True)
assert [r["task_id"] for r in streamed] == [r["id"] for r in rows if r["split"] == "test"]

# Without the card, as verl does: files by path, one type for ground_truth, all files concatenated.
files = [at("rl/%s-00000-of-00001.parquet" % split) for split in ("train", "validation")]
parts = [datasets.load_dataset("parquet", data_files=file)["train"] for file in files]
frame = datasets.concatenate_datasets(parts)
for item in frame:
    messages = item["prompt"]
    assert [m["role"] for m in messages] == ["user"] and isinstance(messages[0]["content"], str)
    assert item["reward_model"]["style"] == "rule"
    truth = json.loads(item["reward_model"]["ground_truth"])
    assert float(truth["answer"]["value"]) == item["reward"]["value"]
    assert truth["chain"] == json.loads(item["reward"]["chain"])
    assert item["extra_info"]["need_tools_kwargs"] is False and isinstance(item["extra_info"]["index"], int)

print("datasets", datasets.__version__, "pyarrow", pyarrow.__version__, "pandas", pandas.__version__)
print("all loaded")
