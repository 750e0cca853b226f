# Two commands do all the set-up on a machine that has only Python and make:
#   make audit   settle the claims of the literature and print their verdicts
#   make test    lint, types and tests
#   make setup   the set-up alone, for a first `symdp check`
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
JOBS   ?= 2
SECONDS ?= 600

.PHONY: setup docs pictures shipped recheck contents readme audit test suite long coverage lint types verdicts notebooks notebooks-check notebook-export benchmarks report browser latex looks lemmas formal formal-practice campaign fuzz hostile lock locked vulnerabilities wheel matrix clean help

help:
	@sed -n 's/^#   //p' Makefile

setup: $(READY)

audit: $(READY)
	$(BIN)/symdp audit --jobs $(JOBS) --out build/certificates

# types take one core for a minute, so that they are checked while the tests run
test: $(READY)
	$(MAKE) --no-print-directory -j 3 lint types suite

suite: $(READY)
	$(BIN)/pytest -n $(JOBS) --dist worksteal -m "not long"

#   make long         the tests that `make test` leaves out, since each of them takes a while
long: $(READY)
	$(BIN)/pytest -n $(JOBS) --dist worksteal -m long --ignore=tests/browser

#   make coverage    every branch of the trusted code (symdp/kernel) is taken by a test; random tests are left out,
#                     so that nothing hangs on chance
coverage: $(READY)
	$(BIN)/pytest -n $(JOBS) tests/kernel tests/attacks symdp/kernel --cov -m "not hypothesis" -k "not nothing_false"

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

#   make notebook-export   the notebooks as pages and papers, beside them (Debian's pandoc and TeX, as root)
notebook-export: $(READY)
	(command -v pandoc && command -v xelatex && kpsewhich tcolorbox.sty ulem.sty rsfs10.tfm) >/dev/null || (apt-get update -q && \
		apt-get install -yq --no-install-recommends pandoc texlive-xetex texlive-latex-recommended \
		texlive-latex-extra texlive-fonts-recommended texlive-plain-generic lmodern)
	$(BIN)/symdp notebook --to html,pdf --out notebooks

#   make readme       write what the README and docs show: outputs of commands, counts of the last audit
readme: $(READY)
	$(BIN)/python -m symdp.cli.pages

#   make contents     write the table of contents of the literature, from which `symdp list` is quick
contents: $(READY)
	$(BIN)/python -m symdp.sources.contents

#   make benchmarks   what is measured: imports, the prover, composition, their peers
benchmarks: $(READY)
	$(BIN)/python benchmarks/imports.py
	$(BIN)/python benchmarks/prover.py
	$(BIN)/python benchmarks/accounting.py

#   make docs         the documentation as a site that needs no network, in build/docs
docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	$(BIN)/sphinx-build -q -W --keep-going -b html docs build/docs

#   make pictures     take the pictures of the documentation anew (chromium, TeX and poppler-utils from Debian)
pictures: docs report
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[browser]'
	$(BIN)/python .ci/pictures.py build/audit.html build/docs

#   make report       the audit as one page, build/audit.html
report: $(READY)
	$(BIN)/symdp report -o build/audit.html --out build/certificates --jobs $(JOBS)

#   make shipped      settle the claims and pack their verdicts and certificates into the package, so that `symdp show`
#                     and `symdp errata` answer at once on a fresh machine
shipped: audit
	$(BIN)/python -m symdp.audit.shipped build/certificates

#   make recheck      replay every certificate that comes with the package, with the kernel alone
recheck: $(READY)
	rm -rf build/shipped && mkdir -p build/shipped
	$(BIN)/python -m zipfile -e symdp/audit/verdicts.zip build/shipped
	$(BIN)/symdp recheck build/shipped --jobs $(JOBS) > build/recheck.txt || (cat build/recheck.txt; exit 1)
	tail -n 1 build/recheck.txt

#   make browser      look at the audit page in chromium (Debian's package, as root)
browser: $(READY)
	command -v chromium >/dev/null || (apt-get update -q && apt-get install -yq chromium)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[browser]'
	$(BIN)/pytest tests/browser

#   make latex        compile every statement with TeX (Debian's packages, as root), pages to build/pages
latex: $(READY)
	command -v pdflatex pdftoppm bibtex >/dev/null || (apt-get update -q && \
		apt-get install -yq --no-install-recommends texlive-latex-base texlive-latex-recommended texlive-fonts-recommended poppler-utils)
	SYMDP_PRESS=1 $(BIN)/pytest -n $(JOBS) tests/press tests/report/test_latex.py

#   make looks        the short form of both for CI: the page in a browser, the paper in TeX; installs chromium and TeX
#                     from Debian where it may, within its time, and says so where it cannot
LOOKS_SECONDS ?= 90
looks: $(READY)
	@JOBS=$(JOBS) PATIENCE=$(LOOKS_SECONDS) .ci/looks

