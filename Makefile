# Two commands do all the set-up on a machine that has only Python and make:
#   make audit   settle the claims of the literature and print their verdicts
#   make test    lint, types and tests
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
JOBS   ?= 2

.PHONY: audit test lint types verdicts notebooks notebooks-check notebook-export benchmarks report browser latex lemmas campaign clean help

help:
	@sed -n 's/^#   //p' Makefile

audit: $(READY)
	$(BIN)/symdp audit --jobs $(JOBS) --out build/certificates

test: $(READY) lint types
	$(BIN)/pytest -n $(JOBS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: $(READY)
	$(BIN)/mypy

#   make notebooks    write and run the notebooks
notebooks: $(READY)
	$(BIN)/symdp notebook --execute --out notebooks

#   make notebooks-check   run them from clean kernels; fails where a stored one shows something else
notebooks-check: $(READY)
	$(BIN)/symdp notebook --check --out notebooks

#   make notebook-export   the notebooks as pages and papers, beside them (PDF needs pandoc and xelatex)
notebook-export: $(READY)
	$(BIN)/symdp notebook --to html,pdf --out notebooks

#   make benchmarks   what is measured: imports, the prover, composition, their peers
benchmarks: $(READY)
	$(BIN)/python benchmarks/imports.py
	$(BIN)/python benchmarks/prover.py
	$(BIN)/python benchmarks/accounting.py

#   make report       the audit as one page, build/audit.html
report: $(READY)
	$(BIN)/symdp report -o build/audit.html --jobs $(JOBS)

#   make browser      look at the audit page in chromium (Debian's package, as root)
browser: $(READY)
	command -v chromium >/dev/null || (apt-get update -q && apt-get install -yq chromium)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[browser]'
	$(BIN)/pytest tests/browser

#   make latex        compile every statement with TeX (Debian's packages, as root), pages to build/pages
latex: $(READY)
	command -v pdflatex pdftoppm bibtex >/dev/null || (apt-get update -q && \
		apt-get install -yq --no-install-recommends texlive-latex-base texlive-latex-recommended texlive-fonts-recommended poppler-utils)
	SYMDP_PRESS=1 $(BIN)/pytest -n $(JOBS) tests/press tests/test_latex.py

#   make lemmas       find the proofs of the lemmas anew
lemmas: $(READY)
	$(BIN)/python -m symdp.search.tactics.lemma_proofs

#   make verdicts     settle the claims that rest on derivations, against what the tests expect of them, and
#                     run in full what `make test` runs on a part (tests/campaign.py)
verdicts: $(READY)
	SYMDP_CAMPAIGN=1 $(BIN)/pytest -n $(JOBS) tests/test_literature_*.py tests/test_theorems_line_by_line.py tests/test_source_proofs.py \
		tests/test_composition.py tests/test_sharpness.py tests/test_soundness.py

#   make campaign     attack the kernel: containment, and mutated claims, derivations and guarantees, in full
campaign: $(READY)
	$(BIN)/python benchmarks/containment.py --full --jobs $(JOBS)
	$(BIN)/python benchmarks/mutations.py --full --jobs $(JOBS)
	$(BIN)/python benchmarks/derivation_mutations.py
	$(BIN)/python benchmarks/guarantee_mutations.py

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $(READY)

clean:
	rm -rf $(VENV) build .mypy_cache .pytest_cache .ruff_cache .hypothesis
