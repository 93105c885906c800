#!/bin/sh
# Runs every fuzz target for so many minutes, one after another: those of Go, then
# those of JavaScript. Go keeps an input that fails in testdata/fuzz of its package,
# where every later test tries it again.
set -eu
minutes=$1
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=
for package in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
		echo "$package $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${minutes}m" "$package" 2>&1 | tee "$log"
		if ! grep -q '^FAIL' "$log"; then
			continue
		elif grep -q '^ *context deadline exceeded$' "$log" && ! grep -q 'Failing input written' "$log"; then
			# Go before 1.27 may fail when the time is over: go.dev/issue/75804.
			echo "$target: the time was over; no input failed"
		else
			failed="$failed $target"
		fi
	done
done
for test in js/dist-tests/fuzz.test.js web/demo/tests/saved.test.mjs web/extension/tests/saved.test.mjs; do
	[ -f "$test" ] || continue
	echo "$test"
	CHROMIUM=$(node build/chromium.mjs) FUZZ_MINUTES=$minutes node --test "$test" || failed="$failed $test"
done
[ -z "$failed" ] || {
	echo "failed:$failed" >&2
	exit 1
}
