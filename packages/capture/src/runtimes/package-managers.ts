// Package managers of languages and of systems.

import { condaRecord, gemVersion, rubygemsLibrary, rustManifest } from './installed-versions.ts';
import { pythonDistribution } from './python-distribution.ts';
import { firstOf, packageJson, pathText, type Tool } from './tool.ts';

/** The folder in Corepack's cache, for a Yarn that is one file without a manifest. */
const corepackFolder = pathText(/\/corepack\/v1\/\w+\/([^/]+)\//);

export const packageManagers: readonly Tool[] = [
  { name: 'npm', files: packageJson('npm') },
  { name: 'pnpm', files: firstOf(packageJson('pnpm', '@pnpm/exe'), corepackFolder) },
  {
    name: 'yarn',
    executables: ['yarn', 'yarnpkg'],
    files: firstOf(packageJson('yarn', '@yarnpkg/cli-dist'), corepackFolder),
  },
  { name: 'corepack', files: packageJson('corepack'), filesOnly: true },
  { name: 'pip', executables: ['pip3', 'pip'], files: pythonDistribution('pip'), heavy: true },
  { name: 'pipx', files: pythonDistribution('pipx'), withoutHome: true },
  { name: 'pipenv', files: pythonDistribution('pipenv'), withoutHome: true },
  { name: 'poetry', files: pythonDistribution('poetry'), withoutHome: true, heavy: true },
  { name: 'pdm', files: pythonDistribution('pdm'), withoutHome: true, heavy: true },
  { name: 'hatch', files: pythonDistribution('hatch'), withoutHome: true, heavy: true },
  { name: 'uv', args: ['--version'] },
  { name: 'rye', withoutHome: true },
  { name: 'pixi' },
  { name: 'conda', files: condaRecord, filesOnly: true },
  { name: 'mamba', files: condaRecord, filesOnly: true },
  { name: 'micromamba', withoutHome: true },
  { name: 'gem', files: rubygemsLibrary, heavy: true },
  {
    name: 'bundler',
    executables: ['bundle', 'bundler'],
    files: gemVersion('bundler'),
    withoutHome: true,
    heavy: true,
  },
  { name: 'cocoapods', executables: ['pod'], files: gemVersion('cocoapods'), filesOnly: true },
  { name: 'cargo', files: rustManifest },
  {
    name: 'composer',
    args: ['--version', '--no-ansi', '--no-interaction', '--no-plugins'],
    env: { COMPOSER_ALLOW_SUPERUSER: '1' },
    pattern: /Composer (?:version )?(\d\S+)/,
    withoutHome: true,
    heavy: true,
  },
  { name: 'luarocks', pattern: /luarocks\S{0,40} (\d\S+)/, withoutHome: true },
  { name: 'cpanm', pattern: /version (\d\S+)/ },
  { name: 'opam' },
  { name: 'stack', args: ['--numeric-version'], withoutHome: true },
  { name: 'cabal', args: ['--numeric-version'], withoutHome: true },
  { name: 'nuget', filesOnly: true },
  { name: 'vcpkg', filesOnly: true },
  { name: 'conan', files: pythonDistribution('conan'), filesOnly: true },
  { name: 'apt', debianPackage: 'apt' },
  { name: 'dpkg', pattern: /version (\d\S+)/, debianPackage: 'dpkg' },
  { name: 'rpm' },
  { name: 'dnf', executables: ['dnf', 'dnf5'], withoutHome: true, heavy: true },
  { name: 'zypper', withoutHome: true },
  { name: 'apk', pattern: /apk-tools (\d[^,\s]*)/ },
  { name: 'pacman', pattern: /Pacman v(\d\S+)/ },
  { name: 'brew', pattern: /Homebrew (\d\S+)/, heavy: true },
  { name: 'port', args: ['version'], pattern: /Version: (\d\S+)/ },
  { name: 'nix', pattern: /\) (\d\S+)/ },
  { name: 'guix', pattern: /\) (\d\S+)/, withoutHome: true },
  { name: 'flatpak' },
  { name: 'winget', withoutHome: true },
  { name: 'choco', filesOnly: true },
  { name: 'scoop', filesOnly: true },
];
