# Two commands: `make book` builds the book, `make test` checks everything. `make help` lists the rest.

PY := .venv/bin/python
READY := .venv/.ready
NOTEBOOKS ?=
RECIPE ?= english_korean
MODEL ?= english_korean
OUT ?=
FLAGS ?=
RELEASE ?=
# One word of the shell, whatever is in it: a path may have spaces. A tilde before it stays the home.
quoted = $(subst '~/,~/','$(subst ','\'',$(1))')
# Both editions, or make book LANGUAGE=en; so of slides and pdf. For notebooks: make lab LANGUAGE=ko. For `make korean`: PAGE=masks.
# The shell's own LANGUAGE is about messages of programs, and ours is no business of theirs.
ifeq ($(origin LANGUAGE),environment)
LANGUAGE :=
endif
unexport LANGUAGE
PAGE ?=
EDITION := $(if $(LANGUAGE),--language $(LANGUAGE))
BOOK := .venv/bin/python book/_tools/build.py $(EDITION)

.PHONY: help book copies lab edit train model outputs korean requirements test lint types unit notebooks strict-book links \
	korean-pictures pages tests chromium firefox pdf slides records anchors lines core screenshots mutants dist cut notes \
	clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

# PYTHON=... asks for an environment with that version: with another one the set-up runs again.
ifneq ($(PYTHON),)
VERSION := -c 'import sys; print(sys.version)' 2>/dev/null
ifneq ($(shell $(call quoted,$(PYTHON)) $(VERSION)),$(shell $(PY) $(VERSION)))
.PHONY: $(READY)
endif
endif

$(READY): requirements.txt pyproject.toml book/_tools/setup.sh
	@PYTHON=$(call quoted,$(PYTHON)) sh book/_tools/setup.sh

book: $(READY) ## build the book from the stored outputs, in English and Korean: make book LANGUAGE=en
	@echo "Building the book from the stored outputs."
	@$(BOOK) --quiet >/dev/null
	@echo "The book is ready: open file://$(CURDIR)/_build/html/book/index.html in a browser."
	@test "$(LANGUAGE)" = en || echo "In Korean: file://$(CURDIR)/_build/html/ko/book/index.html"

# The chapters as the pages have them, in copies that belong to the reader: `make clean` leaves them alone,
# and one that was changed is not written again (book/_tools/reading_copies.py).
COPIES := $(if $(filter ko,$(LANGUAGE)),chapters-ko,chapters)
SOURCES := $(wildcard book/*.ipynb book/*.md book/*.bib book/ko/* book/_ext/*.py _config.yml _toc.yml)
LAB := .venv/bin/jupyter-lab --LabApp.extra_labextensions_path=book/_lab

$(COPIES)/.written.json: $(READY) $(SOURCES)
	@echo "Building the book: its chapters become notebooks in $(COPIES)/. The first time takes minutes."
	@$(PY) book/_tools/build.py $(if $(filter ko,$(LANGUAGE)),,--language en) --quiet >/dev/null
	@$(PY) book/_tools/reading_copies.py $(if $(filter ko,$(LANGUAGE)),--language ko) $(COPIES)
	@touch $@

copies: $(COPIES)/.written.json ## write the chapters to chapters/, to read and change them (LANGUAGE=ko: chapters-ko/)

lab: copies ## read the chapters in JupyterLab, and change them: copies that are yours
	$(LAB) --ServerApp.root_dir=$(COPIES)

edit: $(READY) ## open the sources of the chapters in JupyterLab
	$(LAB) --ServerApp.root_dir=book

train: $(READY) ## train a recipe: make train RECIPE=mine.toml OUT=runs/mine FLAGS=--resume
	@name=$(call quoted,$(RECIPE)); name=$${name##*/}; out=$(call quoted,$(OUT)); set -x; \
	.venv/bin/annotated-transformer train $(call quoted,$(RECIPE)) --out "$${out:-runs/$${name%.*}}" $(FLAGS)

model: $(READY) ## train a model that ships with the package, and put it there: make model MODEL=english_korean_open
	.venv/bin/annotated-transformer train $(MODEL) --out runs/$(MODEL) $(FLAGS)
	$(PY) book/_tools/ship_model.py runs/$(MODEL)

# One thread, as in the tests and in the record that is compared: the last digits depend on their number.
outputs: $(READY) ## run the notebooks again and store their outputs: make outputs NOTEBOOKS=book/attention.ipynb
	OMP_NUM_THREADS=1 $(PY) book/_tools/execute.py $(NOTEBOOKS)

# One thread, too: a picture in other words has to be that of the chapter in its own ones.
korean-pictures: $(READY) ## draw pictures of the chapters in Korean: make korean-pictures PAGE=masks
	OMP_NUM_THREADS=1 $(PY) book/_tools/korean_pictures.py $(PAGE)

korean: $(READY) ## bring book/ko/ into step with the English and show what changed: make korean PAGE=masks
	@$(PY) book/_tools/korean.py $(PAGE)

requirements: $(READY) ## write requirements.txt again from pyproject.toml, newest versions
	$(PY) -m pip install --quiet uv==0.13.8
	.venv/bin/uv pip compile --quiet --upgrade pyproject.toml --output-file requirements.txt

# First what fails within two minutes, side by side; then all tests in one run, so that no process is
# idle while the longest notebook ends.
test: $(READY) chromium firefox ## run every check
	@$(MAKE) --no-print-directory --jobs=$(JOBS) lint types links
	@$(MAKE) --no-print-directory tests
	@echo "make test: every check passed."

chromium: $(READY)
	@$(PY) book/_tools/chromium.py

