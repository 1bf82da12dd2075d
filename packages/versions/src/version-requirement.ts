// Whether a version fits a requirement (`>=22 <25`, `3.12`, `^1.4`, `~=3.11`), by the rules of its ecosystem.

import type { Ecosystem } from '@envsnap/shared/catalogue/ecosystem';
import { parse as parsePep440, satisfies as satisfiesPep440 } from '@renovatebot/pep440';
import { coerce, parse as parseSemver, satisfies as satisfiesSemver, validRange } from 'semver';

/**
 * True when the version fits, false when it does not, undefined when the requirement is no range (`lts/*`, `stable`,
 * `latest`). `22` and `22.4` mean "any version that starts so".
 */
export function fitsRequirement(
  version: string,
  requirement: string,
  ecosystem: Ecosystem,
): boolean | undefined {
  const wanted = requirement.trim();
  if (wanted === '' || wanted === '*') return true;
  if (version === wanted) return true;
  if (ecosystem === 'pypi' || /[~!=]=/.test(wanted)) {
    const answer = fitsPep440(version, wanted);
    if (answer !== undefined) return answer;
  }
  const range = toSemverRange(wanted);
  if (range === undefined) return undefined;
  const candidate = parseSemver(version) ?? coerce(version, { includePrerelease: false });
  if (!candidate) return undefined;
  // A pre-release of 25.0.0 is not below 25, but it is one of 24.9.0 or later: semver's own exclusion does not fit here.
  return satisfiesSemver(candidate, range, { includePrerelease: true });
}

/** True when the text can be checked by {@link fitsRequirement}: a version, the start of one, or a range. */
export function isRequirement(text: string): boolean {
  return toSemverRange(text.trim()) !== undefined || /^\s*(~=|[!<>=]=?)\s*\d/.test(text);
}

function fitsPep440(version: string, requirement: string): boolean | undefined {
  if (!parsePep440(version)) return undefined;
  const bare = /^v?(\d+(?:\.\d+)*)$/.exec(requirement);
  try {
    return satisfiesPep440(version, bare ? `==${bare[1]}.*` : requirement, { prereleases: true });
  } catch {
    return undefined;
  }
}

/** Ranges of other tools in semver's spelling: `,` means "and", `go1.22` and `temurin-17.0.9` carry a name in front. */
function toSemverRange(requirement: string): string | undefined {
  const plain = requirement
    .replace(/^[a-z][a-z-]*-?(?=\d)/i, '')
    .replaceAll(',', ' ')
    .replace(/(\d)\s*\+.*$/, '$1');
  if (!/\d/.test(plain)) return undefined;
  const valid = validRange(plain);
  if (valid !== null) return plain;
  // Four numbers, leading zeros and the like: the first three numbers decide.
  const parts = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(plain);
  return parts
    ? parts
        .slice(1)
        .filter((part) => part !== undefined)
        .map(Number)
        .join('.')
    : undefined;
}
