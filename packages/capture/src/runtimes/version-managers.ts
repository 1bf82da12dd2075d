// Version managers themselves; what they choose is found in `shims/`.

import { firstOf, ownText, type Tool, textFile, type VersionFromFiles } from './tool.ts';

/** rbenv and its relatives keep the number in the script that prints it. */
function scriptVersion(name: string): VersionFromFiles {
  const pattern = /^version="v?(\d[^"]*)"/m;
  return firstOf(textFile(`${name}---version`, pattern), textFile(`../libexec/${name}---version`, pattern));
}

export const versionManagers: readonly Tool[] = [
  { name: 'asdf', files: textFile('../version.txt'), args: ['--version'], withoutHome: true },
  { name: 'mise', withoutHome: true, env: { MISE_OFFLINE: '1' } },
  { name: 'volta', withoutHome: true },
  { name: 'fnm', withoutHome: true },
  { name: 'n', files: ownText(/^VERSION="v?(\d[^"]*)"/m), filesOnly: true },
  {
    name: 'nvm',
    executables: [],
    places: { linux: ['$NVM_DIR/nvm.sh', '~/.nvm/nvm.sh'], darwin: ['$NVM_DIR/nvm.sh', '~/.nvm/nvm.sh'] },
    files: textFile('package.json', /"version": *"([^"]+)"/),
    filesOnly: true,
  },
  {
    name: 'sdkman',
    executables: [],
    places: {
      linux: ['$SDKMAN_DIR/bin/sdkman-init.sh', '~/.sdkman/bin/sdkman-init.sh'],
      darwin: ['$SDKMAN_DIR/bin/sdkman-init.sh', '~/.sdkman/bin/sdkman-init.sh'],
    },
    files: textFile('../var/version'),
    filesOnly: true,
  },
  { name: 'pyenv', files: scriptVersion('pyenv'), filesOnly: true },
  { name: 'rbenv', files: scriptVersion('rbenv'), filesOnly: true },
  { name: 'nodenv', files: scriptVersion('nodenv'), filesOnly: true },
  { name: 'jenv', files: scriptVersion('jenv'), filesOnly: true },
  { name: 'goenv', files: firstOf(textFile('../APP_VERSION'), scriptVersion('goenv')), filesOnly: true },
  {
    name: 'rustup',
    // With a folder of its own it would write its settings, and start rustc to print a note.
    env: { RUSTUP_HOME: '/dev/null/none', RUSTUP_TOOLCHAIN: 'none', RUSTUP_AUTO_INSTALL: '0' },
    withoutHome: true,
    pattern: /^rustup (\d\S+)/m,
  },
  { name: 'juliaup', withoutHome: true },
  { name: 'ghcup', args: ['--numeric-version'], withoutHome: true },
  {
    name: 'tfenv',
    files: firstOf(textFile('../VERSION'), textFile('../CHANGELOG.md', /^## (\d\S+)/m)),
    filesOnly: true,
  },
  { name: 'proto', withoutHome: true },
  { name: 'direnv' },
  { name: 'devbox', args: ['version'], withoutHome: true },
];
