import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderComparison } from '../../../packages/cli/src/render/comparison/comparison-table.ts';
import { screenOf } from '../../../packages/cli/src/terminal/terminal.ts';
import { compareEnvironments } from '../../../packages/compare/src/compare-environments.ts';
import {
  command,
  renderGithubAnnotations,
  renderGithubSummary,
  summaryLimitBytes,
} from '../../../packages/compare/src/formats/github.ts';
import { comparisonToDocument } from '../../../packages/compare/src/formats/json.ts';
import { renderJunit } from '../../../packages/compare/src/formats/junit.ts';
import { code, commentLimit, renderMarkdown, text } from '../../../packages/compare/src/formats/markdown.ts';
import { renderSarif } from '../../../packages/compare/src/formats/sarif.ts';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import { parsePolicy } from '../../../packages/compare/src/policy/policy-file.ts';
import { comparisonDocument } from '../../../packages/compare/src/report/document-schema.ts';
import { headlineOf, reportComparison } from '../../../packages/compare/src/report/report.ts';
import { renderComparisonFile } from '../../../packages/console/src/comparison/comparison-file.ts';
import { words } from '../../support/words.ts';
import { equalReport, hostile, hugeReport, sampleReport } from './sample.ts';

const file = screenOf({ isTTY: false }, {});
const terminal = screenOf({ isTTY: true, columns: 100 }, { NO_COLOR: '1' });
const colored = screenOf({ isTTY: true, columns: 100 }, {});
const formats = {
  table: (report: ReturnType<typeof sampleReport>) => renderComparison(report, file, { all: true }),
  json: (report: ReturnType<typeof sampleReport>) => JSON.stringify(comparisonToDocument(report)),
  markdown: (report: ReturnType<typeof sampleReport>) => renderMarkdown(report),
  github: (report: ReturnType<typeof sampleReport>) =>
    renderGithubAnnotations(report) + renderGithubSummary(report),
  junit: renderJunit,
  sarif: (report: ReturnType<typeof sampleReport>) => renderSarif(report, '1.0.0'),
  html: (report: ReturnType<typeof sampleReport>) =>
    renderComparisonFile(report, { all: true, madeAt: new Date(0) }),
};

describe.each(Object.entries(formats))('the format %s', (name, render) => {
  it('holds no value of a variable unless asked', () => {
    expect(render(sampleReport())).not.toContain('canary');
  });

  it('names every kind of difference', () => {
    const output = render(sampleReport());
    for (const word of ['node', '24.1.0', 'DATABASE_URL', 'API_KEY']) expect(output).toContain(word);
  });

  it('shows values when asked', () => {
    const output = render(sampleReport({ showValues: true }));
    if (name !== 'github') expect(output).toContain('canary-secret-a');
  });

  it('holds no control character and no mark that reorders text', () => {
    const allowed =
      name === 'json' || name === 'sarif'
        ? render(sampleReport()).replaceAll('\\', '')
        : render(sampleReport());
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(allowed).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    if (name !== 'json' && name !== 'sarif') expect(allowed).not.toContain('\u202e');
  });
});

