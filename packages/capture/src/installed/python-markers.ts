// Environment markers of requirements (PEP 508), as far as it takes to see that one does not apply here.

/** What markers ask about. */
export interface MarkerEnvironment {
  /** `3.12`. */
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
  if (name === 'python_version') return !holds(orderOf(pythonVersion, wanted), operator);
  const actual = platforms[platform]?.[name];
  if (actual === undefined) return false;
  if (operator === '==') return actual !== wanted;
  return operator === '!=' && actual === wanted;
}

/** Order of `3.9` and `3.12` by their numbers; undefined where one is not a plain version. */
function orderOf(actual: string, wanted: string): number | undefined {
  if (!/^\d+(?:\.\d+)*$/.test(wanted) || !/^\d+(?:\.\d+)*$/.test(actual)) return undefined;
  const [left, right] = [actual, wanted].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function holds(order: number | undefined, operator: string): boolean {
  if (order === undefined) return true;
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order >= 0;
  }
}
