#!/bin/sh
# Runs a Go test binary for js/wasm under Node. Go's loader has little room for
# the environment, so only what the tests read goes in.
exec env -i PATH="$PATH" HOME="${HOME:-/}" CERASUM_SHARED="${CERASUM_SHARED:-}" \
	"$(go env GOROOT)/lib/wasm/go_js_wasm_exec" "$@"
