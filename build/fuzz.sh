#!/bin/sh
# Runs each fuzz target for the given minutes, one after another: those of Go, then
# those of JavaScript. Go keeps a failing input in testdata/fuzz of its package, where
# every later test tries it again. TARGETS is a regular expression for package and
# target; FLAGS are passed to go test. The figures are printed at the end.
set -eu
minutes=$1
cd "$(dirname "$0")/.."
log=$(mktemp)
figures=$(mktemp)
trap 'rm -f "$log" "$figures"' EXIT
failed=
for package in $(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n 1 dirname | sort -u); do
	for target in $(grep -hoE '^func Fuzz\w+' "$package"/*_test.go | cut -d ' ' -f 2); do
		echo "$package $target" | grep -E "${TARGETS:-.}" || continue
		# By default Go spends up to a minute minimizing each new input, which would take most of the time.
		# shellcheck disable=SC2086
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${minutes}m" -fuzzminimizetime 1s ${FLAGS:-} "./$package" 2>&1 | tee "$log"
		# Its last line: fuzz: elapsed: 30s, execs: 1234 (41/sec), new interesting: 5 (total: 9)
		grep '^fuzz: elapsed:.* execs: ' "$log" | tail -n 1 | sed "s|^fuzz|$package $target|" >>"$figures"
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
for test in js/dist-tests/fuzz.test.js web/demo/tests/readers.test.mjs web/demo/tests/pdf-reader.test.mjs web/demo/tests/saved.test.mjs web/extension/tests/saved.test.mjs; do
	echo "$test" | grep -qE "${TARGETS:-.}" && [ -f "$test" ] || continue
	echo "$test"
	CHROMIUM=$(node build/browsers.mjs chromium) FUZZ_MINUTES=$minutes node --test "$test" 2>&1 | tee "$log"
	grep -q '^[#ℹ] fail 0$' "$log" || failed="$failed $test"
	grep ' executions in ' "$log" | sed "s|^[^0-9A-Za-z]*|$test: |" >>"$figures"
done
cat "$figures"
[ -z "$failed" ] || {
	echo "failed:$failed" >&2
	exit 1
}
