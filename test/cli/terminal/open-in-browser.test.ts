import path from 'node:path';
import { expect, it } from 'vitest';
import { openerOf } from '../../../packages/cli/src/service-commands/files-and-shares.ts';

it('names the program that opens a browser by its path on Windows, so that none of the working folder is taken', () => {
  expect(path.win32.isAbsolute(openerOf('win32')[0] ?? '')).toBe(true);
  expect(openerOf('win32', 'D:\\W')[0]).toBe('D:\\W\\System32\\rundll32.exe');
  expect(openerOf('darwin')[0]).toBe('/usr/bin/open');
});
