// Patterns of variable names as people give them on the command line: `*` and `?`, nothing else is special.

/** A test for names; several patterns match when one does. With `ignoreCase` as on Windows. */
export function nameMatcher(patterns: readonly string[], ignoreCase: boolean): (name: string) => boolean {
  if (patterns.length === 0) return () => false;
  const alternatives = patterns.map((pattern) =>
    pattern
      .replace(/\*+/g, '*')
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\*/g, '.*')
      .replace(/\?/g, '.'),
  );
  const expression = new RegExp(`^(?:${alternatives.join('|')})$`, ignoreCase ? 'isu' : 'su');
  return (name) => expression.test(name);
}
