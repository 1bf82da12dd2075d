import { expect, test } from 'vitest';
import { isInRanges, parseCidr } from '../../../packages/server/src/infra/cidr.ts';

function inRange(address: string, range: string): boolean {
  const parsed = parseCidr(range);
  if (!parsed) throw new Error(`${range} is not a range`);
  return isInRanges(address, [parsed]);
}

test.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['::ffff:10.1.2.3', '10.0.0.0/8', true],
  ['10.1.2.3', '::ffff:10.0.0.0/104', true],
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.2', '127.0.0.1', false],
  ['::1', '::1/128', true],
  ['fd00::1', 'fd00::/8', true],
  ['fe80::1%eth0', 'fe80::/10', true],
  ['10.1.2.3', '::/0', false],
  ['1.2.3.4', '0.0.0.0/0', true],
  ['not an address', '0.0.0.0/0', false],
])('whether %s is in %s: %s', (address, range, expected) => {
  expect(inRange(address, range)).toBe(expected);
});

test.each([
  '',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10.0.0.0/',
  'example.com',
  '::/129',
  '0x7f.1',
  '127.1',
])('the text "%s" is not a range', (text) => {
  expect(parseCidr(text)).toBeUndefined();
});
