// The home folder written as `~`.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { homeAbbreviation, withoutOtherHomes } from '../../../packages/capture/src/system/home-path.ts';
import { readTestData } from '../../support/test-data.ts';

const { posixPaths, homesOfOthers } = readTestData<{
  posixPaths: [string, string][];
  homesOfOthers: [string, string][];
}>(import.meta);

describe('on POSIX', () => {
  const abbreviate = homeAbbreviation(['/home/dev', undefined], false);
  test.each(posixPaths)('writes %s as %s', (text, expected) => {
    expect(abbreviate(text)).toBe(expected);
  });

  test('follows the home folder by its real path too, the longer name first', () => {
    const both = homeAbbreviation(['/home/dev', '/data/home/dev'], false);
    expect(both('/data/home/dev/x:/home/dev/y')).toBe('~/x:~/y');
  });

  test.each([['/'], ['']])('changes nothing if the home folder is “%s”', (home) => {
    expect(homeAbbreviation([home], false)('/usr/bin:/')).toBe('/usr/bin:/');
  });

  test('takes a home folder literally, whatever characters it has', () => {
    expect(homeAbbreviation(['/home/a.b+c'], false)('/home/a.b+c/x /home/aXb+c/x')).toBe('~/x /home/aXb+c/x');
  });

  test('replaces only the home folder in a text, and only once', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = abbreviate(text);
        expect(abbreviate(once)).toBe(once);
        if (!text.includes('/home/dev')) expect(once).toBe(text);
      }),
    );
  });
});

describe('on Windows', () => {
  const abbreviate = homeAbbreviation(['C:\\Users\\dev'], true);
  test.each([
    ['C:\\Users\\dev\\AppData', '~\\AppData'],
    ['c:\\users\\DEV;C:\\Windows', '~;C:\\Windows'],
    ['C:/Users/dev/x', '~/x'],
    ['C:\\Users\\developer', 'C:\\Users\\developer'],
  ])('writes %s as %s', (text, expected) => {
    expect(abbreviate(text)).toBe(expected);
  });
});

describe('home folders of other users', () => {
  test.each(homesOfOthers)('%s is written as %s', (text, expected) => {
    expect(withoutOtherHomes(text)).toBe(expected);
  });
});
