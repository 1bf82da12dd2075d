// Every value has one address, in any spelling.

import { parseAddress, printAddress, sectionNames, toAddress } from '@envsnap/shared/address';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTestData } from '../support/test-data.ts';

const { printed, older } = readTestData<{ printed: string[]; older: [string, string][] }>(import.meta);

const name = fc.oneof(
  fc.string({ minLength: 1, unit: 'grapheme' }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'a/b.c:d',
    '.',
    ':',
    '/',
    'system.x',
    'facts',
    '\n',
    'git.branch',
  ),
);
const section = fc.constantFrom(
  ...sectionNames,
  'machineName',
  'metadata',
  'git',
  'envVars',
  'deps',
  'nonsense',
);

describe('an address', () => {
  it('is parsed to what was printed, whatever its name holds', () => {
    fc.assert(
      fc.property(section, name, (from, text) => {
        const address = toAddress(from, text);
        if (address) expect(parseAddress(printAddress(address))).toEqual(address);
      }),
    );
  });

  it('is printed to what was parsed, once it has the fixed spelling', () => {
    fc.assert(
      fc.property(section, fc.constantFrom('.', ':'), name, (from, mark, text) => {
        const address = parseAddress(`${from}${mark}${text}`);
        if (!address) return;
        const printed = printAddress(address);
        expect(printAddress(parseAddress(printed) as typeof address)).toBe(printed);
      }),
    );
  });

  it.each(printed)('prints %s as it is', (text) => {
    expect(printAddress(parseAddress(text) as NonNullable<ReturnType<typeof parseAddress>>)).toBe(text);
  });

  it.each(older)('reads the older spelling %s', (older, fixed) => {
    expect(printAddress(parseAddress(older) as NonNullable<ReturnType<typeof parseAddress>>)).toBe(fixed);
  });

  it.each([
    '',
    'node',
    'runtimes',
    'runtimes.',
    'nonsense.node',
    'dependencies:zod',
    'os:linux',
    '.x',
    'env:',
  ])('is not %j', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});
