#!/bin/sh
# Installs the executable of envsnap, or of its server, for this machine. Needs neither root nor Node.js, and edits no profile.
set -eu

from=
to=${HOME:+$HOME/.local/bin}
version=latest
program=envsnap
releases=https://github.com/envsnap/envsnap/releases

usage() {
  cat <<TEXT
Installs the envsnap executable for this machine.

usage: install.sh [--from DIR|URL] [--to DIR] [--version V] [--server]

  --from DIR|URL  where the archives and SHA256SUMS are. Default: the release on GitHub.
  --to DIR        where to put it. Default: ~/.local/bin
  --version V     which release, such as 1.2.0. Default: latest
  --server        install envsnap-server instead
  --help          show this text

The checksum of the archive is checked before anything is unpacked.
TEXT
}

fail() {
  printf 'install.sh: %s\n' "$1" >&2
  exit "${2:-1}"
}

# Whether a program is installed. Does not use /dev/null, which a bare container lacks.
has() {
  [ -n "$(command -v "$1" || true)" ]
}

value() {
  [ $# -ge 2 ] && [ -n "$2" ] || fail "$1 needs a value; --help shows all options" 2
  printf '%s' "$2"
}

while [ $# -gt 0 ]; do
  case $1 in
    --from=* | --to=* | --version=*)
      option=$1
      shift
      set -- "${option%%=*}" "${option#*=}" "$@"
      ;;
    # A separate assignment, because after && its failure would go unnoticed.
    --from)
      from=$(value "$@")
      shift 2
      ;;
    --to)
      to=$(value "$@")
      shift 2
      ;;
    --version)
      version=$(value "$@")
      shift 2
      ;;
    --server)
      program=envsnap-server
      shift
      ;;
    -h | --help) usage && exit 0 ;;
    *) fail "there is no option \"$1\"; --help shows all options" 2 ;;
  esac
done
[ -z "$from" ] || [ "$version" = latest ] || fail '--version chooses a release on GitHub: use it without --from' 2
[ -n "$to" ] || fail 'there is no home folder here: say where to install with --to DIR' 2

# Which archive is for this machine.
target() {
  system=$(uname -s)
  machine=$(uname -m)
  case $machine in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) fail "there is no executable for $machine; use the npm package with Node.js" ;;
  esac
  case $system in
    Darwin) echo "darwin-$arch" ;;
    Linux)
      if [ "$arch" = arm64 ]; then
        [ -e /lib/ld-linux-aarch64.so.1 ] || fail 'on arm64 the executable needs glibc; use the npm package with Node.js'
        echo linux-arm64
      elif [ -e /lib64/ld-linux-x86-64.so.2 ] && [ ! -e /lib/ld-musl-x86_64.so.1 ]; then
        echo linux-x64
      else
        echo linux-x64-any-libc
      fi
      ;;
    *) fail "there is no executable for $system here; on Windows unpack envsnap-win-x64.zip" ;;
  esac
}

# Over plain http, anyone on the network could replace the archive together with its checksum.
plain='--from is plain http, so others on the network can replace the archive and its checksum: use https:// or a folder'
protocols='=https'
case $from in
  # The part before an @ is not a host.
  http://*@*) fail "$plain" 2 ;;
  http://127.0.0.1[:/]* | http://localhost[:/]* | 'http://[::1]'[:/]*) protocols='=http,https' ;;
  http://*) fail "$plain" 2 ;;
esac

# Copies a file of the release: fetch NAME FILE
fetch() {
  case $from in
    http://* | https://*)
      if has curl; then
        curl -fsSL --proto "$protocols" --proto-redir "$protocols" "$from/$1" -o "$2"
      elif has wget; then
        # wget follows a redirect to plain http, too. The headers that it prints show that before the file is used.
        if ! wget -qS "$from/$1" -O "$2" 2>"$work/headers"; then
          cat "$work/headers" >&2
          false
        elif [ "$protocols" = =https ] && grep -qi '^ *location: *http:' "$work/headers"; then
          fail "$from/$1 redirects to plain http, so others on the network can replace it: nothing was installed"
        fi
      else
        fail 'neither curl nor wget is installed: download the archive and SHA256SUMS, then use --from DIR'
      fi || fail "cannot download $from/$1"
      ;;
    *)
      [ -f "$from/$1" ] || fail "$from has no $1"
      cp "$from/$1" "$2"
      ;;
  esac
}

if has sha256sum; then
  digest='sha256sum'
elif has shasum; then
  digest='shasum -a 256'
else
  fail 'neither sha256sum nor shasum is installed, so the archive cannot be checked'
fi

if [ -z "$from" ]; then
  if [ "$version" = latest ]; then from=$releases/latest/download; else from=$releases/download/v${version#v}; fi
fi
name=$(target)
mkdir -p "$to" || fail "cannot create $to"
to=$(CDPATH= cd -- "$to" && pwd)
work=$(mktemp -d "$to/.envsnap-install.XXXXXX") || fail "cannot write into $to"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Downloads, checks and unpacks the archive for a target, and asks the program for its version.
try() {
  archive=$program-$1.tar.gz
  fetch "$archive" "$work/$archive"
  expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $archive\$/\1/p" "$work/SHA256SUMS")
  [ -n "$expected" ] || fail "SHA256SUMS does not name $archive"
  actual=$($digest "$work/$archive" | cut -d ' ' -f 1)
  [ "$actual" = "$expected" ] || fail "the checksum of $archive does not match: nothing was installed"
  tar -xzf "$work/$archive" -C "$work" || fail "cannot unpack $archive: nothing was installed"
  unpacked=$work/$program-$1
  said=$("$unpacked/$program" --version 2>"$work/complaint")
}

fetch SHA256SUMS "$work/SHA256SUMS"
if ! try "$name"; then
  # A library is missing, such as libatomic in a small image: the other archive includes all of them.
  [ "$name" = linux-x64 ] && try linux-x64-any-libc || {
    cat "$work/complaint" >&2
    fail "$program does not start here: nothing was installed"
  }
fi

# The old program may be running; it keeps its file until it ends.
[ ! -d "$to/$program.d" ] || mv "$to/$program.d" "$work/replaced"
if [ -d "$unpacked/lib" ]; then
  # Its libraries stay beside the program. A script starts it, because following a link needs readlink, which may be missing.
  mv "$unpacked" "$to/$program.d"
  unpacked=$work
  cp "$to/$program.d/$program" "$work/$program"
  quoted=$(printf '%s' "$to/$program.d/$program" | sed "s/'/'\\\\''/g")
  printf '#!/bin/sh\nexec '\''%s'\'' "$@"\n' "$quoted" >"$work/$program"
fi
mv -f "$unpacked/$program" "$to/$program"

printf 'Installed %s as %s\n' "${said%% *}" "$to/$program"
case :${PATH:-}: in
  *":$to:"*) ;;
  *)
    printf '%s is not on PATH. Add this line to the file that your shell reads, such as ~/.profile:\n' "$to"
    printf '  export PATH="%s:$PATH"\n' "$to"
    ;;
esac
