# Two commands do everything on a fresh machine: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
# Whoever chooses tests by ARGS may choose none of one half; pytest calls that 5.
NONE_IS_WELL = $(if $(ARGS),|| [ $$? -eq 5 ])
# The newest thing that must be younger than what it was made from.
READY := $(VENV)/.ready

.PHONY: demo test test-mail bench lint types catalogue clean

demo: $(READY)
	@$(BIN)/pbem demo $(ARGS)

test: $(READY)
	@$(BIN)/python -m pytest -n 2 --dist worksteal --ignore=tests/servers $(ARGS) $(NONE_IS_WELL)
	@$(MAKE) --no-print-directory test-mail

# With real mail servers. Without them it skips its tests, and says what to install.
test-mail: $(READY)
	@$(BIN)/python -m tests.servers
	@$(BIN)/python -m pytest -n 2 --dist worksteal tests/servers $(ARGS) $(NONE_IS_WELL)

bench: $(READY)
	@$(BIN)/python -m tests.bench $(ARGS)

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/python -m tests.types

catalogue: $(READY)
	@$(BIN)/python -m tests.catalogue

$(READY): constraints.txt pyproject.toml
	@echo "Making $(VENV) (once; about half a minute)"
	@if command -v uv >/dev/null 2>&1; then \
		uv venv -q --clear --python $(PYTHON) $(VENV) && \
		uv pip install -q --python $(BIN)/python --require-hashes -r constraints.txt && \
		uv pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e . ; \
	else \
		$(PYTHON) -m venv $(VENV) && \
		$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r constraints.txt && \
		$(BIN)/pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . ; \
	fi > install.log 2>&1 || { cat install.log; exit 1; }
	@rm -f install.log
	@touch $(READY)

clean:
	rm -rf $(VENV) .types build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