describe('renderComparison', () => {
  it('names the cause first, then the sides, the differences by weight, the counts and the next step', () => {
    const lines = renderComparison(sampleReport(), terminal).split('\n');
    expect(lines[0]).toBe('node is 24.1.0, expected >=22 <23; API_KEY is not set, but required.');
    expect(lines[1]).toMatch(/^A {2}latest:anna {2}anna, linux x64, main@1a2b3c4d, 2026-11-20 10:11$/);
    expect(lines[2]).toMatch(/^B {2}local {8}<\/script>/);
    expect(lines.at(-2)).toBe('Next: install node >=22 <23 in B, then compare again.');
    expect(lines.slice(-4, -2).join(' ')).toMatch(
      /^2 expectations of \.envsnap\.yaml not met, \d+ differences count .*, \d+ do not count; \d+ entries equal\.$/,
    );
  });

  it('says once in its first line what differs and breaks an expectation', () => {
    const side = (node: string) => ({
      machineName: 'm',
      os: 'linux',
      runtimeVersions: { node, npm: '11.0.0' },
    });
    const policy = parsePolicy('expect: { runtimes: { node: ">=24" } }', '.envsnap.yaml');
    const report = compareEnvironments(side('24.1.0'), side('22.11.0'), { policy });
    expect(headlineOf(report)).toBe('node is 22.11.0, expected >=24.');
  });

  it('cuts long lists on a terminal with the number left and the flag that shows all', () => {
    const output = renderComparison(sampleReport(), terminal);
    expect(output).toMatch(/… \d+ more packages +--all shows them/);
    expect(output).not.toContain('package-0 ');
    expect(renderComparison(sampleReport(), terminal, { all: true })).toContain('package-0 ');
  });

  it('cuts nothing and colours nothing if standard output is not a terminal', () => {
    const output = renderComparison(sampleReport(), file);
    expect(output).not.toContain('more packages');
    expect(output).not.toContain('\u001b');
    expect(output).toContain('package-288');
  });

  it('keeps every line within the terminal if it cuts', () => {
    const wide = renderComparison(sampleReport(), terminal).split('\n').slice(1, 30);
    for (const line of wide.filter((row) => row.startsWith('A ') || row.startsWith('B ')))
      expect(line.length).toBeLessThanOrEqual(100);
  });

  it('emphasises the part of a version that changed', () => {
    const output = renderComparison(sampleReport(), colored);
    expect(output).toContain('2\u001b');
    expect(output).toContain('\u001b[1m\u001b[31m22.11.0');
  });

  it('reports a dependency file that is on one side only in one line', () => {
    expect(renderComparison(sampleReport(), terminal)).toMatch(/- only-a\/go\.sum +2 packages, only in A/);
  });

  it('shows of a list what each side alone has', () => {
    const side = (value: string[]) => ({ machineName: 'm', metadata: { facts: { 'net.resolvers': value } } });
    const report = compareEnvironments(side(['10.0.0.1', '10.0.0.2']), side(['10.0.0.2', '10.0.0.3']));
    expect(renderComparison(report, file, { all: true })).toMatch(
      /~ net\.resolvers +− 10\.0\.0\.1; \+ 10\.0\.0\.3 /,
    );
  });

  it('says that nothing differs, and what it could not compare', () => {
    expect(renderComparison(equalReport(), terminal)).toMatch(
      /^No difference\.\nA .*\nB .*\n\n\d+ entries equal\.\n$/,
    );
    const side = { machineName: 'm', envVars: { TOKEN: '[redacted]' } };
    const report = reportComparison(findDifferences(side, side));
    for (const render of Object.values(formats)) expect(render(report)).toContain('counted as the same');
    expect(renderGithubAnnotations(equalReport())).toBe('::notice title=envsnap::No difference.\n');
  });

  it('says that what differs does not count', () => {
    const a = { machineName: 'a', runtimeVersions: { node: '22.1.0' } };
    const b = { machineName: 'b', runtimeVersions: { node: '22.1.1' } };
    const report = sampleReport({ a, b, failOn: 'runtimes:minor' });
    const tolerated = { ...report, policy: null, verdict: 'tolerated' as const };
    expect(renderComparison(tolerated, terminal)).toContain(
      'No difference counts, 1 does not; 0 entries equal.',
    );
  });
});

describe('renderMarkdown', () => {
  it('stays within the limit of a comment, whatever is in it, and says how much is left out', () => {
    const output = renderMarkdown(hugeReport());
    expect(output.length).toBeLessThanOrEqual(commentLimit);
    expect(output).toMatch(/[\d,]+ more differences, not shown/);
    expect(renderMarkdown(hugeReport(100), 900).length).toBeLessThanOrEqual(900);
  });

  it('keeps every table row one row', () => {
    for (const line of renderMarkdown(sampleReport()).split('\n')) {
      if (!line.startsWith('| ')) continue;
      const cells = line.replaceAll('\\|', '').split('|').length - 2;
      expect([3, 4, 5, 6]).toContain(cells);
    }
  });

  it('also escapes the name that a difference follows from', () => {
    const side = (tool: string) => {
      const toolchain = { [tool]: { declared: [{ source: '.tool-versions', version: '2' }] } };
      return { machineName: 'm', runtimeVersions: { [tool]: '1' }, metadata: { toolchain } };
    };
    const report = compareEnvironments(side('other'), side(hostile));
    const rows = renderMarkdown(report)
      .split('\n')
      .filter((line) => line.includes('follows from'));
    expect(rows).not.toEqual([]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    for (const row of rows) expect(row).toMatch(/^\|[^\u0000-\u001f\u202e]*\|$/);
    expect(rows.join('\n')).not.toMatch(/follows from[^`]*(?:<img|@someone)/);
  });

  it('makes no mention, link, reference to an issue or HTML of data', () => {
    const tricky = fc.array(fc.constantFrom(...words`fixes # GH- ! & 1 22 @ a acme/app < http:// www.`));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          tricky.map((parts) => parts.join('')),
        ),
        (data) => {
          const shown = text(data).replaceAll('&#8288;', '\u2060');
          expect(shown).not.toMatch(/<[a-z/!]|@[a-z]|[#!]\d|\bGH-\d|\b(?:https?:|www\.)/i);
          const span = code(data);
          if (span !== '') {
            const fence = /^`+/.exec(span)?.[0] as string;
            const inner = span.slice(fence.length, -fence.length);
            expect(inner.match(/`+/g) ?? []).not.toContain(fence);
            expect(inner.replaceAll('\\|', '')).not.toContain('|');
          }
        },
      ),
    );
  });
});

