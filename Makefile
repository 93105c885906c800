# make demo   installs, builds and serves the page on this machine
# make test   installs, builds and tests every part
# make help   lists the rest

PORT ?= 8080
# Not from the environment, where some shells put the name of the machine.
HOST := localhost
DOCKER ?= docker
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.8.0
OUT := build/out
# Where the machine's Node.js is too old, one of our own goes first.
ifneq ($(filter-out help clean docker,$(MAKECMDGOALS)),)
NODE := $(shell sh build/node.sh)
export PATH := $(if $(NODE),$(NODE):)$(PATH)
endif
WASM_EXEC := $(CURDIR)/build/wasm-exec.sh
# What the program says that it was built from; empty without git.
COMMIT ?= $(shell git describe --always --abbrev=40 --exclude="*" --dirty=-modified 2>/dev/null)
# Runs parts of the tests and sums them up: build/test/parts.mjs lists them.
RUN := node build/test/run.mjs
# The packages of the page's program, and of the Worker's.
PAGE_PACKAGES = $(shell GOOS=js GOARCH=wasm go list -deps ./wasm/page | grep ^github.com/cerasum/) ./wasm/...

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

.PHONY: demo
demo: tools ## build and serve the page on PORT (8080); HOST=0.0.0.0 opens it to the network
	@sh build/quiet.sh $(OUT)/demo.log "npm packages" $(MAKE) --no-print-directory deps
	@sh build/quiet.sh $(OUT)/demo.log "the page" $(MAKE) --no-print-directory site
	@sh build/quiet.sh $(OUT)/demo.log "the program that serves it" $(MAKE) --no-print-directory program
	@$(OUT)/bin/cerasum serve --site $(OUT)/site --host $(HOST) --port $(PORT)

.PHONY: test
test: tools ## build everything once and test every part end to end; JOBS=4 runs four commands at once
	@$(RUN) quick

.PHONY: test-slow
test-slow: tools ## the long tests and the variations: all cases of the parity tests, bundlers, speed, the release built twice, linters, audit
	@$(RUN) slow

.PHONY: test-all
test-all: tools ## make test and make test-slow with one build, as in CI
	@$(RUN) quick slow

.PHONY: test-bare
test-bare: ## make demo and make test in a plain Debian, which debootstrap makes; needs root
	sh build/bare.sh

# What the tests run on, each built once.
.PHONY: test-build
test-build: library-tests site-wider extension-tests edge-build cli

.PHONY: tools
tools:
	@sh build/check-tools.sh

# npm ci leaves this file: it runs again only when the lock file is newer.
node_modules/.package-lock.json: package-lock.json | tools
	npm ci --no-audit --no-fund
	@touch $@

.PHONY: deps
deps: node_modules/.package-lock.json

.PHONY: program
program: tools
	go build -trimpath -ldflags "-X main.commit=$(COMMIT)" -o $(OUT)/bin/cerasum ./cmd/cerasum

# Without a C compiler Go builds a program that cannot call a library.
.PHONY: cli
cli: program ## the command line program, build/out/bin/cerasum, and the onnxruntime that it runs the encoder with
	@if [ "$$(go env CGO_ENABLED)" = 1 ]; then go run ./build/onnxruntime -out $(OUT)/bin -cache $(OUT)/tools; \
	else echo "no C compiler: the encoder runs in Go, several times slower"; fi

.PHONY: wasm
wasm: tools deps ## the core as WebAssembly, build/out/wasm/cerasum.wasm
	npm run --silent build:wasm

# With the core as WebAssembly.
.PHONY: library
library: tools deps ## the npm library, js/dist
	npm run --silent build -w js

.PHONY: library-tests
library-tests: library
	rm -rf js/dist-tests
	npm run --silent build:tests -w js

.PHONY: kernel
kernel: tools deps ## the SIMD kernel alone, for the Go tests under js/wasm
	node build/kernel.mjs

.PHONY: site
site: library ## the page, build/out/site
	npm run --silent build -w web/demo

# The page with what the usual one does not offer: documents by their addresses.
.PHONY: site-wider
site-wider: site
	cd web/demo && CERASUM_ELSEWHERE=http://news.example npx vite build --logLevel error --outDir ../../$(OUT)/site-wider --emptyOutDir

.PHONY: gofmt
gofmt: tools
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$unformatted" ] || { echo "gofmt: $$unformatted"; exit 1; }

# With an empty Go cache this takes minutes: it compiles what it imports, Beam above all.
.PHONY: vet
vet: tools
	go vet -trimpath ./... && cd batch/beam && go vet -trimpath -tags runners ./...
	GOOS=js GOARCH=wasm go vet -trimpath $(PAGE_PACKAGES)

.PHONY: staticcheck
staticcheck: tools
	GOBIN=$(CURDIR)/$(OUT)/bin go install $(STATICCHECK)
	$(OUT)/bin/staticcheck ./...
	GOOS=js GOARCH=wasm $(OUT)/bin/staticcheck $(PAGE_PACKAGES)

.PHONY: test-go
test-go: tools deps ## Go tests on this machine
	@$(RUN) go go-slow

.PHONY: test-beam
test-beam: tools ## "batch" as a pipeline of Apache Beam, on Beam's local runner
	@$(RUN) beam beam-slow

.PHONY: test-flink
test-flink: tools ## the pipeline on Flink with two task managers, one of them killed; needs Java and Maven
	@$(RUN) flink

