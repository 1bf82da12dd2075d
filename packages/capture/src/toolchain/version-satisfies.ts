// Tells whether the version that is present is one that the folder declares.

import type { DeclaredVersion } from './declared-version.ts';

/** Node.js's names of its long-term lines. */
const nodeLines: Readonly<Record<string, string>> = {
  argon: '4',
  boron: '6',
  carbon: '8',
  dubnium: '10',
  erbium: '12',
  fermium: '14',
  gallium: '16',
  hydrogen: '18',
  iron: '20',
  jod: '22',
  krypton: '24',
};

/** Undefined where it cannot be told, as with `lts/*`, `stable`, `latest` or a range that does not parse. */
export async function satisfies(declaration: DeclaredVersion, present: string): Promise<boolean | undefined> {
  const { declared, rule, alternatives = [] } = declaration;
  switch (rule) {
    case 'prefix': {
      const answers = [declared, ...alternatives].map((version) => satisfiesPrefix(version, present));
      if (answers.includes(true)) return true;
      return answers.includes(undefined) ? undefined : false;
    }
    case 'minimum':
      return compareNumbers(numbersOf(present), numbersOf(declared)) >= 0;
    case 'sdk':
      return satisfiesSdk(declared, declaration.rollForward ?? 'latestPatch', present);
    case 'npm-range':
      return satisfiesNpmRange(declared, present);
    case 'python-range':
      return satisfiesPythonRange(declared, present);
  }
}

/** `22`, `v22.1`, `3.12.1`, `temurin-17.0.2+8`, `ruby-3.2`, `lts/iron`: as far as it is written, it must agree. */
function satisfiesPrefix(declared: string, present: string): boolean | undefined {
  const line = /^lts\/(\w+)$/i.exec(declared)?.[1]?.toLowerCase();
  const wanted = line ? nodeLines[line] : declared.replace(/^prefix:/, '');
  if (wanted === undefined) return undefined;
  const version =
    /^(?:[a-z][\w.]*[-@])*v?(\d+(?:\.\d+)*)((?:[-.]?(?:a|b|rc|alpha|beta|preview|nightly|ea)[\w.-]*)?)/i.exec(
      wanted,
    );
  if (!version?.[1]) {
    if (/^nightly/.test(wanted)) return present.includes('nightly');
    return undefined;
  }
  const [, numbers = '', preview = ''] = version;
  if (preview && !present.toLowerCase().includes(preview.replace(/^[-.]/, '').toLowerCase())) return false;
  const wantedNumbers = numbersOf(numbers);
  const presentNumbers = numbersOf(present);
  // Java 8 calls itself 1.8.
  if (presentNumbers[0] === 1 && presentNumbers[1] === 8 && wantedNumbers[0] === 8) presentNumbers.shift();
  return wantedNumbers.every((number, index) => number === (presentNumbers[index] ?? 0));
}

function numbersOf(version: string): number[] {
  return (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').filter(Boolean).map(Number);
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

async function satisfiesNpmRange(range: string, present: string): Promise<boolean | undefined> {
  const { default: semver } = await import('semver');
  if (semver.validRange(range) === null) return undefined;
  const version = semver.valid(present) ?? semver.coerce(present)?.version;
  return version === undefined ? undefined : semver.satisfies(version, range, { includePrerelease: true });
}

/** .NET: patch and feature band in the third number; bands are hundreds. */
function satisfiesSdk(declared: string, rollForward: string, present: string): boolean | undefined {
  const [major = 0, minor = 0, patch = 0] = numbersOf(declared);
  const [hasMajor = 0, hasMinor = 0, hasPatch = 0] = numbersOf(present);
  const sameMinor = major === hasMajor && minor === hasMinor;
  const sameBand = sameMinor && Math.floor(patch / 100) === Math.floor(hasPatch / 100);
  const notOlder = compareNumbers([hasMajor, hasMinor, hasPatch], [major, minor, patch]) >= 0;
  switch (rollForward) {
    case 'disable':
      return sameBand && patch === hasPatch;
    case 'patch':
    case 'latestPatch':
      return sameBand && notOlder;
    case 'feature':
    case 'latestFeature':
      return sameMinor && notOlder;
    case 'minor':
    case 'latestMinor':
      return major === hasMajor && notOlder;
    case 'major':
    case 'latestMajor':
      return notOlder;
    default:
      return undefined;
  }
}

/** PEP 440's comparisons joined by commas, and Poetry's caret; other forms cannot be told. */
function satisfiesPythonRange(range: string, present: string): boolean | undefined {
  const presentNumbers = numbersOf(present);
  const alternatives = range.split('||').map((alternative) => {
    const answers = alternative
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => satisfiesComparison(part, presentNumbers));
    if (answers.includes(false)) return false;
    return answers.includes(undefined) ? undefined : true;
  });
  if (alternatives.includes(true)) return true;
  return alternatives.includes(undefined) ? undefined : false;
}

function satisfiesComparison(part: string, present: readonly number[]): boolean | undefined {
  const [, operator = '', text = '', wildcard] =
    /^(===|==|!=|~=|>=|<=|>|<|\^|~)?\s*v?(\d+(?:\.\d+)*)(\.\*)?$/.exec(part) ?? [];
  if (text === '') return part === '*' ? true : undefined;
  const wanted = numbersOf(text);
  const difference = compareNumbers(present, wanted);
  const startsSame = wanted.every((number, index) => number === (present[index] ?? 0));
  const upTo = (kept: number): boolean =>
    wanted.slice(0, kept).every((number, index) => number === present[index]);
  switch (operator) {
    case '>=':
      return difference >= 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    case '<':
      return difference < 0;
    case '!=':
      return wildcard ? !startsSame : difference !== 0;
    case '~=':
      return difference >= 0 && upTo(wanted.length - 1);
    case '^':
      return difference >= 0 && upTo(1);
    case '~':
      return difference >= 0 && upTo(Math.min(2, wanted.length));
    default:
      return wildcard || operator === '' ? startsSame : difference === 0;
  }
}
