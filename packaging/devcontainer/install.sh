#!/bin/sh
# Installs the envsnap of this feature's version. install-envsnap.sh, which the release puts beside this file, checks it.
set -eu
exec sh "$(dirname "$0")/install-envsnap.sh" --version "@VERSION@" --to /usr/local/bin
