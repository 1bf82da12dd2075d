// Comparisons, histories and snapshots at the widths that terminals have.

import { describe, expect, it } from 'vitest';
import { renderHistory } from '../../../packages/cli/src/commands/history.ts';
import { renderComparison } from '../../../packages/cli/src/render/comparison/comparison-table.ts';
import { renderTable, shortIds } from '../../../packages/cli/src/render/layout/table.ts';
import { environmentFields } from '../../../packages/cli/src/render/machine/environment-fields.ts';
import { screenOf } from '../../../packages/cli/src/terminal/terminal.ts';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import { reportComparison } from '../../../packages/compare/src/report/report.ts';

const ids = { a: '0193a5c2-1111-4222-8333-444455556666', b: '0193a5c2-9111-4222-8333-444455556666' };
const project = { ecosystems: ['npm'], tools: ['node', 'pnpm'], variables: { DATABASE_URL: '.env.example' } };
const toolchain = (present: string) => ({
  node: { present, declared: [{ source: '.nvmrc', version: '22.11.0', satisfied: present === '22.11.0' }] },
});
const registry = 'https://registry.example.com/repositories/npm-internal-and-mirrored-packages';
const a = {
  id: ids.a,
  machineName: 'anna-thinkpad',
  os: 'linux',
  arch: 'x64',
  createdAt: '2026-11-20T10:11:12.000Z',
  runtimeVersions: { node: '22.11.0', pnpm: '9.12.0', go: '1.22.0' },
  dependencies: {
    'pnpm-lock.yaml': { zod: '3.24.1', '@a-very-long-scope/with-a-very-long-package-name': '1.0.0' },
  },
  envVars: { DATABASE_URL: 'hmac:0123456789abcdef', EDITOR: 'vim', SHELL: '/bin/zsh', NODE_ENV: 'test' },
  metadata: {
    git: { branch: 'feature/a-branch-with-a-long-name', commit: '9fceb02d0ae598e9' },
    project,
    toolchain: toolchain('22.11.0'),
    facts: { 'npm.registry': `${registry}/one/`, 'limits.openFiles': 65536 },
  },
};
const b = {
  ...a,
  id: ids.b,
  machineName: 'ci-runner',
  runtimeVersions: { node: '22.14.0', pnpm: '9.12.0' },
  dependencies: {
    'pnpm-lock.yaml': { zod: '4.0.0', '@a-very-long-scope/with-a-very-long-package-name': '2.0.0' },
  },
  envVars: { NODE_ENV: 'production', SHELL: '/bin/bash' },
  metadata: {
    ...a.metadata,
    toolchain: toolchain('22.14.0'),
    facts: { 'npm.registry': `${registry}/two/`, 'limits.openFiles': 1024 },
  },
};

const terminal = (columns: number) => screenOf({ isTTY: true, columns }, { NO_COLOR: '1' });
const report = reportComparison(findDifferences(a, b, { labels: ids, explains: true }));
const shown = (columns: number, options = {}) => renderComparison(report, terminal(columns), options);

describe('a comparison', () => {
  it.each([60, 80, 120, 200])('at %d columns fits, and breaks no word', (columns) => {
    const whole = new Set(shown(10_000, { all: true }).split(/\s+/));
    for (const options of [{}, { all: true }]) {
      const output = shown(columns, options);
      for (const line of output.split('\n')) expect(line.length, line).toBeLessThanOrEqual(columns);
      const words = output.split(/\s+/).filter((word) => !word.includes('…') && !/^[\dA]/.test(word));
      for (const word of words.filter((each) => !each.endsWith('shown:')))
        if (!options || Object.keys(options).length > 0) expect(whole, word).toContain(word);
    }
  });

  it('repeats the first cause before the next step if the beginning has scrolled away', () => {
    const headline = shown(80).split('\n')[0] ?? '';
    const { length } = shown(80).trimEnd().split('\n');
    const onScreen = (rows: number) =>
      renderComparison(report, screenOf({ isTTY: true, columns: 80, rows }, { NO_COLOR: '1' }));
    const short = onScreen(length).trimEnd().split('\n');
    const next = short.findIndex((line) => line.startsWith('Next: '));
    expect(short.slice(0, next).lastIndexOf(headline)).toBeGreaterThan(length / 2);
    expect(onScreen(length + 1)).toBe(shown(80));
  });

  it('prints a reason that several rows share once if the terminal is narrow', () => {
    const desktop = { XDG_MENU_PREFIX: 'gnome-', GTK_MODULES: 'x' };
    const differing = reportComparison(findDifferences({ ...a, envVars: desktop }, { ...a, envVars: {} }));
    const narrow = renderComparison(differing, terminal(60), { all: true });
    expect(narrow.match(/not counted: set by the\s+desktop/g)).toHaveLength(1);
    expect(narrow).toMatch(/not counted: set by the desktop:\n +- \w+ +only in \w+\n +- \w+ +only/);
    const wide = renderComparison(differing, terminal(200), { all: true });
    expect(wide.match(/not counted: set by the desktop/g)).toHaveLength(2);
  });

  it('says once what is needed and what is present', () => {
    for (const columns of [60, 80, 120])
      expect(shown(columns).replaceAll(/\s+/g, ' ')).toContain('needs 22.11.0; ci-runner has 22.14.0');
  });

  it('shows the parts of long values that differ, never two equal halves', () => {
    const lines = shown(60).split('\n');
    const at = lines.findIndex((line) => line.includes('npm.registry'));
    const text = lines.slice(at, at + 3).join('\n');
    expect(text).toContain('one/');
    expect(text).toContain('→ …');
    expect(text).toContain('two/');
  });

  it('hides context but counts it, and shows it with its reason on request', () => {
    expect(shown(80)).not.toMatch(/^ .*(?:EDITOR|SHELL)/m);
    expect(shown(80).replaceAll('\n', ' ')).toMatch(
      /4 differences not shown: .*nothing in the project asks for it \(1\).*--all shows them\./,
    );
    expect(shown(200, { all: true })).toMatch(/- EDITOR .*not counted: /);
  });

  it('shortens ids as far as they stay apart', () => {
    expect(shown(80)).toMatch(/^A {2}0193a5c2-1 {2}anna-thinkpad, linux x64,/m);
    expect(shortIds([ids.a, 'local'])(ids.a)).toBe('0193a5c2');
    expect(shortIds([ids.a, 'local'])('local')).toBe('local');
  });

  it('says first what it could not compare', () => {
    const side = { machineName: 'm', envVars: { A: '[redacted]', B: '[redacted]' } };
    const equal = reportComparison(findDifferences(side, side));
    expect(renderComparison(equal, terminal(80))).toMatch(
      /^No difference found; 2 secrets could not be compared\.\n/,
    );
    const language = (locale: string) => ({ machineName: 'm', metadata: { locale } });
    const other = findDifferences(language('en_GB.UTF-8'), language('de_DE.UTF-8'));
    expect(other.sections.system[0]?.distance).toBeNull();
  });
});

