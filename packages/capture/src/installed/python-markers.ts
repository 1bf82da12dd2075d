// Environment markers of requirements (PEP 508), as far as needed to see that one does not apply here.

import { fitsRequirement } from '@envsnap/versions';

/** What markers ask about. */
interface MarkerEnvironment {
  /** `3.12`; empty where it is not known. */
  readonly pythonVersion: string;
  /** Node.js's name of the platform. */
  readonly platform: NodeJS.Platform;
}

const platforms: Partial<Record<NodeJS.Platform, Readonly<Record<string, string>>>> = {
  linux: { sys_platform: 'linux', platform_system: 'Linux', os_name: 'posix' },
  darwin: { sys_platform: 'darwin', platform_system: 'Darwin', os_name: 'posix' },
  win32: { sys_platform: 'win32', platform_system: 'Windows', os_name: 'nt' },
};

const comparison = /^(\w+)\s*(==|!=|<=|>=|<|>)\s*(['"])([^'"]*)\3$/;
/** Longest marker that is looked at, in characters. */
const maxLength = 1000;

/**
 * Whether a marker leaves its requirement out. Only comparisons joined by `and` are understood; of everything else this is
 * false.
 */
export function leavesOut(marker: string, environment: MarkerEnvironment): boolean {
  if (marker.length > maxLength || /\bor\b/.test(marker)) return false;
  return marker
    .trim()
    .replace(/^\((.*)\)$/s, '$1')
    .split(/\band\b/)
    .some((part) => isFalse(part.trim(), environment));
}

function isFalse(part: string, { pythonVersion, platform }: MarkerEnvironment): boolean {
  const [, name = '', operator = '', , wanted = ''] = comparison.exec(part) ?? [];
  if (name === 'python_version')
    return pythonVersion !== '' && fitsRequirement(pythonVersion, `${operator}${wanted}`, 'pypi') === false;
  const actual = platforms[platform]?.[name];
  if (actual === undefined) return false;
  if (operator === '==') return actual !== wanted;
  return operator === '!=' && actual === wanted;
}
