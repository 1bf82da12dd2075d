#!/usr/bin/env bash
# Installs envsnap beside the job, not into it: nothing is put on the PATH, so the environment that is captured stays
# the job's own. A Node.js that envsnap can run on comes along where the runner's own is too old.
set -euo pipefail
folder="$RUNNER_TEMP/envsnap"
mkdir -p "$folder"
# Whoever pins the action pins the program with it.
own=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$GITHUB_ACTION_PATH/packages/cli/package.json" | head -n 1)
packages=("envsnap@${INPUT_VERSION:-$own}")
if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 15) ? 0 : 1)'; then
  packages+=("node@24")
fi
npm install --prefix "$folder" --no-save --no-audit --no-fund --loglevel=error "${packages[@]}"
