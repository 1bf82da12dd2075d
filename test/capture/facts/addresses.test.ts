import { expect, it } from 'vitest';
import { addressOf } from '../../../packages/capture/src/facts/addresses.ts';

it.each([
  ['https://user:secret@npm.example.com/team/', 'npm.example.com/team'],
  ['https://user:se/cret@npm.example.com/team/', 'npm.example.com/team'],
  ['"https://user:se#cret@npm.example.com/team?token=secret"', 'npm.example.com/team'],
  ['sparse+https://secret@index.example.com:8080/x/@scope', 'index.example.com:8080/x/@scope'],
  ['git+ssh://git@host.example/o/r', 'host.example/o/r'],
  ['user:secret@proxy:3128', 'proxy:3128'],
  ['file:///srv/packages', 'file'],
])('an address is a fact without who signs in: %s', (text, expected) => {
  expect(addressOf(text)).toBe(expected);
});
