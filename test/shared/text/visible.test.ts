// Output data: nothing in it is hidden or obeyed, and everything in it is visible.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logCommands } from '../../../packages/shared/src/catalogue/log-commands.ts';
import { escapeMarkup, isMisleading, jsonText, visible } from '../../../packages/shared/src/text/visible.ts';
import { anyCharacter, rounds } from '../../support/generated.ts';
import { findObeyed, hiddenCharacters, obeyedBy, planted } from '../../support/log-obedience.ts';
import { readTestData } from '../../support/test-data.ts';

const { ordinary } = readTestData<{ ordinary: string[] }>(import.meta);

const piece = fc.constantFrom(
  ...logCommands.map(({ example }) => example),
  ...hiddenCharacters,
  ...'#:@-+~^ \n[]x'.split(''),
  '##',
  '::',
);
const tricky = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

describe('the table of what CI services obey', () => {
  it('has a rule of the tests for each service, which finds its example', () => {
    expect(logCommands.map(({ service }) => service).sort()).toEqual(Object.keys(obeyedBy).sort());
    for (const { service, example } of logCommands) expect(example).toMatch(obeyedBy[service] ?? /$^/);
  });

  it('has a page of each service’s own as its source', () => {
    for (const { source } of logCommands) expect(source).toMatch(/^https:\/\//);
  });
});

describe.each([
  ['a line of text', visible],
  ['a JSON document', jsonText],
  ['markup', escapeMarkup],
])('%s', (_, write) => {
  it('contains nothing that acts as a command or is hidden', () => {
    fc.assert(
      fc.property(fc.oneof(tricky, fc.string({ unit: anyCharacter, maxLength: 40 })), (text) => {
        expect(findObeyed(write(text))).toBeNull();
      }),
      { numRuns: rounds(2000) },
    );
  });
});

describe('visible', () => {
  it('leaves ordinary text of any script as it is', () => {
    for (const text of ordinary) expect(visible(text)).toBe(text);
  });

  it('shows what it replaced', () => {
    expect(visible('a\u001b[31mb\n\t\r\u009b\u202e\u{e0041}\ufe0f')).toBe(
      'a\\x1b[31mb\\n\\t\\r\\x9b\\u202e\\u{e0041}\\ufe0f',
    );
    expect(visible('::Error::a##[error]b ##vso[c ##teamcity[d')).toBe(
      '\\x3a:Error::a\\x23#[error]b \\x23#vso[c \\x23#teamcity[d',
    );
    expect(visible('section_start:1:x travis_fold:end:x @@continua[ --- x')).toBe(
      '\\x73ection_start:1:x \\x74ravis_fold:end:x \\x40@continua[ \\x2d-- x',
    );
  });
});

describe('a JSON document', () => {
  it('means the same', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), tricky), (value) => {
        expect(JSON.parse(jsonText(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('a value that is exported as it is', () => {
  it('is misleading if anything in it is hidden or acts as a command, but not with line breaks and tabs', () => {
    expect(isMisleading('one\n\ttwo\r\n')).toBe(false);
    expect(isMisleading('::error::x')).toBe(false);
    expect(isMisleading('a --- b')).toBe(false);
    for (const text of [planted, '\n ::error::x', 'x\n--- y', 'a##vso[b', 'a\u{e0041}'])
      expect(isMisleading(text)).toBe(true);
  });
});
