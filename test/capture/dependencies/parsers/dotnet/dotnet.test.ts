import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../../collect-files.ts';

describe('packages.lock.json', () => {
  it('reads every target framework and leaves projects out', async () => {
    const lock = {
      version: 2,
      dependencies: {
        'net6.0': { A: { type: 'Direct', resolved: '1.0.0' }, own: { type: 'Project' } },
        'net8.0': {
          A: { type: 'Direct', resolved: '2.0.0' },
          B: { type: 'CentralTransitive', resolved: '3.0.0' },
        },
      },
    };
    expect(await packagesOf('packages.lock.json', JSON.stringify(lock))).toEqual({
      A: '1.0.0, 2.0.0',
      B: '3.0.0',
    });
  });
});

describe('project files', () => {
  const project = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><BVersion>2.0.0</BVersion></PropertyGroup>
  <ItemGroup Condition="'$(TargetFramework)' == 'net6.0'">
    <PackageReference Include="A" Version="1.0.0" />
    <PackageReference Include="B"><Version>$(BVersion)</Version></PackageReference>
    <PackageReference Include="C" />
    <PackageReference Update="D" Version="[4.0.0]" />
    <PackageReference Include="E;F" Version="" />
    <ProjectReference Include="../own/own.csproj" />
  </ItemGroup>
</Project>`;

  it('are recorded without a lock file, with central versions from above', async () => {
    const props = `<Project><ItemGroup><PackageVersion Include="c" Version="3.0.0" /></ItemGroup></Project>`;
    const { dependencies, warnings } = await collectFiles({
      'src/app/app.csproj': project,
      'Directory.Packages.props': props,
    });
    expect(warnings).toEqual([]);
    expect({ ...dependencies['src/app/app.csproj'] }).toEqual({
      A: '1.0.0',
      B: '2.0.0',
      C: '3.0.0',
      D: '4.0.0',
      E: '*',
      F: '*',
    });
    expect({ ...dependencies['Directory.Packages.props'] }).toEqual({ c: '3.0.0' });
  });

  it('are left out beside packages.lock.json, in their folder only', async () => {
    const { dependencies } = await collectFiles({
      'a/packages.lock.json': '{"version":1,"dependencies":{}}',
      'a/a.csproj': project,
      'a/b/b.fsproj': project,
    });
    expect(Object.keys(dependencies)).toEqual(['a/b/b.fsproj', 'a/packages.lock.json']);
  });
});

describe('packages.config', () => {
  it('reads packages', async () => {
    const text = `\u{feff}<?xml version="1.0" encoding="utf-8"?>\r\n<packages>\r\n  <package id="A" version="1.0.0" targetFramework="net48" />\r\n</packages>`;
    expect(await packagesOf('packages.config', text)).toEqual({ A: '1.0.0' });
  });
});

describe('paket.lock', () => {
  it('reads packages of all groups, and files from repositories with their commit', async () => {
    const text = `STORAGE: NONE
RESTRICTION: == net6.0
NUGET
  remote: https://index.invalid/v3/index.json
    Argu (6.1.1)
      FSharp.Core (>= 4.3.2)
    FSharp.Core (6.0.7) - restriction: >= netstandard2.0
GITHUB
  remote: owner/repository
    src/file.fs (0123abc)

GROUP Build
NUGET
  remote: https://index.invalid/v3/index.json
    FSharp.Core (7.0.0)
GIT
  remote: https://host.invalid/o/r.git
     (4567def)
`;
    expect(await packagesOf('paket.lock', text)).toEqual({
      Argu: '6.1.1',
      'FSharp.Core': '6.0.7, 7.0.0',
      'owner/repository': '0123abc',
      'https://host.invalid/o/r.git': '4567def',
    });
  });
});
