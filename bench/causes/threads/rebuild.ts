// Rebuilds a public thread as two environments: machines of the kinds that the thread names, a project of its ecosystem, six
// everyday differences that could be the cause and are not, and the differences that the thread describes.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { factRow } from '../../../packages/shared/src/catalogue/facts/fact-catalogue.ts';
import { fitsRequirement } from '../../../packages/versions/src/requirement.ts';
import { type BuiltEnvironment, createEnvironment } from '../environment.ts';
import { createMachine, type MachineKind } from '../machines.ts';
import { type ProjectName, projectNames, projects } from '../projects.ts';
import { createRandom, type Random } from '../random.ts';
import type { Thread } from '../threads.ts';

type Values = readonly [works: string | null, fails: string | null];

const laptops: readonly MachineKind[] = ['zsh laptop', 'fish laptop'];
const runners: readonly MachineKind[] = ['github runner', 'github runner', 'gitlab runner', 'circle runner'];

/** An address and its values where it works and where it fails. */
type Rival = readonly [address: string, works: string | null, fails: string | null];
type Named<Value> = Readonly<Record<string, Value>>;

const { projectsOf, toolsOf, zones, rivals, rivalsOf } = load(
  readFileSync(new URL('../rebuild.yaml', import.meta.url), 'utf8'),
) as {
  readonly projectsOf: Named<readonly ProjectName[]>;
  readonly toolsOf: Named<readonly string[]>;
  readonly zones: Named<string>;
  readonly rivals: readonly Rival[];
  readonly rivalsOf: Named<readonly Rival[]>;
};

/** Addresses that the environments built here cannot have. */
const notRebuilt = /^(?:checkout\.(?!lineEnds$|shallow$)|fields\.|facts\.path\.programs$)/;

export interface RebuiltThread {
  readonly works: BuiltEnvironment;
  readonly fails: BuiltEnvironment;
}

/** Threads give the folder of rpm's database, captures give its file. */
export const rpm = '/var/lib/rpm';
export const rpmDatabase = `${rpm}/rpmdb.sqlite`;

