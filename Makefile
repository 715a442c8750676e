# The commands of the project; what they do is in scripts/. Each checks first what it needs and installs what is missing.

.PHONY: help serve build dist package test test-judge bench first screenshots clean

help:
	@echo "make serve        build the page if it changed, serve it on http://127.0.0.1:8080 (PORT=… for another port)"
	@echo "make test         format, lints, Rust tests, package tests, browser tests, weight of the page"
	@echo "make build        only build the page, into dist/"
	@echo "make dist         the page as a folder for any static host, in dist/ (docs/hosting.md says how)"
	@echo "make test-judge   have a real model judge a run through the page; builds a server first, which takes minutes"
	@echo "make bench        compare page and worker with their peers in the same browser, in docs/benchmarks.md (20 minutes)"
	@echo "make package      build the npm package of the protocol's checks, into pkg/"
	@echo "make first        note anew what a first look needs, and build the page with it"
	@echo "make screenshots  make the pictures of the README anew, in docs/images/"
	@echo "make clean        remove what was built"

serve:
	@scripts/install.sh --port
	@scripts/build.sh
	@node scripts/serve.mjs

build:
	@scripts/install.sh
	@scripts/build.sh

dist: build
	@[ -z "$(GALLERY)" ] || node scripts/gallery.mjs "$(GALLERY)"
	@echo "dist/ is ready to be uploaded; docs/hosting.md says how."

package:
	@scripts/install.sh
	@scripts/package.sh

test:
	@scripts/install.sh --browser
	@scripts/test.sh

test-judge:
	@scripts/install.sh --browser
	@scripts/build.sh
	@scripts/test-judge.sh

bench:
	@scripts/install.sh --browser
	@scripts/package.sh
	@scripts/build.sh
	@node scripts/bench.mjs

first:
	@scripts/install.sh --browser
	@scripts/build.sh
	@node scripts/first.mjs
	@scripts/build.sh

screenshots:
	@scripts/install.sh --browser
	@scripts/build.sh
	@node scripts/screenshots.mjs

clean:
	rm -rf dist pkg .cache
	cargo clean