#   make lemmas       find the proofs of the lemmas anew
lemmas: $(READY)
	$(BIN)/python -m symdp.search.tactics.lemma_proofs

#   make formal       check the Coq library with Coq (Debian's packages, as root), and the axioms it rests on; then
#                     certificates of an audit, where build/certificates has some: each as a Coq file, in build/formal,
#                     and every analytic proof inside of them, in build/pieces. What did not change is not done again
formal: $(READY)
	test -d "$$(coqc -where 2>/dev/null)/user-contrib/Coquelicot" || (apt-get update -q && \
		apt-get install -yq --no-install-recommends coq libcoq-coquelicot libcoq-flocq libcoq-interval)
	$(MAKE) -C formal -j $(JOBS)
	-test ! -d build/certificates || $(BIN)/symdp formal build/certificates --out build/formal --check --jobs $(JOBS) --budget 120
	-test ! -d build/certificates || $(BIN)/python benchmarks/formal.py build/certificates --out build/pieces --whole build/formal --jobs $(JOBS) --budget 40 --lemmas --derivations

#   make formal-practice   the part of it for CI: the library with Theorem 3.4, the practice problems, and what Coq must
#                     refuse; where Coq cannot be installed, it says so
formal-practice: $(READY)
	@test -d "$$(coqc -where 2>/dev/null)/user-contrib/Coquelicot" || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& apt-get update -q && apt-get install -yq --no-install-recommends coq libcoq-coquelicot libcoq-flocq libcoq-interval; } \
		|| { echo "Coq is not there and cannot be installed: the formal part is left out"; exit 0; }; \
	set -e; mkdir -p build; $(MAKE) -C formal -j $(JOBS); \
	$(BIN)/symdp check --file benchmarks/practice.toml --out build/practice --jobs $(JOBS) > build/practice.txt || test $$? = 1; \
	$(BIN)/python benchmarks/formal.py build/practice --out build/practice-pieces --jobs $(JOBS); \
	$(BIN)/pytest -n $(JOBS) tests/formal

#   make verdicts     run in full what `make test` runs on a part (tests/support/campaign.py): claims that rest on
#                     long derivations, and many more examples of each random test
verdicts: $(READY)
	SYMDP_CAMPAIGN=1 $(BIN)/pytest -n $(JOBS) --dist worksteal tests

#   make campaign     attack the kernel: containment, then a million mutated certificates, claims, derivations and
#                     guarantees, in pieces that are kept in build/campaign: it can be stopped and goes on (MINUTES=60)
campaign: $(READY)
	$(BIN)/python benchmarks/containment.py --full --jobs $(JOBS)
	$(BIN)/python benchmarks/soundness.py --out build/campaign --jobs $(JOBS) $(if $(MINUTES),--minutes $(MINUTES))

#   make fuzz         texts that nobody would write, to every reader; the corpus in build/fuzz grows (SECONDS=600)
fuzz: $(READY)
	$(BIN)/python benchmarks/fuzz.py --seconds $(SECONDS) --corpus build/fuzz

#   make hostile      the hostile files in full, and commands killed at random moments two hundred times
hostile: $(READY)
	SYMDP_CAMPAIGN=1 $(BIN)/pytest -n $(JOBS) tests/attacks/test_hostile_files.py
	$(BIN)/python benchmarks/kills.py --rounds 200

#   make lock         write requirements.lock: the packages of constraints.txt with the digests of their files
lock: $(READY)
	$(BIN)/python .ci/lock.py write

#   make locked       an environment from requirements.lock, every file compared with its digest, in .venv-locked
locked:
	$(PYTHON) .ci/lock.py check
	test -x .venv-locked/bin/python || $(PYTHON) -m venv .venv-locked
	.venv-locked/bin/python -m pip install --disable-pip-version-check --require-hashes -r requirements.lock
	.venv-locked/bin/python -m pip install --disable-pip-version-check --no-deps --no-build-isolation -e .

#   make vulnerabilities   what PyPI knows of the versions in requirements.lock; says so where there are no data
vulnerabilities:
	$(PYTHON) .ci/vulnerabilities.py

#   make wheel        build what others install, and try it in an empty environment
wheel: $(READY)
	rm -rf dist
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[wheel]'
	$(BIN)/python -m build --outdir dist
	SYMDP_WHEEL=1 $(BIN)/pytest -n 0 tests/wheel

#   make matrix       the tests on every Python from 3.11 to 3.13 that is here (TESTS=tests/kernel for a part)
matrix:
	JOBS=$(JOBS) .ci/matrix $(TESTS)

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $(READY)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
