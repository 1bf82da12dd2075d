import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../../collect-files.ts';

describe('Gradle', () => {
  it('reads lock files of projects, build scripts and settings', async () => {
    const text = `# generated
a.b:c:1.0=compileClasspath,runtimeClasspath
a.b:c:1.1=testRuntimeClasspath
empty=annotationProcessor
`;
    for (const name of ['gradle.lockfile', 'buildscript-gradle.lockfile', 'settings-gradle.lockfile'])
      expect(await packagesOf(name, text)).toEqual({ 'a.b:c': '1.0, 1.1' });
    expect(await packagesOf('gradle/dependency-locks/compileClasspath.lockfile', '# c\na:b:1.0\n')).toEqual({
      'a:b': '1.0',
    });
    const { warnings } = await collectFiles({ 'gradle.lockfile': '# c\nnonsense\n' });
    expect(warnings).toEqual([expect.objectContaining({ line: 2 })]);
  });

  it('reads version catalogs with references, rich versions and every notation', async () => {
    const text = `[versions]
kotlin = "1.9.0"
rich = { strictly = "[1.0, 2.0[", prefer = "1.5" }
[libraries]
short = "a:short:1.0"
module = { module = "a:module", version.ref = "kotlin" }
parts = { group = "a", name = "parts", version = "2.0" }
rich = { module = "a:rich", version.ref = "rich" }
managed = { module = "a:managed" }
[plugins]
kotlin = { id = "org.kotlin", version.ref = "kotlin" }
short = "org.short:3.0"
`;
    expect(await packagesOf('gradle/libs.versions.toml', text)).toEqual({
      'a:short': '1.0',
      'a:module': '1.9.0',
      'a:parts': '2.0',
      'a:rich': '[1.0, 2.0[',
      'a:managed': '*',
      'org.kotlin': '1.9.0',
      'org.short': '3.0',
    });
    const { dependencies } = await collectFiles({
      'gradle.lockfile': 'empty=\n',
      'gradle/libs.versions.toml': text,
    });
    expect(Object.keys(dependencies)).toEqual(['gradle.lockfile']);
  });
});