/** The two environments of a thread, the same for the same draw; undefined if they cannot have its cause. */
export async function rebuildThread(one: Thread, draw: number): Promise<RebuiltThread | undefined> {
  if (Object.keys(one.cause).some((address) => notRebuilt.test(address))) return undefined;
  const random = createRandom(`${one.thread}/${draw}`);
  const project = projectOf(one, random);
  const zone = random.pick(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata']);
  const build = async (side: 'works' | 'fails') => {
    const machine = createMachine(kindOf(one[side], random), `${one.thread}/${draw}/${side}`, zone);
    const environment = await createEnvironment(machine, project);
    describe(environment, one, side);
    return environment;
  };
  const works = await build('works');
  const fails = await build('fails');
  const described = { ...one.beside, ...one.follows, ...one.cause };
  const free = [...(rivalsOf[one.ecosystem] ?? []), ...rivals].filter(([address]) => !(address in described));
  const drawn = random.some(free, 6, 6).map(([address, ...values]) => [address, values] as const);
  for (const [address, values] of [...drawn, ...Object.entries(described)])
    if (!notRebuilt.test(address)) place(address, values, works, fails);
  for (const environment of [works, fails]) declare(environment, one);
  // Names a run as `envsnap run` does.
  if (one.command !== undefined) fails.metadata.outcome = { result: 'failed', of: one.command };
  return { works, fails };
}

function projectOf(one: Thread, random: Random): ProjectName {
  const files = Object.keys(one.cause).flatMap((address) => fileOf(address) ?? []);
  const holding = projectNames.filter((name) => files.some((file) => file in projects[name].dependencies));
  return random.pick(holding.length > 0 ? holding : (projectsOf[one.ecosystem] ?? projectNames));
}

function kindOf({ os, kind }: Thread['works'], random: Random): MachineKind {
  if (os === 'darwin') return 'mac laptop';
  if (kind === 'ci') return random.pick(runners);
  if (kind === 'container' || kind === 'server') return 'container';
  return kind === 'wsl' ? 'wsl laptop' : random.pick(laptops);
}

/** What the thread says about the machine itself, and the tools that its project certainly calls. */
function describe(environment: BuiltEnvironment, one: Thread, side: 'works' | 'fails'): void {
  const { os, arch, distribution, libc } = one[side];
  if (os) Object.assign(environment, { os });
  if (arch) Object.assign(environment, { arch });
  const system = environment.metadata.system;
  if (distribution) system.distribution = distributionOf(distribution);
  if (libc) system.libc = libcOf(libc);
  const program = one.command?.split(/\s+/)[0];
  const facts = environment.metadata.project;
  environment.metadata.project = {
    ...facts,
    tools: [...new Set([...facts.tools, ...(toolsOf[one.ecosystem] ?? []), ...(program ? [program] : [])])],
  };
}

function declare(environment: BuiltEnvironment, one: Thread): void {
  for (const [address, version] of Object.entries(one.declares ?? {})) {
    const [, tool] = /^toolchain\.(.+)$/.exec(address) ?? [];
    if (tool === undefined) continue;
    const present = environment.runtimeVersions[tool];
    const satisfied = present === undefined ? undefined : fitsRequirement(present, version, 'npm');
    Object.assign(environment.metadata.toolchain, {
      [tool]: {
        ...(present && { present }),
        declared: [{ source: 'package.json', version, ...(satisfied !== undefined && { satisfied }) }],
      },
    });
  }
}

/** Puts the two values of an address into the two environments. */
function place(address: string, values: Values, works: BuiltEnvironment, fails: BuiltEnvironment): void {
  const [, section = '', name = ''] = /^(\w+)[.:]?(.*)$/s.exec(address) ?? [];
  if (section === 'installed') {
    putInstalled(name, values, works, fails);
    return;
  }
  for (const [environment, own, other] of [
    [works, values[0], values[1]],
    [fails, values[1], values[0]],
  ] as const)
    put(
      environment,
      section,
      name,
      (section === 'facts' ? openAmount(own, other, environment === fails) : undefined) ??
        concrete(own, other, presentValue(environment, section, name)),
    );
}

function put(environment: BuiltEnvironment, section: string, name: string, value: string | null): void {
  const { metadata } = environment;
  switch (section) {
    case 'os':
    case 'arch':
      Object.assign(environment, { [section]: value });
      return;
    case 'runtimes':
      set(environment.runtimeVersions, name, value === null ? null : fullVersion(value));
      return;
    case 'env':
    case 'paths':
      set(environment.envVars, name, value === null || !isSecret(name) ? value : fingerprint(value));
      if (name === 'TZ' && value !== null) metadata.timezone = zones[value] ?? value;
      if (name === 'LANG' || name === 'LC_ALL') metadata.locale = value ?? 'C';
      return;
    case 'facts':
      set(metadata.facts, name, value === null ? null : factValue(name, value));
      return;
    case 'system':
      putSystem(metadata, name, value);
      return;
    case 'checkout':
      metadata.checkout ??= {};
      if (name === 'shallow') metadata.checkout = value === 'true' ? { shallow: true } : {};
      else if (value === 'crlf')
        metadata.checkout = { changed: { count: 1, files: { 'run.sh': 'line ends' } } };
      return;
    default:
      putPackage(environment, name, value);
  }
}

function putSystem(metadata: BuiltEnvironment['metadata'], name: string, value: string | null): void {
  if (name === 'timezone')
    metadata.timezone = value === 'given' ? 'Europe/Paris' : (zones[value ?? ''] ?? value ?? 'UTC');
  else if (name === 'locale') metadata.locale = localeOf(value);
  else {
    const read = name === 'libc' ? libcOf : name === 'distribution' ? distributionOf : (text: string) => text;
    set(metadata.system, name, value === null ? null : read(value));
  }
}

function putPackage(environment: BuiltEnvironment, name: string, value: string | null): void {
  const file = fileOf(`dependencies:${name}`) ?? '';
  const database = file === rpm ? rpmDatabase : file;
  const packages = { ...environment.dependencies[database] };
  environment.dependencies[database] = packages;
  set(packages, name.slice(file.length + 1), value === null ? null : fullVersion(value));
}

/** The lock files of both sides have the version with which it works. */
function putInstalled(
  name: string,
  [works, fails]: Values,
  worksOn: BuiltEnvironment,
  failsOn: BuiltEnvironment,
): void {
  const locked = concrete(works, fails, undefined);
  for (const environment of [worksOn, failsOn]) putPackage(environment, name, locked);
  const file = fileOf(`installed:${name}`) ?? '';
  const there = concrete(fails, works, undefined);
  const packages = { [name.slice(file.length + 1)]: there === null ? '' : fullVersion(there) };
  failsOn.metadata.installed = { ...failsOn.metadata.installed, [file]: packages };
}

function set<Value>(record: Record<string, Value>, name: string, value: Value | null): void {
  if (value === null) delete record[name];
  else record[name] = value;
}

function presentValue(environment: BuiltEnvironment, section: string, name: string): string | undefined {
  const { runtimeVersions, envVars, metadata } = environment;
  const facts = metadata.facts;
  const found = { runtimes: runtimeVersions[name], env: envVars[name], facts: facts[name] }[section];
  return found === undefined ? undefined : String(found);
}

/** An amount that the thread does not give for one side: half of the working one, or twice the failing one. */
function openAmount(own: string | null, other: string | null, isFailing: boolean): string | undefined {
  if (own !== '?' || !/^\d+$/.test(other ?? '')) return undefined;
  return String(isFailing ? Math.floor(Number(other) / 2) : 2 * Number(other));
}

/** A value for one that the thread does not give (`?`, `latest`) or gives as a range; differs from the other side's. */
function concrete(own: string | null, other: string | null, present: string | undefined): string | null {
  if (own === null) return null;
  if (own !== '?' && own !== 'latest') return ofRange(own);
  const opposite = other === null ? undefined : ofRange(other);
  if (present !== undefined && present !== opposite) return present;
  if (opposite === 'true' || opposite === 'false') return opposite === 'true' ? 'false' : 'true';
  const [, major] = /^v?(\d+)(?:\.|$)/.exec(opposite ?? '') ?? [];
  return major === undefined ? 'given' : (opposite?.replace(/\d+/, String(Number(major) + 1)) ?? null);
}

function ofRange(text: string): string {
  const [, operator = '', version = ''] = /^([<>]=?|=|~|\^)?\s*(.*)$/s.exec(text) ?? [];
  return operator === '<' ? below(version) : version;
}

/** A version just below: `3.12` becomes `3.11`, `2.0.0` becomes `1.9.0`. */
function below(version: string): string {
  const numbers = version.replace(/^\D+/, '').split('.').map(Number);
  const last = numbers.findLastIndex((number) => number > 0);
  const prefix = /^\D*/.exec(version)?.[0] ?? '';
  if (last < 0) return version;
  return (
    prefix +
    numbers.map((number, index) => (index === last ? number - 1 : index > last ? 9 : number)).join('.')
  );
}

/** Captures have complete versions. */
function fullVersion(text: string): string {
  return /^\d+$/.test(text) ? `${text}.0.0` : /^\d+\.\d+$/.test(text) ? `${text}.0` : text;
}

function factValue(name: string, text: string): BuiltEnvironment['metadata']['facts'][string] {
  if (text === 'true' || text === 'false') return text === 'true';
  const kind = factRow(name)?.kind;
  if (kind === 'list' || kind === 'set') return text.split(/,\s*/);
  return /^\d+$/.test(text) && kind !== 'text' ? Number(text) : text;
}

function libcOf(text: string): Record<string, string> {
  const [name = 'glibc', version = name === 'musl' ? '1.2.5' : '2.39'] = text.split(' ');
  return name === 'given' ? { name: 'glibc', version: '2.39' } : { name, version };
}

function distributionOf(text: string): Record<string, string> {
  const [id = 'debian', version = ''] = text.split(' ');
  return { id, version };
}

function localeOf(value: string | null): string {
  if (value === null) return 'C';
  return value === 'German'
    ? 'de_DE.UTF-8'
    : value === 'given'
      ? 'en_US.UTF-8'
      : value.replace(/utf8$/, 'UTF-8');
}

function isSecret(name: string): boolean {
  return /TOKEN|SECRET|PASSWORD|KEY$/.test(name);
}

function fingerprint(value: string): string {
  return value === '' ? '' : `hmac:${createRandom(value).hex(32)}`;
}

/** The file of a package's address; undefined for other addresses. */
function fileOf(address: string): string | undefined {
  const [, rest] = /^(?:dependencies|installed):(.+)$/.exec(address) ?? [];
  if (rest === undefined) return undefined;
  const known = ['/var/lib/dpkg/status', '/lib/apk/db/installed', '/var/lib/rpm'].find((file) =>
    rest.startsWith(file),
  );
  return known ?? /^(.*?\.(?:json|lock|yaml|yml|txt|toml|gradle|xml|mod)|[^/]+)\//.exec(rest)?.[1];
}