describe('renderGithubAnnotations', () => {
  it('escapes what would end a command or start another', () => {
    expect(command('error', { file: 'a,b:c%\n', title: 't' }, '50%\r\n::error::x')).toBe(
      '::error file=a%2Cb%3Ac%25%0A,title=t::50%25%0D%0A\\x3a:error::x',
    );
    for (const line of renderGithubAnnotations(sampleReport()).trimEnd().split('\n'))
      expect(line).toMatch(/^::(error|notice)( [a-z]+=[^:,]*(,[a-z]+=[^:,]*)*)?::/);
  });

  it('keeps to the ten annotations that GitHub shows, and says that there is more', () => {
    const lines = renderGithubAnnotations(sampleReport()).split('\n');
    const errors = lines.filter((line) => line.startsWith('::error'));
    expect(errors).toHaveLength(10);
    expect(errors.at(-1)).toMatch(/\d+ more differences count; the step summary has all of them/);
    expect(errors[0]).toBe(
      '::error file=.envsnap.yaml,line=3,title=envsnap policy::node is 24.1.0, expected >=22 <23',
    );
  });

  it('has a summary of at most 1 MiB', () => {
    expect(Buffer.byteLength(renderGithubSummary(hugeReport()))).toBeLessThanOrEqual(summaryLimitBytes);
  });
});

describe('comparisonToDocument', () => {
  it('keeps to its published schema', () => {
    for (const report of [sampleReport(), sampleReport({ showValues: true }), equalReport()])
      expect(comparisonDocument.parse(comparisonToDocument(report))).toEqual(comparisonToDocument(report));
  });

  it('says of each fact whether it counts', () => {
    const side = (machineName: string, open: boolean) => ({
      machineName,
      metadata: { facts: { 'home.writable': open } },
    });
    const document = comparisonToDocument(
      reportComparison(findDifferences(side('a', true), side('b', false))),
    );
    expect(document.diff.facts).toMatchObject([{ key: 'home.writable', counts: true }]);
    expect(document.summary.facts.counting).toBe(1);
  });

  it('has the fields of the service’s response to a comparison', () => {
    const { diff, snapshotA, snapshotB } = comparisonToDocument(sampleReport());
    expect([snapshotA, snapshotB]).toEqual(['0b6f6f0e-1111-4222-8333-444455556666', null]);
    expect(diff.arch).toMatchObject({ a: 'x64', b: 'arm64', match: false });
    expect(diff.runtimes.find((entry) => entry.key === 'node')).toMatchObject({
      a: '22.11.0',
      b: '24.1.0',
      match: false,
    });
    expect(diff.dependencies.find((entry) => entry.name === 'zod')).toMatchObject({
      key: 'packages/api/package-lock.json/zod',
      status: 'changed',
      distance: 'major',
    });
    expect(diff.envVars.find((entry) => entry.key === 'DATABASE_URL')).toEqual({
      key: 'DATABASE_URL',
      status: 'removed',
      counts: true,
      reason: null,
    });
    expect(diff.env).toEqual(diff.envVars);
  });
});

describe('renderSarif', () => {
  it('is valid by the schema of SARIF 2.1.0', () => {
    const require = createRequire(import.meta.url);
    const path = require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
    const schema = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    delete schema.$schema;
    const { id: _old, ...usable } = schema;
    const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
    addFormats.default(ajv);
    const validate = ajv.compile(usable);
    for (const report of [sampleReport(), equalReport(), hugeReport(300)]) {
      validate(JSON.parse(renderSarif(report, '1.2.3')));
      expect(validate.errors ?? []).toEqual([]);
    }
  });

  const resultsOf = (...given: Parameters<typeof renderSarif>) =>
    (JSON.parse(renderSarif(...given)) as { runs: { results: unknown[] }[] }).runs[0]?.results.length;

  it('has no more results than it may', () => {
    expect(resultsOf(hugeReport(300), '1.2.3', 100)).toBe(100);
  });

  it('has no more results than code scanning takes', { tags: 'release' }, () => {
    expect(resultsOf(hugeReport(), '1.2.3')).toBe(25_000);
  });
});
