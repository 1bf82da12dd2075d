import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../../collect-files.ts';

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
