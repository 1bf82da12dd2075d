// The home folder written as `~`.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { homeAbbreviation, withoutOtherHomes } from '../../../packages/capture/src/system/home-path.ts';

describe('on POSIX', () => {
  const abbreviate = homeAbbreviation(['/home/dev', undefined], false);
  test.each([
    ['/home/dev', '~'],
    ['/home/dev/', '~/'],
    ['/home/dev/bin:/usr/bin:/home/dev/.local/bin', '~/bin:/usr/bin:~/.local/bin'],
    ['-I/home/dev/include -L"/home/dev/lib"', '-I~/include -L"~/lib"'],
    ['file:///home/dev/x', 'file://~/x'],
    ['sqlite:////home/dev/x', 'sqlite:///~/x'],
    ['--config=/home/dev/c', '--config=~/c'],
    ['/home/developer', '/home/developer'],
    ['/home/dev-2/x', '/home/dev-2/x'],
    ['/home/dev.bak/x', '/home/dev.bak/x'],
    ['/mnt/home/dev/x', '/mnt/home/dev/x'],
    ['in /home/dev.', 'in ~.'],
    ['', ''],
  ])('writes %s as %s', (text, expected) => {
    expect(abbreviate(text)).toBe(expected);
  });

  test('follows the home folder by its real path too, the longer name first', () => {
    const both = homeAbbreviation(['/home/dev', '/data/home/dev'], false);
    expect(both('/data/home/dev/x:/home/dev/y')).toBe('~/x:~/y');
  });

  test.each([['/'], ['']])('leaves everything as it is where the home folder is “%s”', (home) => {
    expect(homeAbbreviation([home], false)('/usr/bin:/')).toBe('/usr/bin:/');
  });

  test('takes a home folder literally, whatever characters it has', () => {
    expect(homeAbbreviation(['/home/a.b+c'], false)('/home/a.b+c/x /home/aXb+c/x')).toBe('~/x /home/aXb+c/x');
  });

  test('changes a text only where the home folder stands, and changes it once', () => {
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
  test.each([
    ['/home/alice/bin:/usr/bin', '~/bin:/usr/bin'],
    ['/Users/alice/Library/x', '~/Library/x'],
    ['/var/home/alice/x', '~/x'],
    ['/home/alice/x:/Users/bob/y', '~/x:~/y'],
    ['file:///C:/Users/alice/x', 'file:///~/x'],
    ['/mnt/c/Users/Alice/AppData/Local:/usr/bin', '~/AppData/Local:/usr/bin'],
    ['/c/Users/alice/bin', '~/bin'],
    ['/cygdrive/c/Users/alice', '~'],
    ['C:\\Users\\Alice Smith\\AppData;C:\\Windows', '~\\AppData;C:\\Windows'],
    ['C:\\\\Users\\\\alice\\\\x', '~\\\\x'],
    ['file:///home/alice/x', 'file://~/x'],
    ['/home/linuxbrew/.linuxbrew/bin', '/home/linuxbrew/.linuxbrew/bin'],
    ['/Users/Shared/x', '/Users/Shared/x'],
    ['C:\\Users\\Public\\x', 'C:\\Users\\Public\\x'],
    ['/srv/home/alice', '/srv/home/alice'],
    ['https://example.org/home/alice', 'https://example.org/home/alice'],
    ['/home', '/home'],
    ['/Users/Bob Smith/src:/Users/Jane van der Berg/x', '~/src:~/x'],
    ['file:///Users/Bob\\ Smith/x', 'file://~/x'],
    ['/mnt/c/Users/Bob Smith/AppData', '~/AppData'],
    ['cp /Users/bob /Users/eve /opt/x', 'cp ~ ~ /opt/x'],
    ['/Users/bob -I/usr/include', '~ -I/usr/include'],
    ['/Users/bob A=/usr/bin', '~ A=/usr/bin'],
    ['/Users/bob and no more', '~ and no more'],
    ['/home/bob sub/folder', '~ sub/folder'],
    ['/Users/bob:sub name/x', '~:sub name/x'],
  ])('%s is written as %s', (text, expected) => {
    expect(withoutOtherHomes(text)).toBe(expected);
  });
});
