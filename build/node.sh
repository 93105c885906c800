#!/bin/sh
# Prints the folder of a Node.js that is new enough where the machine's is not:
# fetched once from the npm registry, which needs the npm of an older one. Prints
# nothing where there is nothing to do, or where that one cannot be had; build/check-tools.sh says what is missing.
set -eu

need=22.13
version=22.23.3

command -v node >/dev/null 2>&1 || exit 0
node -e '
	const [a, b] = process.versions.node.split(".").map(Number);
	const [c, d] = process.argv[1].split(".").map(Number);
	process.exit(a > c || a === c && b >= d ? 0 : 1)' "$need" && exit 0

package=node-$(node -p 'process.platform + "-" + process.arch')
tools=$(cd "$(dirname "$0")" && pwd)/out/tools/node-$version
bin=$tools/node_modules/$package/bin
# runs FOLDER: the Node.js there starts, which that of another C library does not, and is that version.
runs() {
	[ "$("$1/node" --version 2>/dev/null)" = "v$version" ]
}
if ! runs "$bin"; then
	echo "Node.js $(node --version) is older than $need: fetching $version from the npm registry" >&2
	rm -rf "$tools"
	mkdir -p "$(dirname "$tools")"
	new=$(mktemp -d "$tools.XXXXXX")
	trap 'rm -rf "$new"' EXIT
	npm install --silent --no-save --no-package-lock --no-audit --no-fund --fetch-retries=1 --fetch-timeout=60000 --prefix "$new" "$package@$version" >&2 || exit 0
	runs "$new/node_modules/$package/bin" || exit 0
	chmod 755 "$new"
	# Another make may be doing the same: the first one counts. mv fails, or moves into the
	# folder, if that one appears at this moment.
	[ -d "$tools" ] || mv "$new" "$tools" 2>/dev/null || true
	rm -rf "$tools/$(basename "$new")"
	runs "$bin" || exit 0
fi
echo "$bin"
