// Which differences in facts are everyday ones between healthy machines, and when such a fact tells something after all.
// The catalogue says what a fact can do; this page says which values of it any two machines of a team may have.

import type { FactName } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import type { ComparableEnvironment, Entry } from '../model/model.ts';

export interface FactSides {
  readonly a: ComparableEnvironment;
  readonly b: ComparableEnvironment;
}

/** True when the difference tells something although machines often differ in this fact. */
type Tells = (entry: Entry, sides: FactSides) => boolean;

const never: Tells = () => false;
/** Less than A has, and less than programs usually ask for. */
const fallsBelow =
  (enough: number): Tells =>
  ({ a, b }) =>
    numberOf(b) < numberOf(a) && numberOf(b) < enough;
const onOneDistribution: Tells = (_, { a, b }) => {
  const [left, right] = [distributionOf(a), distributionOf(b)];
  return left !== undefined && left === right;
};
const whereEitherIs =
  (value: string): Tells =>
  ({ a, b }) =>
    a === value || b === value;

/** Instructions that prebuilt programs are compiled for; newer ones are asked for before they are used. */
const baseFeatures = new Set([
  'sse4_2',
  'sse4.2',
  'ssse3',
  'popcnt',
  'aes',
  'avx',
  'avx2',
  'fma',
  'bmi2',
  'neon',
  'asimd',
  'atomics',
  'lse',
]);
const categoriesThatMatter = /LC_(?:ALL|CTYPE|COLLATE|NUMERIC|TIME|MESSAGES|MONETARY)|LANG/;

const megabyte = 1024 * 1024;

/** Facts in which healthy machines differ day by day. All others count as the catalogue says. */
const everyday: Partial<Record<FactName, Tells>> = {
  'limits.openFiles': fallsBelow(1024),
  'limits.stack': fallsBelow(8 * megabyte),
  'limits.fileSize': fallsBelow(Number.POSITIVE_INFINITY),
  'limits.addressSpace': fallsBelow(Number.POSITIVE_INFINITY),
  'limits.data': fallsBelow(Number.POSITIVE_INFINITY),
  'memory.limit': fallsBelow(8 * 1024 * megabyte),
  'cpu.features': ({ list }) =>
    list?.removed.some((feature) => baseFeatures.has(feature.toLowerCase())) ?? false,
  'kernel.inotifyWatches': fallsBelow(32_768),
  'kernel.inotifyInstances': fallsBelow(128),
  'kernel.maxMapCount': fallsBelow(65_530),
  'kernel.listenBacklog': fallsBelow(128),
  'kernel.unprivilegedPorts': never,
  'kernel.ptraceScope': never,
  'kernel.cgroupVersion': never,
  'kernel.selinux': never,
  'process.aslr': never,
  // Groups of their own or not: what distributions choose for new users.
  'process.umask': ({ a, b }) => !['0002', '0022'].includes(a ?? '') || !['0002', '0022'].includes(b ?? ''),
  'locale.installed': lacksLocaleInUse,
  'locale.categories': ({ list }) =>
    [...(list?.added ?? []), ...(list?.removed ?? [])].some((text) => categoriesThatMatter.test(text)),
  'time.tzdata': never,
  'time.localtime': never,
  'net.hosts': ({ list }) =>
    [...(list?.added ?? []), ...(list?.removed ?? [])].some((host) => host.includes('localhost')),
  'net.nameSources': never,
  'tls.certificates': never,
  'openssl.config': onOneDistribution,
  'openssl.securityLevel': onOneDistribution,
  'openssl.cryptoPolicy': onOneDistribution,
  'git.core.autocrlf': whereEitherIs('true'),
  'git.core.safecrlf': never,
  'git.core.precomposeUnicode': never,
  'git.core.attributesFile': never,
  'git.core.hooksPath': never,
  'git.commit.gpgSign': never,
  'git.tag.gpgSign': never,
  'git.init.defaultBranch': never,
  'git.pull.rebase': never,
  'git.submodule.recurse': never,
  'git.url.insteadOf': never,
  'git.lfs': never,
  'python.externallyManaged': never,
  'pip.options': never,
  'docker.context': never,
  'curl.config': never,
  'program.sh': acrossFamilies,
  'program.awk': acrossFamilies,
  'gpu.cuda': ({ a, b }) => a !== 'none' && b !== 'none',
  'fonts.installed': never,
};

/** Why a differing fact does not count by default although the catalogue counts it, or null where it does. */
export function everydayReason(entry: Entry, sides: FactSides): string | null {
  const tells = Object.hasOwn(everyday, entry.key) ? everyday[entry.key as FactName] : undefined;
  return tells === undefined || tells(entry, sides) ? null : 'healthy machines differ in it';
}

/** `unlimited` is more than any number. */
function numberOf(value: string | null): number {
  const number = Number(value);
  return value === null || Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
}

function distributionOf({ metadata }: ComparableEnvironment): string | undefined {
  const system = metadata?.system as { distribution?: { id?: unknown; version?: unknown } } | undefined;
  const { distribution } = system ?? {};
  if (typeof distribution === 'string') return distribution;
  return typeof distribution?.id === 'string'
    ? `${distribution.id} ${String(distribution.version)}`
    : undefined;
}

/** A locale that either side runs in, and that B does not have. */
function lacksLocaleInUse({ list }: Entry, { a, b }: FactSides): boolean {
  const used = [a, b].flatMap(({ envVars }) =>
    ['LC_ALL', 'LANG', 'LC_CTYPE', 'LC_COLLATE', 'LC_NUMERIC', 'LC_TIME'].map((name) =>
      spelling(envVars?.[name] ?? ''),
    ),
  );
  return list?.removed.some((locale) => used.includes(spelling(locale))) ?? false;
}

function spelling(locale: string): string {
  return locale.toLowerCase().replaceAll('-', '');
}

/** GNU against BusyBox or BSD; dash against bash and mawk against gawk differ from one distribution to the next. */
function acrossFamilies({ a, b }: Entry, { a: left, b: right }: FactSides): boolean {
  const family = (text: string | null) => (/busybox/i.test(text ?? '') ? 'busybox' : 'full');
  return left.os === right.os && family(a) !== family(b);
}
