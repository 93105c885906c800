#!/bin/sh
# Runs a command and prints one line; the whole output if it fails.
#
#   sh build/quiet.sh LOG TITLE COMMAND...
set -eu
log=$1 title=$2
shift 2
mkdir -p "$(dirname "$log")"
printf '%s ...' "$title"
begun=$(date +%s)
if "$@" >"$log" 2>&1; then
	printf ' %s s\n' "$(($(date +%s) - begun))"
else
	code=$?
	printf ' failed:\n'
	cat "$log"
	exit "$code"
fi
