#!/bin/sh
# Says in plain words what is missing before a build fails in words that are not.
set -eu

need_go=1.26
need_node=22.13

fail() {
	printf 'cerasum: %s\n' "$1" >&2
	exit 1
}

# older A B: version A is older than version B.
older() {
	[ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)" = "$1" ]
}

command -v go >/dev/null 2>&1 ||
	fail "Go is not installed. Install Go $need_go or newer from https://go.dev/dl/ and try again."
# Outside the module: its go line would make an old Go stop before it answers.
go=$(cd / && GOTOOLCHAIN=local go env GOVERSION 2>/dev/null | sed 's/^go//; s/[^0-9.].*//')
older "${go:-0}" "$need_go" &&
	fail "Go ${go:-of unknown version} is too old. Install Go $need_go or newer from https://go.dev/dl/ and try again."

command -v node >/dev/null 2>&1 ||
	fail "Node.js is not installed. Install Node.js $need_node or newer from https://nodejs.org/ and try again."
node=$(node --version | sed 's/^v//')
older "$node" "$need_node" &&
	fail "Node.js $node is too old, and build/node.sh could not fetch a newer one from the npm registry. Install Node.js $need_node or newer from https://nodejs.org/ and try again."

command -v npm >/dev/null 2>&1 ||
	fail "npm is not installed. It comes with Node.js from https://nodejs.org/ (Debian: apt-get install npm)."
