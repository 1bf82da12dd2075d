// Lock files made by the tools themselves (or by hand, where no `made-by.txt` says how), read as a capture reads them. Their
// names end in `.fixture`, so that captures of this repository and scanners ignore them.

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadParser } from '../../../packages/capture/src/dependencies/parser.ts';
import { environmentOf } from '../../../packages/compare/src/environment/environment.ts';
import { packageUrl } from '../../../packages/compare/src/export/package-url.ts';
import { ecosystems, isEcosystem } from '../../../packages/shared/src/catalogue/ecosystems.ts';
import { formatOfFile, formats } from '../../../packages/shared/src/catalogue/formats.ts';
import { toolRow } from '../../../packages/shared/src/catalogue/tools.ts';
import { splitVersions } from '../../../packages/versions/src/version-distance.ts';
import { collectFiles, type Files } from './collect-files.ts';

const root = path.resolve(import.meta.dirname, '../../fixtures/lockfiles');
const cases = globSync('**/expected.json', { cwd: root })
  .map((file) => path.dirname(file).replaceAll('\\', '/'))
  .sort();

function filesOf(name: string): Files {
  const folder = path.join(root, name);
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.fixture'))
      .map((file) => [
        file.replaceAll('\\', '/').replace(/\.fixture$/, ''),
        readFileSync(path.join(folder, file), 'utf8'),
      ]),
  );
}

/** The recorded packages, with their package URLs in an export. */
async function recordOf(name: string) {
  const { dependencies, sources, direct, warnings } = await collectFiles(filesOf(name));
  const recorded = environmentOf({ machineName: 'm', metadata: { sources } });
  const packageUrls = Object.entries(dependencies).flatMap(([file, packages]) =>
    Object.entries(packages).flatMap(([each, versions]) =>
      splitVersions(versions).flatMap(
        (version) => packageUrl(file, each, version, recorded.sourceOf(file, each, version)) ?? [],
      ),
    ),
  );
  return {
    dependencies,
    sources,
    ...(Object.keys(direct).length > 0 && { direct }),
    packageUrls,
    warnings: warnings.map(({ message }) => message),
  };
}

function endingOf(name: string): string {
  return /\.[^./]*$/.exec(name)?.[0] ?? '';
}

describe('a capture of the fixture', () => {
  it.each(cases)('%s', async (name) => {
    const record = await recordOf(name);
    await expect(`${JSON.stringify(record, null, 2)}\n`).toMatchFileSnapshot(
      path.join(root, name, 'expected.json'),
    );
  });
});

describe('the catalogue of formats', () => {
  it.each(formats)(
    'has for $id a fixture, a parser or a reason, and the rows that it refers to',
    async (format) => {
      const own = cases.filter((name) => name.split('/')[0] === format.id);
      expect(own.length).toBeGreaterThan(0);
      for (const name of own) {
        const formatIds = Object.keys(filesOf(name)).map((file) => formatOfFile(file)?.id);
        expect(formatIds).toContain(format.id);
      }
      if (format.kind === 'unread') expect(format.unread).toBeTruthy();
      else expect(await loadParser(format)).toBeTypeOf('function');
      expect(isEcosystem(format.ecosystem)).toBe(true);
      for (const tool of [...(format.tools ?? []), ...(ecosystems[format.ecosystem].runtimes ?? [])])
        expect(toolRow(tool)?.name).toBe(tool);
    },
  );

  it('names each format and each file name once', () => {
    const ids = formats.map(({ id }) => id);
    const names = formats.flatMap((format) => format.names ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(names).size).toBe(names.length);
    for (const format of formats) {
      expect(format.names !== undefined).toBe(format.pattern === undefined);
      expect(format.examples !== undefined).toBe(format.pattern !== undefined);
      for (const name of format.examples ?? []) expect(formatOfFile(name)).toBe(format);
    }
    // Patterns are only tried on names with an ending of their examples.
    const endings = new Set(
      formats.flatMap(({ names: own, examples }) => [...(own ?? []), ...(examples ?? [])].map(endingOf)),
    );
    for (const { pattern, examples = [], anyEnding } of formats) {
      if (!pattern || anyEnding) continue;
      const shown = new Set(examples.map(endingOf));
      for (const ending of [...endings, '.other', '.bak'].filter((each) => !shown.has(each)))
        for (const name of examples) {
          const other = `/${name.slice(0, name.length - endingOf(name).length)}${ending}`;
          if (!shown.has(endingOf(other))) expect([other, pattern.test(other)]).toEqual([other, false]);
        }
    }
  });

  it('has no fixture of a removed format', () => {
    const ids = new Set(formats.map(({ id }) => id));
    expect(cases.filter((name) => !ids.has(name.split('/')[0] as string))).toEqual([]);
    for (const name of cases) expect(existsSync(path.join(root, name, 'expected.json'))).toBe(true);
  });
});
