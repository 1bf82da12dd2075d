// Patterns of variable names as people give them on the command line: `*` and `?`, nothing else is special.

import { compileGlob } from '@envsnap/shared/text/glob';

/** A test for names; several patterns match when one does. With `ignoreCase` as on Windows. */
export function nameMatcher(patterns: readonly string[], ignoreCase: boolean): (name: string) => boolean {
  const exact = new Set<string>();
  const prefixes: string[] = [];
  const tests: ((name: string) => boolean)[] = [];
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  for (const pattern of patterns.map(fold)) {
    if (!/[*?]/.test(pattern)) exact.add(pattern);
    else if (/^[^*?]+\*$/.test(pattern)) prefixes.push(pattern.slice(0, -1));
    else tests.push(compileGlob(pattern, { syntax: 'names' }));
  }
  return (given) => {
    const name = fold(given);
    return (
      exact.has(name) ||
      prefixes.some((prefix) => name.startsWith(prefix)) ||
      tests.some((test) => test(name))
    );
  };
}
