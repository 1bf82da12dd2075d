// Which file names are dependency files, of which ecosystem and kind, and where their parsers are.
// A parser is imported when its first file is found, so that a capture loads no more than it needs.

import type { Ecosystem, FileFormat, FormatKind, Parser } from './format.ts';

type Names = FileFormat['names'];
type Options = Partial<Pick<FileFormat, 'reach' | 'voidBeside' | 'encoding'>>;

const workspace = { reach: 'tree' } as const;
const xml = { encoding: 'xml' } as const;

function row(
  names: Names,
  ecosystem: Ecosystem,
  kind: FormatKind,
  load: () => Promise<Parser>,
  options: Options = {},
): FileFormat {
  const scheme = ecosystem === 'python' || ecosystem === 'conda' ? 'pep440' : 'semver';
  return { names, ecosystem, kind, scheme, load, ...options };
}

const npm = () => import('./npm.ts');
const bun = () => import('./bun.ts');
const pythonLocks = () => import('./python-locks.ts');
const go = () => import('./go.ts');
const cargo = () => import('./cargo.ts');
const ruby = () => import('./ruby.ts');
const php = () => import('./php.ts');
const gradle = () => import('./gradle.ts');
const dotnet = () => import('./dotnet.ts');
const dart = () => import('./dart.ts');
const haskell = () => import('./haskell.ts');
const opam = async () => (await import('./opam.ts')).parseOpam;
const tools = () => import('./tools.ts');

/** All formats. Where several rows fit a file, exact names go before tests, and earlier rows before later ones. */
export const formats: readonly FileFormat[] = [
  row(['npm-shrinkwrap.json'], 'javascript', 'lock', async () => (await npm()).parseNpmLock, workspace),
  row(['package-lock.json'], 'javascript', 'lock', async () => (await npm()).parseNpmLock, {
    ...workspace,
    voidBeside: 'npm-shrinkwrap.json',
  }),
  row(['yarn.lock'], 'javascript', 'lock', async () => (await import('./yarn.ts')).parseYarnLock, workspace),
  row(
    ['pnpm-lock.yaml'],
    'javascript',
    'lock',
    async () => (await import('./pnpm.ts')).parsePnpmLock,
    workspace,
  ),
  row(['bun.lock'], 'javascript', 'lock', async () => (await bun()).parseBunLock, workspace),
  row(['bun.lockb'], 'javascript', 'lock', async () => (await bun()).parseBunBinaryLock, {
    voidBeside: 'bun.lock',
  }),
  row(['deno.lock'], 'javascript', 'lock', async () => (await import('./deno.ts')).parseDenoLock),
  row(['package.json'], 'javascript', 'manifest', async () => (await npm()).parsePackageJson),

  row(['poetry.lock'], 'python', 'lock', async () => (await pythonLocks()).parsePoetryLock),
  row(['uv.lock'], 'python', 'lock', async () => (await pythonLocks()).parseUvLock, workspace),
  row(['pdm.lock'], 'python', 'lock', async () => (await pythonLocks()).parsePdmLock),
  row(['Pipfile.lock'], 'python', 'lock', async () => (await pythonLocks()).parsePipfileLock),
  row(isPylock, 'python', 'lock', async () => (await pythonLocks()).parsePylock),
  row(['pyproject.toml'], 'python', 'manifest', async () => (await pythonLocks()).parsePyproject),
  row(['Pipfile'], 'python', 'manifest', async () => (await pythonLocks()).parsePipfile),
  row(
    isRequirementsFile,
    'python',
    'list',
    async () => (await import('./python-requirements.ts')).parseRequirements,
  ),
  row(isCondaEnvironment, 'conda', 'list', async () => (await import('./conda.ts')).parseCondaEnvironment),

  row(['Cargo.lock'], 'cargo', 'lock', async () => (await cargo()).parseCargoLock, workspace),
  row(['Cargo.toml'], 'cargo', 'manifest', async () => (await cargo()).parseCargoToml),

  // go.mod says which versions are selected; go.sum only which contents were ever checked.
  row(['go.mod'], 'go', 'list', async () => (await go()).parseGoMod),
  row(['go.sum'], 'go', 'lock', async () => (await go()).parseGoSum),
  row(isVendoredModules, 'go', 'lock', async () => (await go()).parseModulesTxt),

  row(['Gemfile.lock', 'gems.locked'], 'ruby', 'lock', async () => (await ruby()).parseGemfileLock),
  row(endsWith('.gemfile.lock'), 'ruby', 'lock', async () => (await ruby()).parseGemfileLock),
  row(['Gemfile', 'gems.rb'], 'ruby', 'manifest', async () => (await ruby()).parseGemfile),

  row(['composer.lock'], 'php', 'lock', async () => (await php()).parseComposerLock),
  row(['composer.json'], 'php', 'manifest', async () => (await php()).parseComposerJson),

  row(['pom.xml'], 'maven', 'list', async () => (await import('./maven.ts')).parsePom, xml),
  row(isGradleLock, 'gradle', 'lock', async () => (await gradle()).parseGradleLock, workspace),
  row(endsWith('.versions.toml'), 'gradle', 'manifest', async () => (await gradle()).parseVersionCatalog),
  row(
    ['verification-metadata.xml'],
    'gradle',
    'list',
    async () => (await gradle()).parseVerificationMetadata,
    xml,
  ),
  row(['build.sbt.lock'], 'scala', 'lock', async () => (await import('./scala.ts')).parseSbtLock),
  row(
    endsWith('maven_install.json'),
    'bazel',
    'lock',
    async () => (await import('./bazel.ts')).parseMavenInstall,
  ),

  row(['packages.lock.json'], 'dotnet', 'lock', async () => (await dotnet()).parseNugetLock),
  row(['paket.lock'], 'dotnet', 'lock', async () => (await import('./paket.ts')).parsePaketLock, workspace),
  row(['packages.config'], 'dotnet', 'list', async () => (await dotnet()).parsePackagesConfig, xml),
  row(['Directory.Packages.props'], 'dotnet', 'list', async () => (await dotnet()).parseCentralPackages, xml),
  row(isProjectFile, 'dotnet', 'manifest', async () => (await dotnet()).parseProjectFile, xml),

  row(['pubspec.lock'], 'dart', 'lock', async () => (await dart()).parsePubspecLock),
  row(['pubspec.yaml'], 'dart', 'manifest', async () => (await dart()).parsePubspec),
  row(['Podfile.lock'], 'cocoapods', 'lock', async () => (await import('./cocoapods.ts')).parsePodfileLock),
  row(['Package.resolved'], 'swift', 'lock', async () => (await import('./swift.ts')).parsePackageResolved),
  row(['mix.lock'], 'elixir', 'lock', async () => (await import('./elixir.ts')).parseMixLock),
  row(['stack.yaml.lock'], 'haskell', 'lock', async () => (await haskell()).parseStackLock),
  row(['cabal.project.freeze'], 'haskell', 'lock', async () => (await haskell()).parseCabalFreeze),
  row(isJuliaManifest, 'julia', 'lock', async () => (await import('./julia.ts')).parseJuliaManifest),
  row(['renv.lock'], 'r', 'lock', async () => (await import('./r.ts')).parseRenvLock),
  row(['conan.lock'], 'conan', 'lock', async () => (await import('./conan.ts')).parseConanLock),
  row(endsWith('.opam.locked'), 'ocaml', 'lock', opam),
  row(isOpamFile, 'ocaml', 'manifest', opam),

  row(['Chart.lock'], 'helm', 'lock', async () => (await import('./helm.ts')).parseChartLock),
  row(
    ['.terraform.lock.hcl'],
    'terraform',
    'lock',
    async () => (await import('./terraform.ts')).parseTerraformLock,
  ),
  row(['flake.lock'], 'nix', 'lock', async () => (await import('./nix.ts')).parseFlakeLock),
  row(isComposeFile, 'compose', 'list', async () => (await import('./compose.ts')).parseCompose),
  row(['.tool-versions'], 'tools', 'list', async () => (await tools()).parseToolVersions),
  row(['mise.toml', '.mise.toml'], 'tools', 'list', async () => (await tools()).parseMiseToml),
  row(['.nvmrc'], 'tools', 'list', async () => (await tools()).parseNvmrc),
];

