# Quarterdeck: `make run` opens the console with a mission under way; `make test` runs everything CI runs.
# Each target sets up what it needs, in .venv alone, and is quick the second time.

SHELL   := /bin/bash
PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
LOCKED  := $(VENV)/.locked
READY   := $(VENV)/.ready
MISSION ?= recycling-dn14
# A module stays on one worker, for what it starts once: a long one is best split in two. The order is ours:
# tests/support/longest_first.py. More workers than cores, as many tests wait for a process or a browser.
WORKERS ?= 3

is_written = test -f tests/$@/__main__.py || { echo "make $@: tests/$@/__main__.py is not written yet" >&2; exit 1; }

# More BLAS threads than cores cost far more than they bring.
export OPENBLAS_NUM_THREADS ?= 1
# Each process compiled all it imports anew where an environment sets this: half a second to a second each.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test lint bench shots mutants lock setup ros browser gl clean

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'

run: setup  ## set up, then open the console with a mission under way
	$(BIN)/quarterdeck serve --open --start $(MISSION)

test: setup ros browser gl lint  ## lint, then every test
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadscope --no-loadscope-reorder $(ARGS)

lint: setup  ## ruff, mypy --strict and the import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup  ## measure, and print the numbers the docs quote
	@$(call is_written)
	$(BIN)/python -m tests.bench $(ARGS)

shots: setup browser  ## photograph each page for docs/pictures
	@$(call is_written)
	$(BIN)/python -m tests.shots $(ARGS)

mutants: setup  ## disarm each safety rule in turn; its test must notice
	$(BIN)/python -m tests.mutants $(ARGS)

lock: $(BIN)/uv  ## resolve pyproject.toml into requirements.lock again
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header \
	  --group dev pyproject.toml -o requirements.lock

setup: $(READY)  ## the virtual environment, exactly as locked

ros: setup  ## Debian's ROS 1 packages for the ROS tests, into .venv alone
	$(BIN)/quarterdeck ros install

browser:  ## Chromium for the browser tests
	@bash tests/support/ensure-chromium.sh

gl: setup  ## EGL for the tests of the arena's pictures
	@bash tests/support/ensure-gl.sh $(BIN)/python

clean:  ## remove the environment and all caches, keep var/
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(READY): $(LOCKED) pyproject.toml hatch_build.py
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

$(LOCKED): requirements.lock | $(BIN)/uv
	$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	@touch $@

$(BIN)/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo \
	  "Quarterdeck needs Python 3.11 or newer, and $(PYTHON) is older or missing. Name another: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo \
	  "Python's venv module is missing. Run: sudo apt-get install -y python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet 'uv>=0.13,<0.14'