firefox: $(READY)
	@$(PY) book/_tools/firefox.py

lint: $(READY) ## rules and format of the code, 100 columns, 80 where a page prints it
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m ruff format --check --line-length 80 $$($(PY) book/_tools/printed.py)

types: $(READY) ## the types of the package
	$(PY) -m mypy annotated_transformer

# The tests begin hundreds of processes: without bytecode each would compile again what it imports.
unexport PYTHONDONTWRITEBYTECODE
# Tests run in processes side by side, each with one thread: so many as fit the processor's cores and 2 GB each.
JOBS ?= 2
# A file is run by one process, and in the order given: what lasts longest begins first.
PYTEST := OMP_NUM_THREADS=1 $(PY) -m pytest --numprocesses=$(JOBS) --dist=loadfile --no-loadscope-reorder

# These look at the built book, in a browser.
PAGE_TESTS := $(addprefix tests/,test_pages.py test_page_use.py test_pdf.py test_slides.py live/test_in_the_book.py \
	test_edition.py test_edition_in_lab.py test_korean_pages.py)

unit: $(READY) ## the tests that need neither notebooks nor the built book
	$(PYTEST) $(addprefix --ignore=,$(PAGE_TESTS))

# A cell trains for minutes, and longer on a machine where other things run too. The limit is only for a
# cell that never ends.
CELL_SECONDS := 3600

# It takes longest, so it begins before the others.
LONGEST := book/train_and_translate.ipynb
NOTEBOOK_TESTS := --nbval --nbval-current-env --nbval-cell-timeout=$(CELL_SECONDS) \
	$(LONGEST) $(filter-out $(LONGEST),$(wildcard book/*.ipynb))
LIVE := ANNOTATED_TRANSFORMER_RECIPE=english_korean_live

notebooks: $(READY) ## run every notebook and compare with its stored outputs
	$(LIVE) $(PYTEST) $(NOTEBOOK_TESTS)

tests: $(READY) chromium firefox ## run the tests, the notebooks and the page checks on the book that is built
	$(LIVE) $(PYTEST) $(NOTEBOOK_TESTS) tests

# From nothing: pages that Sphinx takes from its cache keep their warnings to themselves.
strict-book: $(READY)
	rm -rf _build
	$(BOOK) --strict

links: strict-book
	$(PY) book/_tools/links.py _build/html

# Both are written into the built book, and its pages then offer them for download.
OFFER = @$(BOOK) --quiet >/dev/null

pdf: book chromium ## print each edition as one PDF, and offer it on its pages: make pdf LANGUAGE=en
	$(PY) book/_tools/make_pdf.py $(EDITION)
	$(OFFER)

slides: book chromium ## write a deck of slides for each chapter of each edition: make slides LANGUAGE=en
	$(PY) book/_tools/make_slides.py $(EDITION)
	$(OFFER)

pages: strict-book chromium firefox ## open every page in headless Chromium, and the first in Firefox
	$(PY) -m pytest $(PAGE_TESTS)

anchors: strict-book ## store what the book has and tests/anchors.txt and tests/kept.txt have not
	$(PY) book/_tools/anchors.py --add
	$(PY) book/_tools/kept.py --add

# The paper's model in one file, and the six files of section 3 for use.
SECTION_3 := $(addprefix annotated_transformer/,config.py masks.py attention.py positions.py layers.py transformer.py)

# Hours on two cores; ONLY="heads positions" makes some of them, LIST=--list says what each costs.
records: $(READY) ## make every record of the book again: make records ONLY=heads DATA=multi30k LIST=--list
	$(PY) -m experiments.records $(LIST) $(if $(ONLY),--only $(ONLY)) $(if $(DATA),--data-dir $(call quoted,$(DATA)))

lines: $(READY) ## count the lines that a reader of the whole model passes
	@$(PY) book/_tools/count_lines.py annotated_transformer/minimal.py
	@$(PY) book/_tools/count_lines.py $(SECTION_3)

core: $(READY) ## count what a first reader of each chapter meets: make core FLAGS=--screens
	@$(PY) book/_tools/core.py $(FLAGS)

screenshots: book chromium ## write pictures of every page to _build/screenshots: make screenshots LANGUAGE=ko
	$(PY) book/_tools/screenshots.py $(EDITION)

# The tool has an environment of its own: what it depends on is no business of the project's.
mutants: $(READY) ## change the model's code in one place after the other, and see whether a test notices
	@test -x .mutants/tool/bin/cosmic-ray || $(PY) -m venv .mutants/tool
	@.mutants/tool/bin/python -m pip install --quiet cosmic-ray==8.7.0
	$(PY) tests/mutants/run.py $(FLAGS)

# Nothing comes from an index: the build's one package is pinned and installed.
dist: $(READY) ## build what is given away: a source distribution, and the wheel made of it
	rm -rf dist
	mkdir dist
	$(PY) -c "from setuptools import build_meta; build_meta.build_sdist('dist')" >/dev/null
	$(PY) -m pip wheel --quiet --no-index --no-deps --no-build-isolation --wheel-dir dist dist/*.tar.gz

# What is unreleased becomes a version; commit it, and push the tag when the tests of the commit have passed.
cut: $(READY) ## make what is unreleased a version: make cut RELEASE=1.1.0
	$(PY) book/_tools/release.py cut $(call quoted,$(RELEASE))

notes: $(READY) ## print the notes of the version, from the changelog: make notes RELEASE=1.0.0
	@$(PY) book/_tools/release.py notes $(RELEASE)

clean: ## remove the built book
	rm -rf _build
