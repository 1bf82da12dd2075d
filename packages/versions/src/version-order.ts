// In which order several versions of one name are written. Not for judging how far versions are apart.

/** `semver` also serves formats whose versions look alike (any count of numbers, `-` or letters for a prerelease). */
export type VersionScheme = 'semver' | 'pep440';

/** Numbers first, then a rank that tells releases from pre- and post-releases, then the rest. */
interface VersionKey {
  readonly text: string;
  readonly epoch: string;
  /** Undefined when the text does not begin with a number: such texts (URLs, ranges) come last. */
  readonly release: readonly string[] | undefined;
  readonly suffix: readonly string[];
  /** Below 0: prerelease; 0: release; above 0: post-release. */
  readonly rank: number;
}

const releasePattern = /^[vV=]?(\d{1,100}(?:\.\d{1,100}){0,20})/;
const digits = /^\d+$/;

function semverKey(text: string): VersionKey {
  const release = releasePattern.exec(text);
  if (!release) return { text, epoch: '0', release: undefined, suffix: [], rank: 0 };
  let rest = text.slice(release[0].length);
  const build = rest.indexOf('+');
  if (build !== -1) rest = rest.slice(0, build);
  if (/^[.-]?(?:final|ga|release)$/i.test(rest)) rest = '';
  return {
    text,
    epoch: '0',
    release: (release[1] as string).split('.'),
    suffix: rest === '' ? [] : rest.replace(/^[-._]/, '').split('.'),
    rank: rest === '' ? 0 : -1,
  };
}

const pythonPattern = /^v?(?:(\d{1,100})!)?(\d{1,100}(?:\.\d{1,100}){0,20})(.*)$/is;
const pythonSuffix = /[-_.]?(alpha|a|beta|b|preview|pre|c|rc|post|rev|r|dev)[-_.]?(\d{0,100})/gi;
const pythonRanks: Record<string, number> = {
  dev: -4,
  a: -3,
  alpha: -3,
  b: -2,
  beta: -2,
  c: -1,
  rc: -1,
  pre: -1,
  preview: -1,
};

function pythonKey(text: string): VersionKey {
  const match = pythonPattern.exec(text);
  if (!match) return { text, epoch: '0', release: undefined, suffix: [], rank: 0 };
  const [publicPart = '', ...local] = (match[3] ?? '').split('+');
  const suffix: string[] = [];
  let rank: number | undefined;
  // PEP 440: the first of pre, post and dev decides where a version stands; the later ones order those that share it.
  for (const [, word = '', count = ''] of publicPart.slice(0, 200).matchAll(pythonSuffix)) {
    const level = pythonRanks[word.toLowerCase()] ?? 1;
    rank ??= level;
    suffix.push(String(level + 5), count || '0');
  }
  // `1.0a1` is newer than `1.0a1.dev2` and older than `1.0a1.post3`: the end of a version ranks between the two.
  suffix.push('5');
  return {
    text,
    epoch: match[1] ?? '0',
    release: trimZeros((match[2] as string).split('.')),
    suffix: [...suffix, ...(local.length > 0 ? local.join('+').split(/[-_.]/) : [])],
    rank: rank ?? 0,
  };
}

function trimZeros(parts: string[]): string[] {
  let end = parts.length;
  while (end > 1 && /^0+$/.test(parts[end - 1] as string)) end -= 1;
  return parts.slice(0, end);
}

function compareNumbers(a: string, b: string): number {
  const left = a.replace(/^0+(?=\d)/, '');
  const right = b.replace(/^0+(?=\d)/, '');
  return left.length - right.length || compareText(left, right);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareIdentifiers(a: string, b: string): number {
  const numericA = digits.test(a);
  const numericB = digits.test(b);
  if (numericA && numericB) return compareNumbers(a, b);
  if (numericA !== numericB) return numericA ? -1 : 1;
  return compareText(a, b);
}

function compareLists(
  a: readonly string[],
  b: readonly string[],
  compare: (a: string, b: string) => number,
): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const order = compare(a[index] as string, b[index] as string);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareKeys(a: VersionKey, b: VersionKey): number {
  if (!a.release || !b.release) {
    if (a.release) return -1;
    if (b.release) return 1;
    return compareText(a.text, b.text);
  }
  return (
    compareNumbers(a.epoch, b.epoch) ||
    compareLists(a.release, b.release, compareNumbers) ||
    a.rank - b.rank ||
    compareLists(a.suffix, b.suffix, compareIdentifiers) ||
    compareText(a.text, b.text)
  );
}

/** Versions from old to new; what is no version (a URL, a range) comes last. A total order: the same set, one result. */
export function orderVersions(versions: readonly string[], scheme: VersionScheme): string[] {
  const toKey = scheme === 'pep440' ? pythonKey : semverKey;
  return versions
    .map(toKey)
    .sort(compareKeys)
    .map((key) => key.text);
}
