// Recognises the tokens of well-known services by their shapes, each with the name for reports, from their documentation.

import patterns from './token-patterns.json' with { type: 'json' };

const shapes = Object.entries(patterns);

/** A token is at the start of a word: `desk_live_…` holds no Stripe key. */
const wordStart = '(?<![A-Za-z0-9])';
const anyToken = new RegExp(`${wordStart}(?:${shapes.map(([, shape]) => shape).join('|')})`);

/** The service whose token the value contains, e.g. `GitHub token`; undefined without one. */
export function findServiceToken(value: string): string | undefined {
  if (!anyToken.test(value)) return undefined;
  return shapes.find(([, shape]) => new RegExp(wordStart + shape).test(value))?.[0];
}
