// The one evaluator of requirements (`>=22 <25`, `^3.9`, `3.12.*`, `~=3.11`, `~> 3.2`): over semver, and over PEP 440
// for Python. `declaration.ts` interprets declarations of version managers.

import { type Ecosystem, ecosystems } from '@envsnap/shared/catalogue/ecosystems';
import {
  parse as parsePep440,
  satisfies as satisfiesPep440,
  validRange as validPep440,
} from '@renovatebot/pep440';
import { coerce, parse as parseSemver, satisfies as satisfiesSemver, validRange } from 'semver';
import { asOneJava } from './java-version.ts';
import { longestVersion } from './version-parts.ts';

const maxLength = 1000;

/**
 * True if the version fits, false if it does not, undefined if the requirement is not a range (`lts/*`, `stable`, `latest`). `22`
 * and `22.4` mean "any version that starts so". Ranges may be written as npm, pip, Poetry or Bundler write them, whatever the
 * ecosystem; the ecosystem says how versions are ordered.
 */
export function fitsRequirement(
  present: string,
  requirement: string,
  ecosystem: Ecosystem,
): boolean | undefined {
  if (['', '*', present].includes(requirement.trim())) return true;
  if (present.length > longestVersion || requirement.length > maxLength) return undefined;
  const { scheme } = ecosystems[ecosystem];
  // A suffix from a distribution is not a pre-release: `8.1.2-1ubuntu2.14`.
  const bare = ['semver', 'pep440'].includes(scheme) ? present : present.replace(/^(v?[\d.]+)-\d.*$/s, '$1');
  const [version, wanted] = asOneJava(bare, requirement.trim());
  if (version === wanted) return true;
  const parsed = parsePep440(version);
  // Python, RubyGems and Composer take `8.1` for 8.1.0, while npm takes it for all of 8.1; and a pre-release is lower.
  const asPython =
    ['pep440', 'gem', 'four-part'].includes(scheme) ||
    /[~!=]=|\d(?:\.\d+){3}/.test(wanted) ||
    // A letter alone is a patch, as OpenSSL counts them: 1.1.1c.
    (scheme !== 'semver' && !/\d[a-z]$/i.test(version) && (parsed?.pre ?? parsed?.dev));
  // Semver's `~` is not `~>`, which ignores everything after the numbers (`1.16.2-java`, `3.3.5p100`).
  const numbers = wanted.includes('~>') ? /^v?\d+(?:\.\d+)*/.exec(version)?.[0] : undefined;
  return asPython
    ? (fitsPep440(version, wanted) ??
        (numbers === undefined ? undefined : fitsPep440(numbers, wanted)) ??
        fitsSemver(version, wanted))
    : (fitsSemver(version, wanted) ?? fitsPep440(version, wanted));
}

function fitsSemver(version: string, wanted: string): boolean | undefined {
  const range = toSemverRange(wanted);
  const candidate = parseSemver(version) ?? coerce(version, { includePrerelease: false });
  if (range === undefined || !candidate) return undefined;
  // A pre-release of 25.0.0 is not below 25, but it is at least 24.9.0. Semver's own exclusion of pre-releases is wrong here.
  return satisfiesSemver(candidate, range, { includePrerelease: true });
}

export function isRequirement(text: string): boolean {
  const [, wanted] = asOneJava('', text.trim());
  return toSemverRange(wanted) !== undefined || toPep440Ranges(wanted) !== undefined;
}

function fitsPep440(version: string, requirement: string): boolean | undefined {
  if (!parsePep440(version)) return undefined;
  const ranges = toPep440Ranges(requirement);
  return ranges?.some((range) => satisfiesPep440(version, range, { prereleases: true }));
}

/** One comparison: an optional operator, then a version whose last parts may be wildcards. */
const comparison = /^(===|==|~=|!=|>=|<=|~>|>|<|=|\^|~)?\s*v?([0-9][^\s,]*|[*xX])$/;

/**
 * The alternatives (`||`) of a requirement as PEP 440 writes them; undefined if one is invalid. Comparisons are separated by a
 * comma (pip, Poetry) or a space (npm).
 */
function toPep440Ranges(requirement: string): string[] | undefined {
  if (requirement.length > maxLength) return undefined;
  const ranges: string[] = [];
  for (const alternative of requirement.split('||')) {
    const parts = alternative
      .trim()
      // `3.9 - 3.12`: both ends count.
      .replace(/^([0-9][^\s,]*)\s+-\s+([0-9][^\s,]*)$/, '>=$1,^$2')
      .replace(/([<>=~^!])\s+/g, '$1')
      .split(/[\s,]+/)
      .filter((part) => part !== '');
    const isHyphen = /\s-\s/.test(alternative);
    const specifiers = parts.map((part) => toSpecifiers(part, isHyphen));
    if (parts.length === 0 || specifiers.includes(undefined)) return undefined;
    const range = specifiers.filter((text) => text !== '').join(',');
    // An unknown specifier does not throw: `satisfies` would return false for it.
    if (!validPep440(range)) return undefined;
    ranges.push(range);
  }
  return ranges;
}

function toSpecifiers(part: string, isHyphen: boolean): string | undefined {
  const match = comparison.exec(part);
  if (!match) return undefined;
  const [, operator = '', text = ''] = match;
  // `3.x`, `3.*.*` and `3.11.*`: the parts before the first wildcard count.
  const wild = /(?:^|\.)[*xX](?:\.|$)/.exec(text);
  const version = wild ? text.slice(0, wild.index) : text;
  if (version === '') return '';
  const numbers = (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
  const isPlain = /^\d+(?:\.\d+)*$/.test(version);
  const below = (index: number) => `<${[...numbers.slice(0, index), (numbers[index] ?? 0) + 1].join('.')}`;
  switch (operator) {
    case '':
    case '=':
      return isPlain ? `==${version}.*` : `==${version}`;
    case '^': {
      if (isHyphen) return isPlain ? below(numbers.length - 1) : `<=${version}`;
      const first = numbers.findIndex((number) => number > 0);
      return `>=${version},${below(first === -1 ? numbers.length - 1 : first)}`;
    }
    case '~':
      return `>=${version},${below(Math.min(1, numbers.length - 1))}`;
    case '~>':
      return `>=${version},${below(Math.max(0, numbers.length - 2))}`;
    case '==':
    case '!=':
      return `${operator}${version}${wild ? '.*' : ''}`;
    default:
      return `${operator}${version}`;
  }
}

/** Ranges of other tools in semver's spelling: `,` means "and", `go1.22` and `temurin-17.0.9` begin with a name. */
function toSemverRange(requirement: string): string | undefined {
  if (requirement.length > maxLength) return undefined;
  const plain = requirement
    .replace(/^[a-z][a-z-]*-?(?=\d)/i, '')
    .replaceAll(',', ' ')
    .replace(/(\d)\s*\+.*$/s, '$1');
  if (!/\d/.test(plain)) return undefined;
  if (validRange(plain) !== null) return plain;
  // Four numbers, leading zeros and the like: the first three numbers decide.
  const parts = /^\d[\w.+-]*$/.test(plain) && /^(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(plain);
  return parts
    ? parts
        .slice(1)
        .filter((part) => part !== undefined)
        .map(Number)
        .join('.')
    : undefined;
}
