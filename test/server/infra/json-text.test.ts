// JSON put together from stored text is the JSON of the whole.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  jsonFromItems,
  jsonFromMembers,
  jsonOf,
  storedJson,
} from '../../../packages/server/src/infra/json-text.ts';

const json = fc.jsonValue({ maxDepth: 3 });

test('objects and lists of stored texts and values read as the values themselves', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ stored: json, plain: json })), fc.integer(), (entries, total) => {
      const items = entries.map(({ stored, plain }) =>
        jsonFromMembers({ stored: storedJson(JSON.stringify(stored)), plain, absent: undefined }),
      );
      const whole = jsonFromMembers({ items: jsonFromItems(items), total });
      expect(whole.text).toBe(JSON.stringify({ items: entries, total }));
    }),
    { seed: 9, numRuns: 200 },
  );
  expect(jsonFromMembers({}).text).toBe('{}');
  expect(jsonFromItems([]).text).toBe('[]');
});

test('a long stored text stays a part of its own, so that it is never copied', () => {
  const long = JSON.stringify('ä'.repeat(100_000));
  const answer = jsonFromMembers({ id: 'a', dependencies: storedJson(long), envVars: storedJson('{}') });
  expect(answer.parts).toEqual(['{"id":"a","dependencies":', long, ',"envVars":{}}']);
  expect(answer.length).toBe(answer.text.length);
  expect(jsonOf(answer)).toBe(answer);
});