function endsWith(ending: string): (name: string) => boolean {
  return (name) => name.endsWith(ending);
}

/** `requirements.txt`, `requirements-dev.txt`, `dev-requirements.txt`, `test_requirements.txt`, `requirements/dev.txt`. */
function isRequirementsFile(name: string, folderName: string): boolean {
  if (!name.endsWith('.txt')) return false;
  return (
    /(?:^|[-_.])requirements(?:[-_.].*)?\.txt$/i.test(name) ||
    (folderName === 'requirements' && !/^(?:readme|license)/i.test(name))
  );
}

function isPylock(name: string): boolean {
  return /^pylock(?:\.[^.]+)?\.toml$/.test(name);
}

function isCondaEnvironment(name: string): boolean {
  return /^environment(?:[-_.][\w.-]*)?\.ya?ml$/.test(name);
}

function isVendoredModules(name: string, folderName: string): boolean {
  return name === 'modules.txt' && folderName === 'vendor';
}

function isGradleLock(name: string, folderName: string): boolean {
  return (
    /^(?:buildscript-|settings-)?gradle\.lockfile$/.test(name) ||
    (folderName === 'dependency-locks' && name.endsWith('.lockfile'))
  );
}

function isProjectFile(name: string): boolean {
  return /\.(?:cs|fs|vb)proj$/.test(name);
}

function isJuliaManifest(name: string): boolean {
  return /^(?:Julia)?Manifest(?:-v\d+(?:\.\d+)?)?\.toml$/.test(name);
}

function isOpamFile(name: string): boolean {
  return name === 'opam' || name.endsWith('.opam');
}

function isComposeFile(name: string): boolean {
  return /^(?:docker-)?compose(?:[-.][\w.-]+)?\.ya?ml$/.test(name);
}

const byName = new Map<string, FileFormat>();
const byTest: FileFormat[] = [];
for (const format of formats) {
  if (typeof format.names === 'function') byTest.push(format);
  else for (const name of format.names) byName.set(name, format);
}

/** The format of a file by its name and the name of its folder; undefined for all other files. */
export function formatOf(name: string, folderName: string): FileFormat | undefined {
  return (
    byName.get(name) ??
    byTest.find((format) => typeof format.names === 'function' && format.names(name, folderName))
  );
}