describe('differences that are one cause', () => {
  const tools = (machineName: string, flavour: string, node: string, npm: string) => ({
    machineName,
    os: 'linux',
    runtimeVersions: { node, npm },
    dependencies: { 'package-lock.json': { zod: '4.0.0' } },
    metadata: { facts: { 'program.sed': flavour, 'program.tar': flavour } },
  });
  const report = reportComparison(
    findDifferences(tools('box', 'GNU', '22.1.0', '10.9.0'), tools('mac', 'BSD', '24.1.0', '11.0.0'), {
      explains: true,
    }),
  );

  it('are one row if they differ in the same way, and otherwise say what counts for them', () => {
    const text = renderComparison(report, terminal(120));
    expect(text).toMatch(/program\.sed +GNU +→ BSD +and so is program\.tar/);
    expect(text).toMatch(/npm +10\.9\.0 +→ 11\.0\.0 +major +follows from node/);
    expect(text).toContain('2 differences count (1 fact, 1 runtime), 2 follow from them');
    expect(text).not.toMatch(/~ program\.tar/);
    expect(renderComparison(report, terminal(120), { all: true })).toMatch(/~ program\.tar/);
  });
});

describe('a table', () => {
  it('leaves out what no row has on a terminal, and nothing in a file', () => {
    const columns = [{ header: 'ID' }, { header: 'GIT', drops: 1 }];
    expect(renderTable(columns, [['1', '']], terminal(80))).toBe('ID\n1\n');
    expect(renderTable(columns, [['1', 'main']], terminal(80))).toBe('ID  GIT\n1   main\n');
    expect(renderTable(columns, [['1', '']], screenOf({ isTTY: false } as never))).toContain('GIT');
  });
});

describe('a history without a change', () => {
  const series = (...values: (string | null)[]) =>
    values.map((value, index) => ({
      machineName: `m${index}`,
      snapshots: 1,
      changes: [{ snapshotId: ids.a, createdAt: '2026-11-20T10:11:12.000Z', value, distance: null }],
    }));
  const summaryOf = (...values: (string | null)[]) =>
    renderHistory(
      { key: 'runtimes.node', series: series(...values) as never, scanned: 3, limitReached: false, total: 3 },
      terminal(80),
    )
      .trimEnd()
      .split('\n\n')
      .at(-1)
      ?.replaceAll('\n', ' ');

  it('reports machines that have different values', () => {
    expect(summaryOf('22.11.0')).toBe('It never changed.');
    expect(summaryOf('22.11.0', '22.11.0')).toBe('It never changed, and all machines have the same value.');
    expect(summaryOf('22.11.0', '24.1.0', '22.11.0')).toContain('22.11.0 on m0, m2; 24.1.0 on m1.');
    expect(summaryOf('1', null)).toContain('1 on m0; none on m1');
  });
});

describe('an environment in a few lines', () => {
  it('begins with what the project uses', () => {
    expect(
      environmentFields({
        ...a,
        metadata: { ...a.metadata, project: { ...project, tools: ['node', 'make'] } },
      }),
    ).toEqual([
      ['project', 'npm: node 22.11.0; not here: make'],
      ['declared', 'node 22.11.0 (.nvmrc) fits'],
      ['git', 'feature/a-branch-with-a-long-name@9fceb02d'],
      ['system', 'linux/x64'],
      ['runtimes', '2 others: pnpm, go'],
      ['packages', '2 packages in 1 file'],
      ['facts', '2 facts of the machine'],
    ]);
  });
});