.PHONY: test-spark
test-spark: tools ## the pipeline on Spark's local master, with a worker killed; needs Java and Maven
	@$(RUN) spark

.PHONY: test-wasm
test-wasm: kernel ## Go tests of the core and the bridge under js/wasm, with both forms of the SIMD kernel
	@$(RUN) wasm wasm-slow

.PHONY: test-js
test-js: library-tests cli ## the npm library: types, tests, size budgets
	@$(RUN) js js-slow js-timed

.PHONY: test-demo
test-demo: site-wider cli ## the page in Chromium, end to end
	@$(RUN) demo demo-slow demo-timed

.PHONY: test-engines
test-engines: site extension-tests cli ## page, library and extension in Chromium, Firefox and WebKitGTK, end to end
	@$(RUN) engines engines-slow

.PHONY: edge-build
edge-build: site ## the Worker and its site, build/out/edge
	npm run --silent build -w wasm/edge

.PHONY: edge
edge: edge-build ## run the Worker locally, without an account or a network, on PORT (8080)
	npm run --silent --no-update-notifier dev -w wasm/edge -- --port $(PORT)

.PHONY: test-edge
test-edge: edge-build cli ## the built Worker in workerd: routes, limits, the site, the same sentences as the command line program
	@$(RUN) edge edge-slow

.PHONY: extension
extension: library ## the browser extension: build/out/extension/*.zip, and the unpacked folders beside them
	npm run --silent build -w web/extension
	version=$$(node -p 'require("./web/extension/package.json").version') && cd $(OUT)/extension && go run ../../release/zip -max 30000000 chromium cerasum-chromium-$$version.zip firefox cerasum-firefox-$$version.zip

.PHONY: extension-tests
extension-tests: library
	npm run --silent build -w web/extension -- --test

.PHONY: test-extension
test-extension: extension-tests ## the extension in Chromium, end to end
	@$(RUN) extension extension-slow extension-timed

.PHONY: lint-extension
lint-extension: extension ## check the Firefox build with Mozilla's linter, fetched by npx
	node web/extension/scripts/lint.mjs

.PHONY: audit
audit: tools ## check dependencies for known vulnerabilities; REQUIRED=1 fails if a database is unreachable
	GOBIN=$(CURDIR)/$(OUT)/bin go install $(GOVULNCHECK)
	go run ./build/release/audit $(if $(REQUIRED),-required) $(CURDIR)/$(OUT)/bin/govulncheck

.PHONY: docker
docker: ## the container image, cerasum; DOCKER=podman uses Podman
	$(DOCKER) build -t cerasum -t "cerasum:$$(tr + _ <core/VERSION)" --build-arg VERSION="$$(cat core/VERSION)" --build-arg COMMIT="$(COMMIT)" --build-arg SOURCE_DATE_EPOCH="$$(git log -1 --format=%ct)" --build-arg CREATED="$$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ)" .

.PHONY: version
version: tools ## set the version in every file: make version V=0.2.0
	@go run ./build/release/version "$(V)"

.PHONY: release
release: tools deps ## the files of a release, build/out/release; PLATFORMS="linux/amd64 …" limits the platforms (docs/runbook.md)
	node build/release/release.mjs

.PHONY: test-release
test-release: tools deps ## build the release twice, compare the bytes, run it; ALL=1 for all platforms
	@$(RUN) release release-slow

.PHONY: screenshot
screenshot: site ## the pictures of the page and the panel, docs/*.png
	chromium="$$(node build/browsers.mjs chromium)" && export CHROMIUM="$$chromium" && npm run --silent screenshot -w web/demo && npm run --silent screenshots -w web/extension -- --docs

.PHONY: bench
bench: tools site kernel ## benchmarks of the core (native and js/wasm) and, in Chromium, of summaries, the encoder, the kernel and alternatives
	go test -run '^$$' -bench . ./core/... ./internal/text ./internal/lexical
	GOOS=js GOARCH=wasm go test -exec $(WASM_EXEC) -run '^$$' -bench . ./core/... ./internal/text ./internal/lexical
	chromium="$$(node build/browsers.mjs chromium)" && export CHROMIUM="$$chromium" && node js/bench/summaries.mjs && node js/bench/encoder.mjs && node js/bench/kernel.mjs && node js/bench/compare.mjs

.PHONY: load
load: tools ## send "serve --api" the requests of five hours, or as many as it answers in MINUTES (10)
	CERASUM_HOURS=$(or $(MINUTES),10)m go test -count=1 -timeout $$(($(or $(MINUTES),10) + 10))m -v -run TestServeHours ./cmd/cerasum

.PHONY: fuzz
fuzz: library-tests site extension-tests ## run every fuzz target for MINUTES (0.5), one after another
	sh build/fuzz.sh $(or $(MINUTES),0.5)

.PHONY: bombs
bombs: site-wider cli ## read COUNT (200) generated files that try to hang their readers; FROM and SEED select them
	CHROMIUM="$$(node build/browsers.mjs chromium)" BOMBS=$(or $(COUNT),200) FROM=$(or $(FROM),0) SEED=$(or $(SEED),1) node --test web/demo/tests/bombs.timed.mjs

.PHONY: clean
clean: ## remove what was built
	rm -rf $(OUT) js/dist js/dist-tests
