import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTargetGuard } from '../../../packages/server/src/webhooks/target-guard.ts';
import { rounds } from '../../support/generated.ts';
import { readTestData } from '../../support/test-data.ts';
import { words } from '../../support/words.ts';
import { ranges } from './ranges.ts';

const { refusedAddresses } = readTestData<{ refusedAddresses: [string, string][] }>(import.meta);

const strict = createTargetGuard([]);

describe('without an allow-list', () => {
  test.each(words`
    1.1.1.1 8.8.8.8 93.184.216.34 172.15.255.255 172.32.0.1 100.63.255.255 100.128.0.1
    192.167.255.255 2606:4700:4700::1111 2a00:1450:4001:800::200e ::ffff:8.8.8.8`)(
    'the public address %s is allowed',
    (address) => {
      expect(strict.judge(address)).toEqual({ allowed: true, kind: 'public' });
    },
  );

  test.each(refusedAddresses)('%s is refused as %s', (address, kind) => {
    expect(strict.judge(address)).toEqual({ allowed: false, kind });
  });

  test('an IPv4 address and its mapped IPv6 form are judged alike', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(strict.judge(`::ffff:${address}`)).toEqual(strict.judge(address));
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('nothing outside 2000::/3 is public in IPv6', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xffff }),
        fc.integer({ min: 0, max: 0xffff }),
        (first, second) => {
          fc.pre(first >> 13 !== 1 && first !== 0);
          expect(strict.judge(`${first.toString(16)}:${second.toString(16)}::1`).allowed).toBe(false);
        },
      ),
      { numRuns: rounds(1000) },
    );
  });
});

describe('with an allow-list', () => {
  const guard = createTargetGuard(
    ranges('127.0.0.0/8', '::1', 'fd00::/8', '10.1.2.3', '::ffff:192.168.0.0/112'),
  );

  test.each(words`127.0.0.1 127.9.9.9 ::ffff:127.0.0.1 ::1 fd12::1 10.1.2.3 192.168.1.1 8.8.8.8`)(
    '%s is allowed',
    (address) => {
      expect(guard.judge(address).allowed).toBe(true);
    },
  );

  test.each(['10.1.2.4', '172.16.0.1', 'fe80::1', '64:ff9b::7f00:1', '2002:7f00:1::', '169.254.169.254'])(
    '%s stays refused',
    (address) => {
      expect(guard.judge(address).allowed).toBe(false);
    },
  );
});
