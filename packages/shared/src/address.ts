// Addresses: one name for one value of an environment (`runtimes.node`, `env:TZ`, `dependencies:package-lock.json/zod`). The only
// place that parses and prints them, older spellings included. Without zod, so that small programs can load it.

/** The sections of a comparison, in the order in which they are shown. */
export const sectionNames = [
  'os',
  'arch',
  'system',
  'facts',
  'runtimes',
  'toolchain',
  'checkout',
  'dependencies',
  'installed',
  'env',
  'paths',
] as const;
export type SectionName = (typeof sectionNames)[number];

/** `metadata` holds values that no comparison shows: the CI service, where tools are, additions of the caller. */
export type AddressSection = SectionName | 'machineName' | 'metadata';

/** Names one value of an environment. Create one with {@link toAddress} or {@link parseAddress}. */
export interface Address {
  readonly section: AddressSection;
  /**
   * The name within the section: `node`, `TZ`, `limits.openFiles`. Packages are `FILE/PACKAGE`. The sections `os`,
   * `arch` and `machineName` have one value each, with the name of the section.
   */
  readonly name: string;
}

export const addressForms =
  'os, arch, runtimes.NAME, dependencies:FILE/PACKAGE, env:NAME, system.FACT, facts.FACT or metadata.PATH';

/** Sections with a single value; the section alone names it. */
const single: ReadonlySet<string> = new Set(['os', 'arch', 'machineName']);
/** Sections whose names may contain any slashes and dots, so a colon precedes them. */
const withColon: ReadonlySet<string> = new Set(['dependencies', 'installed', 'env', 'paths']);
const known: ReadonlySet<string> = new Set([...sectionNames, 'machineName', 'metadata']);

/** Aliases of sections: fields of a snapshot, and words that people use in policies. */
const olderSections: ReadonlyMap<string, SectionName> = new Map([
  ['envVars', 'env'],
  ['variables', 'env'],
  ['variable', 'env'],
  ['runtime', 'runtimes'],
  ['runtimeVersions', 'runtimes'],
  ['dependency', 'dependencies'],
  ['deps', 'dependencies'],
  ['path', 'paths'],
]);

/** Fields of a snapshot's metadata whose values have a section: `metadata.facts.process.umask` is `facts.process.umask`. */
const metadataSections: ReadonlySet<string> = new Set(['system', 'facts', 'toolchain', 'checkout']);
/** Facts about the system that a snapshot holds beside `metadata.system`. */
export const factsBesideSystem: ReadonlySet<string> = new Set(['locale', 'timezone', 'shell']);
/** Values about a snapshot's git repository. Other names that begin with `git.` are facts. */
const revisionNames: ReadonlySet<string> = new Set(['commit', 'branch', 'dirty']);

/** The section with that name or alias; undefined for anything else. */
export function sectionOf(text: string): SectionName | undefined {
  return sectionNames.find((name) => name === text) ?? olderSections.get(text);
}

/** The address of a name in a section, both in any spelling; undefined if there is none. */
export function toAddress(section: string, name: string): Address | undefined {
  if (name === '') return undefined;
  if (section === 'metadata') return metadataAddress(name);
  if (section === 'git')
    return revisionNames.has(name)
      ? { section: 'checkout', name }
      : { section: 'metadata', name: `git.${name}` };
  const found = sectionOf(section) ?? (known.has(section) ? (section as AddressSection) : undefined);
  if (found === undefined || (single.has(found) && name !== found)) return undefined;
  // A package without its file is not an address.
  if (found === 'dependencies' && !name.includes('/')) return undefined;
  return { section: found, name };
}

function metadataAddress(path: string): Address | undefined {
  const dot = path.indexOf('.');
  const first = dot < 0 ? path : path.slice(0, dot);
  const rest = dot < 0 ? '' : path.slice(dot + 1);
  if (factsBesideSystem.has(first)) return { section: 'system', name: path };
  if (rest !== '' && (metadataSections.has(first) || (first === 'git' && revisionNames.has(rest))))
    return toAddress(first, rest);
  return { section: 'metadata', name: path };
}

/** Parses an address in any spelling; undefined for other text. The section ends at the first dot or colon. */
export function parseAddress(text: string): Address | undefined {
  if (single.has(text)) return { section: text as AddressSection, name: text };
  const match = /^([A-Za-z]+)[.:](.+)$/s.exec(text);
  return match ? toAddress(match[1] as string, match[2] as string) : undefined;
}

/** The canonical spelling: `runtimes.node`, `env:TZ`. Parsing it gives the same address. */
export function printAddress({ section, name }: Address): string {
  if (single.has(section)) return section;
  return `${section}${withColon.has(section) ? ':' : '.'}${name}`;
}

/** Whether an address is a variable's. Its value may be a secret. */
export function isVariableAddress({ section }: Address): boolean {
  return section === 'env' || section === 'paths';
}
