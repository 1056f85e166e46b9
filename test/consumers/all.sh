#!/usr/bin/env bash
# Loads every export with the trainers' own code: `npm run consumers`. Needs Python 3.11 and pip; takes several GB for PyTorch, so the
# environments are kept in a folder (TASKMILL_CONSUMERS_DIR, or one that is deleted afterwards). What cannot be installed is skipped, with
# the reason in the table. Trainers pin each other's libraries apart: each set gets an environment, and trainers whose pins cannot be met on
# a machine without a GPU are installed without their dependencies, as only their data code is run.
set -uo pipefail
cd "$(dirname "$0")/../.."

if [ -n "${TASKMILL_CONSUMERS_DIR:-}" ]; then
  home=$TASKMILL_CONSUMERS_DIR
  mkdir -p "$home"
else
  home=$(mktemp -d)
  trap 'rm -rf "$home"' EXIT
fi
failed=0

# run NAME CONSUMERS PIP-ARGUMENTS [-- PIP-ARGUMENTS-WITHOUT-DEPENDENCIES]
run() {
  local name=$1 consumers=$2
  shift 2
  local with=() without=()
  while [ $# -gt 0 ] && [ "$1" != -- ]; do with+=("$1"); shift; done
  [ $# -gt 0 ] && shift && without=("$@")
  local venv="$home/$name"
  if [ ! -f "$venv/installed" ]; then
    python3 -m venv "$venv" &&
      "$venv/bin/pip" install -q "${with[@]}" &&
      { [ ${#without[@]} -eq 0 ] || "$venv/bin/pip" install -q --no-deps "${without[@]}"; } &&
      touch "$venv/installed"
  fi
  if [ ! -f "$venv/installed" ]; then
    echo "skipped $consumers: pip could not install $name"
    return
  fi
  TASKMILL_PYTHON="$venv/bin/python" TASKMILL_CONSUMERS=$consumers npx vitest run test/consumers/exports.test.ts || failed=1
}

run trainers trl,trl-grpo,verl-rl,openrlhf,axolotl,llama-factory,ms-swift,renderers \
  torch==2.15.0 datasets==5.2.0 trl==1.16.0 transformers==5.24.0 tensordict omegaconf codetiming hydra-core pylatexenc torchdata \
  accelerate peft cachetools ray Pillow torchvision torchaudio av librosa loguru fire addict colorama optree modelscope aiohttp httpx openai json_repair \
  renderers==0.1.12 pandas pyarrow \
  -- verl==0.9.1 openrlhf==0.11.2 axolotl==0.19.0 llamafactory==0.9.5 ms-swift==4.6.0
# It imports names that Transformers 5 no longer has.
run transformers4 verl-sft \
  torch==2.15.0 datasets==4.4.1 transformers==4.57.6 tensordict omegaconf codetiming hydra-core torchdata accelerate peft cachetools ray \
  Pillow pandas pyarrow \
  -- verl==0.9.1
run verifiers verifiers verifiers==0.1.14
exit $failed
