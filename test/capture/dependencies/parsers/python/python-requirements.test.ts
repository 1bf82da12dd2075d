import { describe, expect, it } from 'vitest';
import { words } from '../../../../support/words.ts';
import { collectFiles, packagesOf } from '../../collect-files.ts';

describe('requirements.txt', () => {
  it('lets no password into a name either', async () => {
    const packages = await packagesOf(
      'requirements.txt',
      'https://user:hunter2@host.invalid\ngit+https://user:hunter2@host.invalid/\n',
    );
    expect(JSON.stringify(packages)).not.toMatch(/hunter2|user/);
    const paket = 'GIT\n  remote: https://user:hunter2@host.invalid/o/r.git\n     (0123abc)\n';
    expect(await packagesOf('paket.lock', paket)).toEqual({ 'https://host.invalid/o/r.git': '0123abc' });
  });

  it('follows included files, even in circles, and applies constraints to what is not pinned', async () => {
    const { dependencies, warnings } = await collectFiles({
      'requirements.txt': '-r sub/more.in\n-c limits.in\nfree\n',
      'sub/more.in': '-r ../requirements.txt\n-r more.in\ninner==1.0\n',
      'limits.in': 'free==7.0\nnot-wanted==1.0\n',
    });
    expect(warnings).toEqual([]);
    expect({ ...dependencies['requirements.txt'] }).toEqual({ free: '7.0', inner: '1.0' });
  });

  it('reads nothing outside the captured folder and says so', async () => {
    const { dependencies, warnings } = await collectFiles({
      'requirements.txt': '-r ../../../../etc/passwd\n-r /etc/passwd\n-r https://host.invalid/r.txt\na==1\n',
    });
    expect({ ...dependencies['requirements.txt'] }).toEqual({ a: '1' });
    expect(warnings.map(({ line }) => line)).toEqual([1, 2, 3]);
  });

  it('does not record prose, and says so once where the name promises requirements', async () => {
    const prose =
      'This file lists what\nthe program asks of its host:\nmemory\nsee the manual,\nchapter 3, and\nask us\n';
    const { dependencies, warnings } = await collectFiles({
      'requirements.complex.txt': prose,
      'requirements/made-by.txt': 'written by hand: no tool was there\n',
      'requirements/base.txt': 'six==1.16.0\n',
    });
    expect(dependencies).toEqual({ 'requirements/base.txt': { six: '1.16.0' } });
    expect(warnings.map(({ file, line }) => [file, line])).toEqual([['requirements.complex.txt', 1]]);
  });

  it('leaves out a line that is not a requirement, with a warning, and keeps the rest', async () => {
    const { dependencies, warnings } = await collectFiles({
      'requirements.txt': 'a==1\n{{ cookiecutter.package }}\nb = 2\n$NAME==1\nc==3\n',
    });
    expect({ ...dependencies['requirements.txt'] }).toEqual({ a: '1', c: '3' });
    expect(warnings.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  it.each([
    ['UTF-16 with a mark', Buffer.from('\u{feff}a==1\r\nb==2\r\n', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('a==1\r\nb==2\r\n', 'utf16le')],
    ['big-endian UTF-16', Buffer.from('\u{feff}a==1\r\nb==2\r\n', 'utf16le').swap16()],
    ['UTF-8 with a mark', Buffer.from('\u{feff}a==1\r\nb==2')],
  ])('reads %s', async (_, bytes) => {
    expect(await packagesOf('requirements.txt', bytes)).toEqual({ a: '1', b: '2' });
  });

  it('is recognised under the names that people give it', async () => {
    const names = words`
      requirements-dev.txt dev-requirements.txt requirements_test.txt requirements.prod.txt
      requirements/base.txt`;
    const { dependencies } = await collectFiles(
      Object.fromEntries([...names, 'notes.txt', 'myrequirements.txt.bak'].map((name) => [name, 'a==1'])),
    );
    expect(Object.keys(dependencies)).toEqual([...names].sort());
  });
});
