// Generated input for tests: how much of it, and characters that the library of generators would take two seconds to make.

import fc from 'fast-check';
import { inject } from 'vitest';

/** All rounds in `test:all` and when one file runs, a tenth of them in the default run, whose input differs each time. */
export const rounds = (all: number): number => (inject('ownProcesses') ? all : Math.ceil(all / 10));

/** Any character, for `fc.string`: like its unit `binary`, whose first string in a process takes seconds. */
export const anyCharacter = fc
  .oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));
