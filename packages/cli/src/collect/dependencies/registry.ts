// Which file names are dependency files, of which ecosystem and kind, and where their parsers are.
// A parser is imported when its first file is found, so that a capture loads no more than it needs.

import type { FileFormat } from './format.ts';

const javascript = { ecosystem: 'javascript', scheme: 'semver' } as const;
const python = { ecosystem: 'python', scheme: 'pep440' } as const;

/** All formats. Where several rows fit a file, the first counts. */
export const formats: readonly FileFormat[] = [
  {
    ...javascript,
    names: ['npm-shrinkwrap.json'],
    kind: 'lock',
    reach: 'tree',
    load: async () => (await import('./npm.ts')).parseNpmLock,
  },
  {
    ...javascript,
    names: ['package-lock.json'],
    kind: 'lock',
    reach: 'tree',
    voidBeside: 'npm-shrinkwrap.json',
    load: async () => (await import('./npm.ts')).parseNpmLock,
  },
  {
    ...javascript,
    names: ['yarn.lock'],
    kind: 'lock',
    reach: 'tree',
    load: async () => (await import('./yarn.ts')).parseYarnLock,
  },
  {
    ...javascript,
    names: ['pnpm-lock.yaml'],
    kind: 'lock',
    reach: 'tree',
    load: async () => (await import('./pnpm.ts')).parsePnpmLock,
  },
  {
    ...javascript,
    names: ['package.json'],
    kind: 'manifest',
    load: async () => (await import('./npm.ts')).parsePackageJson,
  },
  {
    ...python,
    names: isRequirementsFile,
    kind: 'list',
    load: async () => (await import('./python-requirements.ts')).parseRequirements,
  },
  {
    names: ['go.mod'],
    ecosystem: 'go',
    kind: 'list',
    scheme: 'semver',
    load: async () => (await import('./go.ts')).parseGoMod,
  },
  {
    names: ['go.sum'],
    ecosystem: 'go',
    kind: 'lock',
    scheme: 'semver',
    load: async () => (await import('./go.ts')).parseGoSum,
  },
  {
    names: (name, folderName) => name === 'modules.txt' && folderName === 'vendor',
    ecosystem: 'go',
    kind: 'lock',
    scheme: 'semver',
    load: async () => (await import('./go.ts')).parseModulesTxt,
  },
  {
    names: ['Cargo.lock'],
    ecosystem: 'cargo',
    kind: 'lock',
    reach: 'tree',
    scheme: 'semver',
    load: async () => (await import('./cargo.ts')).parseCargoLock,
  },
  {
    names: ['Cargo.toml'],
    ecosystem: 'cargo',
    kind: 'manifest',
    scheme: 'semver',
    load: async () => (await import('./cargo.ts')).parseCargoToml,
  },
];

/** `requirements.txt`, `requirements-dev.txt`, `dev-requirements.txt`, `test_requirements.txt`, `requirements/dev.txt`. */
function isRequirementsFile(name: string, folderName: string): boolean {
  if (!name.endsWith('.txt')) return false;
  return /^(?:[\w.-]*[-_.])?requirements(?:[-_.][\w.-]*)?\.txt$/i.test(name) || folderName === 'requirements';
}

const byName = new Map<string, FileFormat>();
const byPattern: FileFormat[] = [];
for (const format of formats) {
  if (typeof format.names === 'function') byPattern.push(format);
  else for (const name of format.names) if (!byName.has(name)) byName.set(name, format);
}

/** The format of a file by its name and the name of its folder; undefined for all other files. */
export function formatOf(name: string, folderName: string): FileFormat | undefined {
  return (
    byName.get(name) ??
    byPattern.find((format) => typeof format.names === 'function' && format.names(name, folderName))
  );
}
