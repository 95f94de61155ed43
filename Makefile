# Thin wrappers; the commands they run are the documentation. Needs python3 with venv, nothing else.
PYTHON := .venv/bin/python
NEWEST_PYTHON := python3.13
UV := .cache/uv/bin/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-strip-extras --no-emit-index-url --no-header
BENCH := .cache/bench/bin/python

.PHONY: setup run worker test slow-test screens fmt fmt-js lint lint-js types-js test-js migrations check types arrows lock measures newest bench docs openapi

setup:  ## build ./.venv with everything that development needs
	python3 manage.py test --version

run:  ## broker, worker and web server, until Ctrl-C
	python3 manage.py serve

worker: setup  ## one more worker, for the broker that REDIS_URL names
	$(PYTHON) -m celery --app config.celery worker --loglevel INFO

test:
	python3 manage.py test

slow-test:  ## the slow groups: PostgreSQL, browser, chaos
	python3 manage.py test --slow

screens: setup  ## pictures of every page, on phone and desk, light and dark: build/screenshots
	PICTURES=1 BROWSER_TESTS=required $(PYTHON) -m pytest tests/web -m browser -n 0; $(PYTHON) -m tests.web.gallery

fmt: setup
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .
	$(PYTHON) -m djlint --quiet --reformat templates

lint: setup  ## code and templates, as continuous integration looks at them
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m djlint --quiet --check --lint templates

fmt-js: node_modules/.package-lock.json
	npm run fmt

lint-js: node_modules/.package-lock.json  ## the scripts of the pages; needs node and npm
	npm run lint

types-js: node_modules/.package-lock.json  ## the types of scripts, as far as tsconfig.json goes
	npm run types

test-js:  ## the tests of scripts that draw nothing; needs node
	npm test

node_modules/.package-lock.json: package-lock.json
	npm ci

migrations: setup  ## every change of a model has its migration
	$(PYTHON) manage.py makemigrations --check --dry-run

check:  ## all that continuous integration asks, tests included
	.ci/run

types: setup
	$(PYTHON) -m mypy

arrows: setup  ## who may import whom
	$(PYTHON) -c 'from importlinter.cli import lint_imports_command as lint; lint()'

lock: .cache/uv/bin/uv  ## pin every dependency by hash; add --upgrade to a line to renew it
	$(UV) pyproject.toml --extra service --output-file requirements.lock
	$(UV) pyproject.toml --extra service --extra s3 --constraint requirements.lock \
		--output-file requirements-s3.lock
	$(UV) pyproject.toml --extra service --extra s3 --extra dev --constraint requirements-s3.lock \
		--output-file requirements-dev.lock
	$(UV) pyproject.toml --extra service --extra bench --constraint requirements-dev.lock \
		--output-file requirements-bench.lock
	$(subst 3.11,3.12,$(UV)) pyproject.toml --extra service --extra dev \
		--override requirements-newest.in --output-file requirements-newest.lock

newest: .cache/newest/ready  ## the tests with the newest Django, on the Python of NEWEST_PYTHON
	.cache/newest/bin/python -m pytest -n 2 --dist loadgroup \
		-m "not browser and not chaos" tests/engine tests/api tests/scoring tests/tournaments

.cache/newest/ready: requirements-newest.lock
	$(NEWEST_PYTHON) -m venv .cache/newest
	.cache/newest/bin/python -m pip install --quiet --no-deps --require-hashes --requirement requirements-newest.lock
	.cache/newest/bin/python -m pip check
	touch $@

measures: setup  ## the measures of docs/development/measures.md, as they are now
	DJANGO_SETTINGS_MODULE=tests.settings $(PYTHON) -m tests.development.measures

bench: .cache/bench/ready  ## measure us and our peers in one run; PARTS="engine --write": one section
	$(BENCH) -m benchmarks $(PARTS)

docs: setup  ## the documentation as a site: build/site
	$(PYTHON) -m mkdocs build --quiet

openapi: setup  ## the description of the API, as /api/v1/openapi.json has it: build/openapi.json
	mkdir -p build
	$(PYTHON) manage.py spectacular --validate --fail-on-warn --format openapi-json \
		--file build/openapi.json

.cache/uv/bin/uv:
	python3 -m venv .cache/uv
	.cache/uv/bin/pip install --quiet uv

.cache/bench/ready: requirements-bench.lock | setup
	$(PYTHON) -m venv --clear .cache/bench
	$(BENCH) -m pip install --quiet --no-deps --require-hashes --requirement requirements-bench.lock
	$(BENCH) -m pip check
	touch $@
