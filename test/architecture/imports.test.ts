// Enforces the import rules of ARCHITECTURE.md between and within the packages.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTestData } from '../support/test-data.ts';

const { allowed, clocks } = readTestData<{
  allowed: Record<PackageName, readonly string[]>;
  clocks: Record<string, string>;
}>(import.meta);

const packagesFolder = path.resolve(import.meta.dirname, '../../packages');
const packageNames = ['shared', 'versions', 'sdk', 'capture', 'compare', 'console', 'server', 'cli'] as const;
type PackageName = (typeof packageNames)[number];

interface Import {
  /** Source file, relative to its package's src, with `/`. */
  readonly from: string;
  /** What it imports: a file relative to the same src, or a bare specifier. */
  readonly to: string;
  readonly isFile: boolean;
  readonly typeOnly: boolean;
  /** Loaded on demand. */
  readonly onDemand: boolean;
}

function listSources(name: PackageName): string[] {
  const folder = path.join(packagesFolder, name, 'src');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

/** A file's text without its comments. */
function readSource(name: PackageName, file: string): string {
  const text = readFileSync(path.join(packagesFolder, name, 'src', file), 'utf8');
  return text.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[\w*\s{},$]*?\s+from\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

function listImports(name: PackageName): Import[] {
  return listSources(name).flatMap((from) =>
    [...readSource(name, from).matchAll(importPattern)].map((match) => {
      const specifier = match[2] ?? match[3] ?? '';
      const isFile = specifier.startsWith('.');
      const to = isFile ? path.posix.join(path.posix.dirname(from), specifier) : specifier;
      return { from, to, isFile, typeOnly: match[1] !== undefined, onDemand: match[3] !== undefined };
    }),
  );
}

const imports = Object.fromEntries(packageNames.map((name) => [name, listImports(name)])) as Record<
  PackageName,
  Import[]
>;

/** The files and packages that a file needs before it runs, itself included. */
function loadedBy(name: PackageName, entry: string): string[] {
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { from, to, typeOnly, onDemand } of imports[name])
      if (from === file && !typeOnly && !onDemand) loaded.add(to);
  return [...loaded];
}

function show(found: readonly Import[]): string[] {
  return found.map(({ from, to }) => `${from} imports ${to}`);
}

function topFolder(file: string): string {
  return file.includes('/') ? (file.split('/')[0] as string) : '';
}

describe('the reading of imports', () => {
  it('finds imports of every form', () => {
    const find = (to: string) => (entry: Import) => entry.to === to;
    expect(imports.server.find(find('express'))).toBeDefined();
    expect(imports.server.filter(({ isFile }) => isFile).length).toBeGreaterThan(150);
    expect(
      imports.cli.some(({ from, to }) => from.startsWith('commands/') && to.startsWith('actions/')),
    ).toBe(true);
  });
});

describe('the packages', () => {
  it.each(packageNames)('%s imports only packages below it', (name) => {
    const own = imports[name].filter(({ to }) => to.startsWith('@envsnap/') || to === 'envsnap');
    const wrong = own.filter(
      ({ to }) => !allowed[name].some((other) => to === other || to.startsWith(`${other}/`)),
    );
    expect(show(wrong)).toEqual([]);
  });

  it('shared is pure: zod and nothing else', () => {
    expect(show(imports.shared.filter(({ isFile, to }) => !isFile && to !== 'zod'))).toEqual([]);
  });

  it('sdk runs outside Node.js, and only its transport knows ky', () => {
    expect(show(imports.sdk.filter(({ to }) => to.startsWith('node:')))).toEqual([]);
    const wrong = imports.sdk.filter(({ from, to }) => to === 'ky' && from !== 'call/exchange.ts');
    expect(show(wrong)).toEqual([]);
  });

  it.each(packageNames)('no file of %s imports its own index', (name) => {
    expect(show(imports[name].filter(({ isFile, to }) => isFile && to === 'index.ts'))).toEqual([]);
  });
});

describe('the imports of a package', () => {
  /**
   * The files of the first import cycle, types included; empty if there is none. A module that is loaded on demand may import its
   * loader.
   */
  function findCycle(name: PackageName): string[] {
    const next = new Map<string, string[]>();
    for (const { from, to, isFile, onDemand } of imports[name])
      if (isFile && !onDemand) next.set(from, [...(next.get(from) ?? []), to]);
    const done = new Set<string>();
    const way: string[] = [];
    function visit(file: string): string[] {
      const place = way.indexOf(file);
      if (place >= 0) return way.slice(place);
      if (done.has(file)) return [];
      way.push(file);
      for (const to of next.get(file) ?? []) {
        const cycle = visit(to);
        if (cycle.length > 0) return cycle;
      }
      way.pop();
      done.add(file);
      return [];
    }
    return [...next.keys()].map(visit).find((cycle) => cycle.length > 0) ?? [];
  }

  it.each(packageNames)('form no cycle in %s, not even through types', (name) => {
    expect(findCycle(name)).toEqual([]);
  });
});

describe('the server', () => {
  /** Features from the lowest to the highest: each may use those before it. */
  const order = [
    'service',
    'metrics',
    'api-description',
    'audit',
    'fingerprints',
    'api-keys',
    'webhooks',
    'files',
    'projects',
    'team',
    'snapshots',
    'diagnosis',
    'health',
    'usage',
  ];
  const plumbing = ['infra', 'idempotency'];

  it('keeps infra free of features', () => {
    const wrong = imports.server.filter(
      ({ from, to, isFile }) => isFile && topFolder(from) === 'infra' && topFolder(to) !== 'infra',
    );
    expect(show(wrong.filter(({ to, typeOnly }) => !(to === 'config.ts' && typeOnly)))).toEqual([]);
  });

  it('lets a feature use only lower features', () => {
    const wrong = imports.server.filter(({ from, to, isFile }) => {
      const [user, used] = [topFolder(from), topFolder(to)];
      if (!isFile || user === '' || used === '' || user === used || plumbing.includes(used)) return false;
      if (!order.includes(user)) return false;
      return !order.includes(used) || order.indexOf(used) > order.indexOf(user);
    });
    expect(show(wrong)).toEqual([]);
  });

  it('distinguishes databases only in infra/db and in the composition root', () => {
    const wrong = listSources('server').filter(
      (file) =>
        !file.startsWith('infra/db/') &&
        file !== 'compose.ts' &&
        /dialect\.name\s*[=!]==/.test(readSource('server', file)),
    );
    expect(wrong).toEqual([]);
  });

  it("takes the time from the database's clock, also in code of other packages that it uses", () => {
    const own =
      /\bDate\.now\(|new Date\(\)|\bsystemClock\b|\bcreateDatabaseClock\(|\b[mc]time|current_time|unixepoch|clock_timestamp|(?<!performance\.)\bnow\(\)/i;
    const reading = (['shared', 'compare', 'console', 'server'] as const).flatMap((name) =>
      listSources(name)
        .filter((file) => own.test(readSource(name, file)))
        .map((file) => `${name}/${file}`),
    );
    expect(reading.sort()).toEqual(Object.keys(clocks).sort());
  });

  it('builds everything in compose.ts, which only main.ts knows', () => {
    const users = imports.server.filter(({ to, isFile }) => isFile && to === 'compose.ts');
    expect(show(users.filter(({ from, typeOnly }) => from !== 'main.ts' && !typeOnly))).toEqual([]);
  });
});

describe("the operator's program", () => {
  it('loads neither the service nor a database before a command needs them', () => {
    const loaded = loadedBy('server', 'cli.ts');
    expect(loaded).toContain('operator/commands.ts');
    const heavy = /^(?:express|knex|pg|better-sqlite3|pino|zod|@envsnap\/shared)$|^(?:compose|main|app)\.ts$/;
    expect(loaded.filter((name) => heavy.test(name))).toEqual([]);
  });

  it('leaves comparisons, and pages of stored snapshots, to the job thread', () => {
    const own = loadedBy('server', 'main.ts');
    expect(own).toContain('console/routes.ts');
    const comparing = /^@envsnap\/(?:compare|versions|console\/stored)/;
    const loaded = [...own, ...loadedBy('console', 'index.ts'), ...loadedBy('shared', 'index.ts')];
    expect(loaded.filter((name) => comparing.test(name))).toEqual([]);
  });
});

describe('the capture', () => {
  const doors = [
    'node:fs',
    'node:fs/promises',
    'node:child_process',
    'node:os',
    'node:net',
    'node:http',
    'node:https',
  ];

  it('reaches the machine only through system/system.ts', () => {
    const wrong = imports.capture.filter(({ from, to }) => !from.startsWith('system/') && doors.includes(to));
    expect(show(wrong)).toEqual([]);
    const reading = listSources('capture').filter(
      (file) =>
        !file.startsWith('system/') &&
        /\bprocess\.(env|platform|arch|cwd|argv|stdout|stderr)\b/.test(readSource('capture', file)),
    );
    expect(reading).toEqual([]);
  });

  it('leaves the comparison and the pages pure: no file, process or network', () => {
    expect(show(imports.compare.filter(({ to }) => doors.includes(to)))).toEqual([]);
    expect(show(imports.console.filter(({ to }) => doors.includes(to)))).toEqual([]);
    expect(show(imports.versions.filter(({ to }) => doors.includes(to)))).toEqual([]);
  });

  it.each(['versions', 'capture', 'compare', 'console'] as const)(
    '%s never prints and never ends the process',
    (name) => {
      const wrong = listSources(name).filter((file) =>
        /process\.std(out|err)\b|console\.|process\.exit\b/.test(readSource(name, file)),
      );
      expect(wrong).toEqual([]);
    },
  );
});

describe('the command line', () => {
  it('prints only from commands', () => {
    const wrong = listSources('cli').filter(
      (file) =>
        /^(actions|render)\//.test(file) &&
        /process\.std(out|err)\.write|console\./.test(readSource('cli', file)),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps renderers free of actions, commands and the network', () => {
    const wrong = imports.cli.filter(
      ({ from, to, typeOnly }) =>
        from.startsWith('render/') &&
        !typeOnly &&
        (/^(commands|actions)\//.test(to) || to === '@envsnap/sdk'),
    );
    expect(show(wrong)).toEqual([]);
  });

  it('keeps commands free of the network: actions do the work', () => {
    const wrong = imports.cli.filter(
      ({ from, to }) => from.startsWith('commands/') && ['ky', 'node:http', 'node:https'].includes(to),
    );
    expect(show(wrong)).toEqual([]);
  });

  it('is loaded by the files of bin and takes nothing from them', () => {
    expect(show(imports.cli.filter(({ to }) => /^(?:\.\.\/)+bin\//.test(to)))).toEqual([]);
    expect(imports.cli.some(({ to }) => to.startsWith('../plain/'))).toBe(true);
  });
});
