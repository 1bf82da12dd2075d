// Names that have several spellings: variables on Windows, and packages of Python and .NET.

import { describe, expect, it } from 'vitest';
import { compareEnvironments } from '../../../packages/compare/src/compare-environments.ts';
import { differencesOf } from '../../../packages/compare/src/model/model.ts';

const powershell = {
  Path: 'C:\\Windows\\system32;C:\\Windows;C:\\tools',
  ComSpec: 'C:\\Windows\\system32\\cmd.exe',
  windir: 'C:\\Windows',
  App_Mode: 'a',
};
const gitBash = {
  PATH: 'C:\\WINDOWS\\system32;C:\\Windows\\;C:\\tools',
  COMSPEC: 'C:\\WINDOWS\\system32\\cmd.exe',
  WINDIR: 'C:\\Windows',
  APP_MODE: 'a',
};
const machine = (envVars: Record<string, string>, os = 'win32') => ({ machineName: 'm', os, envVars });
const differing = (a: Record<string, string>, b: Record<string, string>, os?: string) =>
  differencesOf(compareEnvironments(machine(a, os), machine(b, os), { showValues: true }).comparison).map(
    ({ key, status, list }) => [key, status, ...(list ? [list.added] : [])],
  );

describe('names of variables on Windows', () => {
  it('are one whatever their case', () => {
    expect(differing(powershell, gitBash)).toEqual([]);
    expect(differing(gitBash, powershell)).toEqual([]);
  });

  it('show a real change under the name that B has', () => {
    expect(differing(powershell, { ...gitBash, PATH: `${gitBash.PATH};D:\\new` })).toEqual([
      ['PATH', 'changed', ['D:\\new']],
    ]);
    expect(differing(gitBash, { ...powershell, App_Mode: 'b' })).toEqual([['App_Mode', 'changed']]);
  });

  it('are two elsewhere, and where one side has both', () => {
    expect(differing({ http_proxy: 'a' }, { HTTP_PROXY: 'a' }, 'linux')).toHaveLength(2);
    expect(differing({ Same: 'a', SAME: 'b' }, { SAME: 'b' })).toEqual([['Same', 'removed']]);
    expect(differing({ Foo: 'a', foo: 'b' }, { FOO: 'b' })).toEqual([['Foo', 'removed']]);
  });
});

it.each([
  ['requirements.txt', 'Flask', 'flask'],
  ['requirements.txt', 'ruamel.yaml', 'ruamel_yaml'],
  ['packages.lock.json', 'newtonsoft.json', 'Newtonsoft.Json'],
])('compares a package of %s as one, as %s and as %s', (file, one, other) => {
  const side = (name: string, mark = 'Abcde') => ({
    machineName: 'm',
    dependencies: { [file]: { [name]: '1.0', M: '2.0' } },
    // Marks are in the order of the names.
    metadata: {
      capture: { warnings: [] },
      contents: { [file]: name < 'M' ? `${mark}Axxxx` : `Axxxx${mark}` },
    },
  });
  const differing = (a: object, b: object) =>
    differencesOf(compareEnvironments(a as never, b as never).comparison).map(({ key }) => key);
  expect(differing(side(one), side(other))).toEqual([]);
  expect(differing(side(one, 'Abcdf'), side(other))).toEqual([`${file}/${other}`]);
});
