import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../../collect-files.ts';

const dependency = (group: string, artifact: string, version = '', more = '') =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>${
    version && `<version>${version}</version>`
  }${more}</dependency>`;

/** A placeholder, as a project file writes it. */
const use = (property: string) => `\${${property}}`;

const pom = (content: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment with <dependency> -->
<project xmlns="http://maven.invalid/POM/4.0.0">
  <groupId>g</groupId><artifactId>app</artifactId><version>1.0</version>
  ${content}
</project>`;

describe('pom.xml', () => {
  it('inherits from parents inside the captured folder, and names a parent outside of it', async () => {
    const parent = `<project><groupId>g</groupId><artifactId>parent</artifactId><version>1.0</version>
      <parent><groupId>out</groupId><artifactId>starter</artifactId><version>3.1</version><relativePath/></parent>
      <properties><v>4.4</v></properties>
      <dependencyManagement><dependencies>${dependency('m', 'managed', use('v'))}</dependencies></dependencyManagement>
    </project>`;
    const child = `<project><artifactId>child</artifactId>
      <parent><groupId>g</groupId><artifactId>parent</artifactId><version>1.0</version></parent>
      <dependencies>${dependency('m', 'managed')}${dependency(use('project.groupId'), 'sibling', use('project.version'))}</dependencies>
    </project>`;
    const { dependencies, warnings } = await collectFiles({ 'pom.xml': parent, 'child/pom.xml': child });
    expect(warnings).toEqual([]);
    expect({ ...dependencies['child/pom.xml'] }).toEqual({
      'm:managed': '4.4',
      'g:sibling': '1.0',
      'out:starter': '3.1',
    });
    expect({ ...dependencies['pom.xml'] }).toEqual({ 'out:starter': '3.1' });
  });

  it('reads other encodings by their declaration', async () => {
    const text = pom(`<name>Zoë</name><dependencies>${dependency('a', 'b', '1.0')}</dependencies>`);
    const latin = Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1');
    const utf16 = Buffer.from(`\u{feff}${text.replace('UTF-8', 'UTF-16')}`, 'utf16le');
    expect(await packagesOf('pom.xml', latin)).toEqual({ 'a:b': '1.0' });
    expect(await packagesOf('pom.xml', utf16)).toEqual({ 'a:b': '1.0' });
    const marked = `\u{feff}${text.replace('UTF-8', 'ISO-8859-1')}`;
    expect(await packagesOf('pom.xml', marked)).toEqual({ 'a:b': '1.0' });
  });

  it('survives properties in a circle and properties that multiply', async () => {
    const bomb = Array.from({ length: 30 }, (_, n) => `<p${n}>${`\${p${n + 1}}`.repeat(10)}</p${n}>`).join(
      '',
    );
    const text = pom(`<properties><a>\${b}</a><b>\${a}</b>${bomb}</properties>
      <dependencies>${dependency('x', 'circle', use('a'))}${dependency('x', 'bomb', use('p0'))}</dependencies>`);
    const packages = (await packagesOf('pom.xml', text)) as Record<string, string>;
    expect(packages['x:circle']).toMatch(/^\$\{[ab]\}$/);
    expect(packages['x:bomb']?.length).toBeLessThanOrEqual(4096);
  });

  it.each([
    ['an element without an end', '<project>\n<dependencies>\n</project>', 3],
    ['truncation', '<project>\n<dependencies>\n<depen', 3],
    ['another document', '<html></html>', 1],
    ['an empty file', '', undefined],
  ])('reports %s with its line', async (_, text, line) => {
    const { warnings } = await collectFiles({ 'pom.xml': text });
    expect(warnings).toHaveLength(1);
    if (line !== undefined) expect(warnings[0]?.line).toBe(line);
  });
});

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
