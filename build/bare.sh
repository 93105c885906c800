#!/bin/sh
# Runs the README's two commands, make demo and make test, in a plain Debian with only Go,
# Node.js, npm, make, curl and git: a chroot that debootstrap makes and that is removed at the end.
#
#   sudo sh build/bare.sh
#
# It tests the last commit, takes Go and Node.js from this machine, and passes on the settings with
# which this machine reaches the package registries. Variables: LIMIT, of make test (60m); PORT,
# of make demo (8080); KEEP=1 keeps the chroot; on a system other than Debian, SUITE (stable) and
# MIRROR (http://deb.debian.org/debian).
set -eu

fail() {
	printf 'bare.sh: %s\n' "$1" >&2
	exit 1
}

[ "$(uname -s)" = Linux ] || fail "needs Linux"
[ "$(id -u)" = 0 ] || fail "needs root, for chroot: run it with sudo"
for tool in debootstrap unshare git go node npm; do
	command -v "$tool" >/dev/null || fail "needs $tool, which is not installed"
done
repository=$(cd "$(dirname "$0")/.." && pwd)
export PORT="${PORT:-8080}" LIMIT="${LIMIT:-60m}"

# The first suite of the machine's own sources that is no update of another, and its server.
own=
if [ "$(. /etc/os-release && echo "$ID")" = debian ]; then
	own=$(apt-get indextargets --format '$(RELEASE) $(SITE)' 'Created-By: Packages' 'Component: main' | grep -v '^[^ ]*-' | head -n 1)
fi
suite=${SUITE:-${own%% *}} mirror=${MIRROR:-${own#* }}

root=$(mktemp -d "${TMPDIR:-/var/tmp}/cerasum-bare-XXXXXX")
chmod 755 "$root"
# What is mounted below it is mounted only for the processes that unshare starts.
[ "${KEEP:-}" = 1 ] || trap 'rm -rf --one-file-system "$root"' EXIT
trap 'exit 1' INT TERM

say() {
	printf '[%s] %s\n' "$(date +%T)" "$1"
}

# carry FILE...: the same files in the chroot.
carry() {
	for file in "$@"; do
		[ -e "$file" ] || continue
		mkdir -p "$root$(dirname "$file")"
		cp -aLT --remove-destination "$file" "$root$file"
	done
}

say "Debian ${suite:=stable} from ${mirror:=http://deb.debian.org/debian}"
unshare --mount debootstrap --variant=minbase --include=ca-certificates,curl,git,make "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
	{ tail -n 20 "$root.log" >&2; rm -f "$root.log"; fail "debootstrap failed"; }
rm -f "$root.log"

say "$(go version), Node.js $(node --version), npm $(npm --version)"
cp -a "$(go env GOROOT)" "$root/usr/local/go"
mkdir -p "$root/usr/local/bin" "$root/usr/local/lib/node_modules"
cp "$(node -p process.execPath)" "$root/usr/local/bin/node"
cp -aL "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$root/usr/local/lib/node_modules/npm"
for tool in npm npx; do
	ln -s "../lib/node_modules/npm/bin/$tool-cli.js" "$root/usr/local/bin/$tool"
done
chroot "$root" node --version >/dev/null ||
	fail "this machine's Node.js does not start in plain Debian; use that of https://nodejs.org/"

# How this machine reaches the network: names, certificates, proxies, package mirrors.
carry /etc/hosts /etc/resolv.conf /etc/ssl/certs/ca-certificates.crt
[ -z "$own" ] || for name in sources.list sources.list.d apt.conf apt.conf.d auth.conf auth.conf.d preferences preferences.d keyrings trusted.gpg trusted.gpg.d; do
	carry "/etc/apt/$name"
done
[ -z "$own" ] || carry /usr/share/keyrings
home=$HOME
for file in .npmrc .netrc .gitconfig; do
	[ ! -e "$home/$file" ] || cp -L "$home/$file" "$root/root/$file"
done
[ ! -e "$(npm config get globalconfig)" ] || cp -L "$(npm config get globalconfig)" "$root/usr/local/etc/npmrc"
if [ -e "$(go env GOENV)" ]; then
	mkdir -p "$root/root/.config/go"
	cp -L "$(go env GOENV)" "$root/root/.config/go/env"
fi
variables=$(env | sed -nE 's/^((https?|all|no)_proxy|npm_config_[a-z_]*|GO(PROXY|SUMDB|NOSUMDB|NOPROXY|PRIVATE|INSECURE|AUTH|FLAGS|TOOLCHAIN)|[A-Z_]*CA_?(BUNDLE|CERTS|INFO|CERTS_FILE)|SSL_CERT_(FILE|DIR)|GIT_SSL_CAINFO)=.*/\1/Ip')
set -- HOME=/root LANG=C.UTF-8 PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin PORT="$PORT" LIMIT="$LIMIT"
for name in $variables; do
	value=$(printenv "$name")
	set -- "$@" "$name=$value"
	[ ! -f "$value" ] || carry "$value"
done

git clone --quiet --bare --depth 1 "file://$repository" "$root/srv/cerasum.git"

cat >"$root/srv/run.sh" <<'EOF'
set -eu
say() {
	printf '[%s] %s\n' "$(date +%T)" "$1"
}
page=http://localhost:$PORT/
! curl -s -o /dev/null "$page" || { echo "bare.sh: something answers on port $PORT already: set PORT" >&2; exit 1; }
cd /root
git clone --quiet /srv/cerasum.git cerasum
cd cerasum
say "make demo, of $(git rev-parse --short HEAD)"
begun=$(date +%s)
setsid make demo >/srv/demo.log 2>&1 &
demo=$!
until curl -s "$page" | grep -q '<title>'; do
	if ! kill -0 "$demo" 2>/dev/null || [ $(($(date +%s) - begun)) -gt 1800 ]; then
		cat /srv/demo.log
		say "make demo: no page"
		exit 1
	fi
	sleep 1
done
say "make demo: the page answers after $(($(date +%s) - begun)) s"
kill -- "-$demo"
wait "$demo" 2>/dev/null || true
ls -A /tmp >/srv/before
begun=$(date +%s)
say "make test"
status=0
timeout "$LIMIT" make test || status=$?
say "make test: exit status $status after $(($(date +%s) - begun)) s"
if ! ls -A /tmp | diff /srv/before -; then
	say "make test: the temporary folder is not as it was"
	status=1
fi
exit "$status"
EOF

unshare --mount --pid --fork --kill-child sh -euc '
	mount -t proc proc "$1/proc"
	mount -t sysfs -o ro sysfs "$1/sys"
	mount -t devpts devpts "$1/dev/pts"
	mkdir -p "$1/dev/shm"
	mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
	root=$1
	shift
	exec chroot "$root" env -i "$@" sh /srv/run.sh' sh "$root" "$@"
