#!/bin/sh
# Runs a Go test binary for js/wasm under Node. Go's loader has little room for
# the environment, so only what the tests read goes in. CERASUM_KERNEL names the
# SIMD kernel to run with: relaxed, simd or none; left out, the best that this
# Node takes.
flags=--stack-size=8192 # as Go's own go_js_wasm_exec has it
if [ "${CERASUM_KERNEL:-}" = relaxed ] && node --v8-options | grep -q experimental-wasm-relaxed-simd; then
	flags="$flags --experimental-wasm-relaxed-simd"
fi
# shellcheck disable=SC2086
exec env -i PATH="$PATH" HOME="${HOME:-/}" CERASUM_SHARED="${CERASUM_SHARED:-}" CERASUM_KERNEL="${CERASUM_KERNEL:-}" \
	node $flags "$(dirname "$0")/wasm-exec.cjs" "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$@"
