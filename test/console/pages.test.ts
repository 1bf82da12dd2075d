import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compareEnvironments } from '@envsnap/compare';
import { parsePolicy } from '@envsnap/compare/policy';
import * as drawing from '@envsnap/console';
import { type ConsolePage, consoleForms, rootOf } from '@envsnap/console';
import * as storedPages from '@envsnap/console/stored';
import {
  comparePage,
  type MatrixPageData,
  matrixPage,
  sharePage,
  snapshotPage,
} from '@envsnap/console/stored';
import { type Machine, roles, type Snapshot } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { sampleContext, samplePages, sampleSnapshot } from './sample-pages.ts';

const plain = (text: string) => text;
const context = sampleContext(plain);
const pages = [...samplePages(plain)];

/** The values of attributes with this name. */
function attributes(page: ConsolePage, name: string): string[] {
  return [...page.html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
}

function manyPackages(count: number, version: string) {
  const packages = Object.fromEntries(
    Array.from({ length: count }, (_, place) => [`some-package-${place}`, `${version}.${place}`]),
  );
  return { ...sampleSnapshot(plain, 0, 0), dependencies: { 'package-lock.json': packages } };
}

describe('texts of others', () => {
  const trick = (text: string) =>
    `${text}"'></title></style><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\u0000\u001b[31m\u2028`;
  const words: readonly (readonly [string, (text: string) => string])[] = [
    ['markup, marks that reorder text and control characters', trick],
    ['an address that is a script', () => 'javascript:alert(1)'],
    ['text that is not well-formed', (text) => `${text}\ud800`],
    ['the name of what every object has', () => '__proto__'],
  ];

  it.each(words)('are inert in every field of every page: %s', (_, word) => {
    const found: string[] = [];
    for (const [name, { html }] of samplePages(word)) {
      const markup = html.replace(/<script>[\s\S]*?<\/script>|<style>[\s\S]*?<\/style>/g, '');
      const isSafe =
        !/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\u2028]|\p{Cs}/u.test(html) &&
        !/<(?:script|img|iframe|object|base)\b/.test(markup) &&
        !/<[^>]*\son[a-z]+=/.test(markup.replace(/"[^"]*"/g, '""')) &&
        !/(?:href|src|action)="\s*(?:javascript|data:text)/i.test(markup);
      if (!isSafe || html.match(/<script\b/g)?.length !== 1) found.push(name);
    }
    expect(found).toEqual([]);
    expect(samplePages(word).size).toBe(pages.length);
  });
});

it('every page that is drawn is among the samples', () => {
  const samples = readFileSync(path.join(import.meta.dirname, 'sample-pages.ts'), 'utf8');
  const drawn = Object.keys({ ...drawing, ...storedPages }).filter((name) => /Page$/.test(name));
  expect(drawn.length).toBeGreaterThan(10);
  expect(drawn.filter((name) => !samples.includes(`: ${name}(`))).toEqual([]);
});

describe.each(pages)('the page %s', (name, page) => {
  it('asks no other host for anything, and admits its own style and script by their digests', () => {
    const digestOf = (element: string) => {
      const content = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(page.html)?.[1] ?? '';
      return `sha256-${createHash('sha256').update(content).digest('base64')}`;
    };
    expect(page.contentSecurityPolicy).toContain("default-src 'none'");
    expect(page.contentSecurityPolicy).toContain(`style-src '${digestOf('style')}'`);
    expect(page.contentSecurityPolicy).toContain(`script-src '${digestOf('script')}'`);
    expect(page.contentSecurityPolicy).not.toContain('unsafe');
    const outside = [
      ...attributes(page, 'href'),
      ...attributes(page, 'src'),
      ...attributes(page, 'action'),
    ].filter((address) => !/^(?:\.\.?\/|#|data:image)/.test(address));
    expect(outside).toEqual([]);
    expect(attributes(page, 'style')).toEqual([]);
  });

  it('is whole without scripts: only what needs them is hidden', () => {
    const hidden = page.html.match(/<[a-z]+[^>]*\shidden(?=[\s>])[^>]*>/g) ?? [];
    expect(hidden.filter((tag) => !/class="filter"|data-copy=|\shidden:|type="hidden"/.test(tag))).toEqual(
      [],
    );
  });

  it('sends its forms to the addresses in the table, with the fields in the table', () => {
    const patterns = Object.values(consoleForms).map(({ action, fields }) => ({
      address: new RegExp(`^(?:\\.\\.?/)+${action.replace(/:\w+/g, '[^/?]+')}$`),
      fields,
    }));
    for (const [form, method, action = ''] of page.html.matchAll(
      /<form method="(\w+)" action="([^"]*)".*?<\/form>/gs,
    )) {
      if (method === 'get') continue;
      const known = patterns.filter(({ address }) => address.test(action));
      expect(known.length, action).toBeGreaterThan(0);
      const names = [...form.matchAll(/\sname="([^"]*)"/g)].map(([, field = '']) => field);
      expect(known.flatMap(({ fields }) => fields)).toEqual(expect.arrayContaining(names));
    }
    expect(name).not.toBe('');
  });
});

it('a list that leaves something out says how much there is, and leads to the rest', () => {
  const [history, webhook] = ['history', 'webhook'].map((name) => new Map(pages).get(name)?.html);
  expect(history).toMatch(/The newest 32 of 40 snapshots read.*&amp;snapshots=1000">Read 40</);
  expect(history).not.toMatch(/without this value|machines shown/);
  expect(webhook).toMatch(/6 attempts in 2 days/);
  const value = { snapshotId: 'f0000000-0000-4000-8000-000000000000', createdAt: '2026-11-22T18:00:00.000Z' };
  const seriesOf = (text: string | null) => ({
    machineName: 'ci',
    snapshots: 1,
    changes: [{ ...value, value: text, outcome: null }],
  });
  const remarkOn = (texts: readonly (string | null)[], scanned: number, total: number) => {
    const series = texts.map(seriesOf);
    const read = { key: 'runtimes.node', series, scanned, total, limitReached: false };
    const data = { path: read.key, known: [], machineName: null, history: read, runs: [] };
    return /<p class="lead">(.*?)<\/p>/.exec(storedPages.historyPage(context, data).html)?.[1];
  };
  expect(remarkOn(['24'], 1, 1)).toBe('All of 1 snapshot read.');
  expect(remarkOn(['24', null, null], 3, 3)).toBe(
    'All of 3 snapshots read; 2 machines without this value not shown.',
  );
  expect(remarkOn(Array(21).fill('24'), 21, 21)).toMatch(
    /^Machines with failing .*; 20 of 21 machines shown\.$/,
  );
});

describe('a share', () => {
  const moments = { sharedAt: '2026-11-22T18:00:00.000Z', expiresAt: '2026-11-29T18:00:00.000Z' };
  const content = { kind: 'snapshot', snapshot: sampleSnapshot(plain, 0, 0), ...moments } as const;

  it('says how to install envsnap only if the operator did', () => {
    const installHint = 'npm install --global @example/envsnap';
    const pages = [{}, { installHint }].map((hint) =>
      sharePage({ serverUrl: 'https://envsnap.example.com', ...hint }, content),
    );
    expect(pages.map(({ html }) => html.includes(installHint))).toEqual([false, true]);
    expect(pages.map(({ html }) => /npx|npm install/.test(html))).toEqual([false, true]);
  });

  it('names what it leaves out below what it shows, with moments that machines can read', () => {
    const { html } = sharePage({ serverUrl: 'https://envsnap.example.com' }, content);
    expect(html.indexOf('Left out:')).toBeGreaterThan(html.lastIndexOf('runtimes:'));
    expect(html).toContain(`<time class="at" datetime="${moments.expiresAt}">2026-11-29 18:00 UTC</time>`);
  });
});

describe('what a role may not do', () => {
  it.each(roles)('has no form and no place on the pages of: %s', (role) => {
    const actions = new Set(
      [...samplePages(plain, role).values()].flatMap((page) =>
        [...page.html.matchAll(/<form method="post" action="([^"]*)"/g)].map(([, action = '']) =>
          action.replace(/^(?:\.\.?\/)+/, '').replace(/[0-9a-f-]{36}/g, ':id'),
        ),
      ),
    );
    const managing = ['webhooks', 'keys', 'keys/:id/revoke', 'team', 'team/:id/role', 'webhooks/:id/delete'];
    const writing = ['shares', 'shares/:id/revoke', 'snapshots/:id/delete'];
    const isManager = role === 'owner' || role === 'admin';
    for (const action of managing) expect(actions.has(action), action).toBe(isManager);
    for (const action of writing) expect(actions.has(action), action).toBe(role !== 'viewer');
    expect(actions.has('sign-out')).toBe(true);
    expect(samplePages(plain, role).get('runs')?.html.includes('>Audit</a>')).toBe(isManager);
  });
});

describe('the comparison', () => {
  const a = sampleSnapshot(plain, 1, 1);
  const b = sampleSnapshot(plain, 0, 0, true);

  it('carries its verdict and each cause in order', () => {
    const report = compareEnvironments(a, b);
    for (const page of [
      comparePage(context, { report, policyProblem: null, all: true }),
      sharePage(context, { kind: 'comparison', report, sharedAt: b.createdAt, expiresAt: b.createdAt }),
    ]) {
      expect(attributes(page, 'data-verdict')).toEqual([report.verdict]);
      const causes = report.causes.map(({ section, keys }) => `${section}:${keys[0]}`);
      expect(causes.length).toBeGreaterThan(3);
      expect(attributes(page, 'data-cause')).toEqual(causes);
    }
  });

  it('says why a difference is accepted, in its row and beside its cause', () => {
    const text = 'accepted: [{key: "env:LOG_LEVEL", reason: each as they like}]';
    const report = compareEnvironments(a, b, { policy: parsePolicy(text, 'policy.yaml') });
    const { html } = comparePage(context, { report, policyProblem: null, all: true });
    const marked = html.split('\n').filter((line) => line.includes('accepted: each as they like'));
    expect(marked).toEqual([
      expect.stringContaining('data-cause="env:LOG_LEVEL"'),
      expect.stringContaining('<tr id="env:LOG_LEVEL"'),
    ]);
  });

  it('offers to bisect if something differs, but not if only the policy fails', () => {
    const policy = parsePolicy('required: [MISSING_ONE]', 'policy.yaml');
    const pages = [b, a].map((left) => {
      const report = compareEnvironments(left, b, { policy });
      expect(report.verdict).toBe('failed');
      return comparePage(context, { report, policyProblem: null, all: false }).html;
    });
    expect(pages.map((page) => page.includes('envsnap bisect'))).toEqual([false, true]);
  });

  it('gives each difference its own address, and each cause the address of its difference', () => {
    const page = comparePage(context, { report: compareEnvironments(a, b), policyProblem: null, all: true });
    const ids = attributes(page, 'id');
    expect(new Set(ids).size).toBe(ids.length);
    const local = attributes(page, 'href').filter((address) => address.startsWith('#'));
    expect(local.filter((address) => !ids.includes(address.slice(1)))).toEqual([]);
    expect(ids).toContain('runtimes:node');
  });

  it('offers to hide a kind of difference if there is another kind', () => {
    const other = { ...b, runtimeVersions: { ...b.runtimeVersions, node: '1.0.0' } };
    const offers = [a, other].map((left) => {
      const report = compareEnvironments(left, b);
      expect(report.verdict).toBe('failed');
      const { html } = comparePage(context, { report, policyProblem: null, all: true });
      return html.includes('<fieldset class="kinds">');
    });
    expect(offers).toEqual([true, false]);
  });

  it('shows values of variables only if the comparison has them', () => {
    const show = (showValues: boolean) =>
      comparePage(context, {
        report: compareEnvironments(a, b, { showValues }),
        policyProblem: null,
        all: true,
      }).html;
    expect(show(false).includes('canary')).toBe(false);
    expect(show(true).includes('canary')).toBe(true);
  });

  const inMegabyte = 'holds two environments of %i packages in a megabyte, and says how much is left out';
  it.each([12_000])(inMegabyte, holdPackages);
  it.each([50_000])(inMegabyte, { tags: 'release' }, holdPackages);

  function holdPackages(count: number): void {
    const report = compareEnvironments(manyPackages(count, '1.0'), manyPackages(count, '2.0'));
    const page = comparePage(context, { report, policyProblem: null, all: false });
    expect(page.html.length).toBeLessThan(1_000_000);
    expect(page.html).toMatch(/[\d,]+ more entries: <a href="[^"]*all=1"/);
    const whole = comparePage(context, { report, policyProblem: null, all: true });
    expect(whole.html.length).toBeLessThan(10_000_000);
    expect(whole.html.match(/<tr id="dependencies:/g)?.length).toBeGreaterThan(10_000);
  }
});

it('a page holds a snapshot of 100,000 packages in a megabyte', { tags: 'release' }, () => {
  const data = { snapshot: manyPackages(100_000, '1.0'), showsValues: false, others: [] };
  const { html } = snapshotPage(context, data);
  expect(html.length).toBeLessThan(1_000_000);
  expect(html).toContain('more do not fit on one page');
});

it('the matrix holds 50 machines with 200 values in a megabyte', () => {
  const machines = machinesOf(50, ({ runtimeVersions }, place) => {
    for (let tool = 0; tool < 200; tool += 1) runtimeVersions[`tool-${tool}`] = `1.${tool}.${place % 3}`;
  });
  const { html } = matrixPage(context, matrixOf(machines));
  expect(html.length).toBeLessThan(1_000_000);
  expect(html.match(/<td/g)?.length).toBeGreaterThan(10_000);
});

it('the matrix limits its rows if machines share no runtime', () => {
  const machines = machinesOf(50, ({ runtimeVersions }, place) => {
    for (let tool = 0; tool < 400; tool += 1) runtimeVersions[`tool-${place}-${tool}`] = '1';
  });
  const { html } = matrixPage(context, matrixOf(machines));
  expect(html.match(/<td/g)?.length).toBeLessThanOrEqual(30_000);
  expect(html.includes('more values on the command line')).toBe(true);
});

it.each([
  [`runner-${'pool-'.repeat(10)}central-17`, 'runner-pool-poo…-central-17'],
  ['build-agent-17.ci.internal.example.com', 'build-agent-17.ci.internal…'],
])(
  'the head of a matrix shortens %s where names of its kind are alike, and holds it whole',
  (name, shown) => {
    const [one] = machinesOf(1);
    const { html } = matrixPage(context, matrixOf([{ ...one, machineName: name } as Machine]));
    expect(html).toContain(`title="${name}">${shown}</a>`);
  },
);

it('the matrix has a row for each machine from 12 machines on, and colours each value that few have', () => {
  const draw = (count: number, by: MatrixPageData['by'] = null) => {
    const machines = machinesOf(count, (latest, place) =>
      Object.assign(latest, sampleSnapshot(plain, 0, place, place < 2)),
    );
    const { html } = matrixPage(context, { ...matrixOf(machines), by });
    const node = /<text[^>]*>runtimes\.node<\/text>(.*?)<text/.exec(`${html}<text`)?.[1] ?? '';
    const ranks = [...node.matchAll(/<rect class="(\w+)"/g)].map(([, kind]) => kind);
    return { corner: /<table class="matrix".*?<th scope="col">(\w+)</.exec(html)?.[1], ranks };
  };
  const expected = ['v1', 'v1', ...Array.from({ length: 10 }, () => 'most')];
  expect(draw(12)).toEqual({ corner: 'Machine', ranks: expected });
  expect(draw(12, 'value')).toEqual({ corner: 'Value', ranks: expected });
  expect(draw(11).corner).toBe('Value');
  expect(draw(3).ranks).toEqual(['v1', 'v1', 'most']);
});

it('a snapshot shows values of variables only if they were asked for, and secrets never', () => {
  const snapshot = sampleSnapshot(plain, 1, 0);
  const show = (showsValues: boolean) => snapshotPage(context, { snapshot, showsValues, others: [] }).html;
  expect(show(false).includes('canary')).toBe(false);
  expect(show(true).includes('canary')).toBe(true);
  expect(show(true).includes('hmac:')).toBe(false);
});

it('the script is at most 10 KB', () => {
  const [, { html }] = pages[0] as [string, ConsolePage];
  const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  expect(script.length).toBeGreaterThan(0);
  expect(Buffer.byteLength(script)).toBeLessThanOrEqual(10_240);
});

it.each([
  ['', './'],
  ['runs', './'],
  ['snapshots/some-id', '../'],
  ['webhooks/some-id/deliveries/other/redeliver', '../../../../'],
])('the way from "%s" to the first page is %s', (from, root) => {
  expect(rootOf(from)).toBe(root);
});

/** Machines whose newest snapshots are variants of the sample. */
function machinesOf(count: number, change: (latest: Snapshot, place: number) => void = () => {}) {
  return Array.from({ length: count }, (_, place) => {
    const latest = sampleSnapshot(plain, 0, place);
    change(latest, place);
    return { machineName: `machine-${place}`, snapshots: 1, latest, values: [] };
  });
}

function matrixOf(machines: MatrixPageData['machines']): MatrixPageData {
  return { machines, total: machines.length, keys: [], known: [], onlyDifferent: false, all: true, by: null };
}
