import { describe, expect, it } from 'vitest';
import {
  type ComparisonRules,
  compareEnvironments,
} from '../../../packages/compare/src/compare-environments.ts';
import { comparisonToDocument } from '../../../packages/compare/src/formats/json.ts';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import { defaultFailRules, type FailRule } from '../../../packages/compare/src/policy/fail-on.ts';
import type { Acceptance } from '../../../packages/compare/src/policy/policy.ts';
import { PolicyError, parsePolicy } from '../../../packages/compare/src/policy/policy-file.ts';
import { presetRules } from '../../../packages/compare/src/policy/presets.ts';
import { headlineOf, reportComparison } from '../../../packages/compare/src/report/report.ts';
import { countsLine } from '../../../packages/compare/src/report/view.ts';

const a = {
  machineName: 'anna',
  os: 'linux',
  arch: 'x64',
  runtimeVersions: { node: '22.11.0' },
  dependencies: { 'package-lock.json': { zod: '3.0.0' } },
  envVars: { LOG_LEVEL: 'debug' },
};
const b = { ...a, machineName: 'ben', runtimeVersions: { node: '24.1.0' }, envVars: { LOG_LEVEL: 'info' } };
const now = new Date('2026-11-21T12:00:00Z');

function judge(...accepted: Acceptance[]) {
  return reportComparison(findDifferences(a, b), { accepted, sides: { a, b }, now });
}
const keysCounting = (...accepted: Acceptance[]) => [...judge(...accepted).counting].map(({ key }) => key);

it('a line of counts begins with a capital, and has none after that', () => {
  const check = {
    rule: 'facts',
    key: 'limits.openFiles',
    outcome: 'violated',
    expected: '2',
    actual: '1',
    message: '',
    advice: '',
    line: 1,
  } as const;
  const policy = { file: '.envsnap.yaml', checks: [check] };
  const alike = reportComparison(findDifferences(a, a), { policy });
  expect(countsLine(alike)).toBe('1 expectation of .envsnap.yaml not met, no difference');
  expect(countsLine(reportComparison(findDifferences(a, a)))).toBe('No difference');
});

describe('accepted differences', () => {
  it('do not count, and are not a cause that is named first', () => {
    expect(keysCounting()).toEqual(['node', 'LOG_LEVEL']);
    expect(keysCounting({ key: 'runtimes:node', reason: 'soon' })).toEqual(['LOG_LEVEL']);
    expect(keysCounting({ key: 'LOG_LEVEL', reason: 'taste' }, { key: 'runtimes', reason: 'soon' })).toEqual(
      [],
    );
    const report = judge({ key: 'runtimes:node', reason: 'soon' });
    expect(headlineOf(report)).toMatch(/^LOG_LEVEL /);
    expect(report.causes.at(-1)?.keys).toEqual(['node']);
  });

  const zone = (timezone: string, envVars: Record<string, string>, facts: Record<string, string> = {}) => ({
    ...a,
    envVars,
    metadata: { timezone, facts },
  });

  it('take along what follows from a variable, and that alone', () => {
    const [left, right] = [
      zone('Asia/Tokyo', { TZ: 'Asia/Tokyo' }, { 'fs.type': 'ext4' }),
      zone('UTC', {}, { 'fs.type': 'ext4' }),
    ];
    const report = reportComparison(
      findDifferences(left, { ...right, runtimeVersions: { node: '24.1.0' } }),
      { accepted: [{ key: 'env:TZ', reason: 'known' }], sides: { a: left, b: right }, now },
    );
    expect([...report.counting].map(({ key }) => key)).toEqual(['node']);
    expect(report.accepted.map(({ entries }) => entries.map(({ key }) => key))).toEqual([['TZ', 'timezone']]);
  });

  it('do not speak for what may follow from another variable of the kind', () => {
    const language = (locale: string, envVars: Record<string, string>) => ({
      ...a,
      envVars,
      metadata: { locale },
    });
    const [left, right] = [
      language('ja_JP.UTF-8', { LANG: 'ja_JP.UTF-8', LC_ALL: 'ja_JP.UTF-8' }),
      language('C.UTF-8', { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }),
    ];
    const judged = (...keys: string[]) =>
      reportComparison(findDifferences(left, right, { explains: true }), {
        accepted: keys.map((key) => ({ key, reason: 'known' })),
        sides: { a: left, b: right },
        now,
      });
    expect(judged('env:LANG').verdict).toBe('failed');
    expect(judged('env:LANG', 'env:LC_ALL').verdict).toBe('tolerated');
  });

  it('say nothing of a cause by accepting what follows from it', () => {
    const [left, right] = [zone('Asia/Tokyo', { TZ: 'Asia/Tokyo' }), zone('UTC', {})];
    const report = reportComparison(findDifferences(left, right, { explains: true }), {
      accepted: [{ key: 'system:timezone', reason: 'known' }],
      sides: { a: left, b: right },
      now,
    });
    expect([...report.counting].map(({ key }) => key)).toEqual(['TZ']);
  });

  it('count again with what follows from them, once they have ended', () => {
    const [left, right] = [zone('Asia/Tokyo', { TZ: 'Asia/Tokyo' }), zone('UTC', {})];
    const report = reportComparison(findDifferences(left, right, { explains: true }), {
      accepted: [{ key: 'env:TZ', reason: 'known', until: '2026-11-20' }],
      sides: { a: left, b: right },
      now,
    });
    expect(report.verdict).toBe('failed');
  });

  it('leave a headline that names what counts, however unlikely a cause it is', () => {
    const [left, right] = [
      { ...a, envVars: { BAT_THEME: 'x' } },
      { ...a, envVars: {} },
    ];
    const report = reportComparison(findDifferences(left, right), { failRules: presetRules('strict') });
    expect(report.verdict).toBe('failed');
    expect(headlineOf(report)).toMatch(/^BAT_THEME is set /);
  });

  it('hold for the values they were given for only, of variables too', () => {
    const key = 'runtimes:node';
    expect(keysCounting({ key, a: '22.11.0', b: '24.1.0', reason: 'r' })).toEqual(['LOG_LEVEL']);
    expect(keysCounting({ key, b: '24.2.0', reason: 'r' })).toEqual(['node', 'LOG_LEVEL']);
    expect(keysCounting({ key: 'LOG_LEVEL', a: 'debug', reason: 'r' })).toEqual(['node']);
    expect(keysCounting({ key: 'LOG_LEVEL', a: '', reason: 'r' })).toEqual(['node', 'LOG_LEVEL']);
  });

  it('hold through their last day, then count again and say so', () => {
    const acceptance = { key: 'runtimes:node', reason: 'until the upgrade' };
    expect(keysCounting({ ...acceptance, until: '2026-11-21' })).toEqual(['LOG_LEVEL']);
    const report = judge({ ...acceptance, until: '2026-11-20' });
    expect([...report.counting].map(({ key }) => key)).toEqual(['node', 'LOG_LEVEL']);
    expect(report.comparison.notes).toContainEqual({
      code: 'acceptance_expired',
      message: 'runtimes:node was accepted until 2026-11-20 (until the upgrade); it counts again.',
    });
    expect(comparisonToDocument(report).accepted).toEqual([
      { ...acceptance, until: '2026-11-20', expired: true, entries: [{ section: 'runtimes', key: 'node' }] },
    ]);
  });

  it('are read from the policy, with mistakes reported with their line', () => {
    const text = 'accepted:\n  - key: env:LOG_*\n    reason: taste\n    until: 2027-01-31\n';
    expect(parsePolicy(text, 'p').policy.accepted).toEqual([
      { key: 'env:LOG_*', reason: 'taste', until: '2027-01-31' },
    ]);
    const wrong = [
      ['accepted:\n  - key: env:A\n', /2:5 accepted\.0/],
      [
        'accepted:\n  - key: env:A\n    reason: r\n    until: 2027-02-30\n',
        /4:5 accepted\.0\.until: must be a day/,
      ],
      ['accepted:\n  - key: envs:A\n    reason: r\n', /Did you mean "env"/],
      ['accepted:\n  - key: A\n    reasons: r\n', /did you mean "reason"/],
      ['preset: strickt\n', /1:1 preset: must be ci or strict/],
    ] as const;
    for (const [policy, message] of wrong) {
      expect(() => parsePolicy(policy, 'p')).toThrow(PolicyError);
      expect(() => parsePolicy(policy, 'p')).toThrow(message);
    }
  });
});

describe('presets', () => {
  const laptop = {
    ...a,
    os: 'darwin',
    arch: 'arm64',
    envVars: { LANG: 'de_DE.UTF-8', TZ: 'Europe/Berlin', API_URL: 'x', EDITOR: 'vim' },
    metadata: { facts: { 'limits.openFiles': 256, 'git.core.autocrlf': 'input' } },
  };
  const runner = {
    ...a,
    machineName: 'runner',
    envVars: { CI: 'true', LANG: 'C.UTF-8' },
    metadata: { facts: { 'limits.openFiles': 65536, 'git.core.autocrlf': 'true' } },
  };
  const counting = (name: 'ci' | 'strict') =>
    [...reportComparison(findDifferences(laptop, runner), { failRules: presetRules(name) }).counting].map(
      ({ key }) => key,
    );

  it('ci passes over what every laptop and runner differ in', () => {
    expect(counting('ci')).toEqual(['git.core.autocrlf', 'API_URL']);
  });

  it('leave nothing to explain where the whole platform is accepted', () => {
    const side = (machineName: string, os: string, arch: string) => ({ machineName, os, arch });
    const report = reportComparison(
      findDifferences(side('mac', 'darwin', 'arm64'), side('box', 'linux', 'x64')),
      { accepted: ['os', 'arch'].map((key) => ({ key, reason: 'known' })) },
    );
    expect([report.verdict, report.counting.size]).toEqual(['tolerated', 0]);
    expect(headlineOf(report)).toBe('Nothing differs that counts.');
  });

  it('ci passes over the packages of the image, not over those of the project', () => {
    const side = (machineName: string, libc: string, zod: string) => ({
      machineName,
      dependencies: { '/var/lib/dpkg/status': { libc6: libc, libssl3: libc }, 'package-lock.json': { zod } },
    });
    const comparison = findDifferences(side('laptop', '2.39', '4.0.0'), side('runner', '2.36', '4.1.0'));
    const keys = (failRules: readonly FailRule[]) =>
      [...reportComparison(comparison, { failRules }).counting].map(({ key }) => key);
    expect(keys(presetRules('ci'))).toEqual(['package-lock.json/zod']);
    // Without the preset, those of the image count as one.
    expect(keys(defaultFailRules)).toEqual(['/var/lib/dpkg/status/libc6', 'package-lock.json/zod']);
  });

  it('strict counts everything, context too', () => {
    expect(counting('strict')).toEqual(
      expect.arrayContaining(['os', 'arch', 'limits.openFiles', 'CI', 'EDITOR']),
    );
  });

  it('of the policy hold where it does not say what fails', () => {
    expect(parsePolicy('preset: ci\n', 'p').failOn?.[0]?.text).toBe('preset:ci');
    expect(parsePolicy('preset: ci\nfailOn: [env]\n', 'p').failOn?.map(({ text }) => text)).toEqual(['env']);
  });
});

describe('the preset ci', () => {
  const ci = { ci: { provider: 'github' } };
  const judged = (onCi: Record<string, unknown>, rules: ComparisonRules = {}) => {
    const root = { ...onCi, facts: { 'limits.stack': 1048576, 'fonts.installed': 'none' } };
    const facts = { 'limits.stack': 8388608, 'fonts.installed': '12 aa' };
    const report = compareEnvironments({ ...a, metadata: { facts } }, { ...a, metadata: root }, rules);
    return {
      counted: [...report.counting].map(({ key }) => key).sort(),
      isNoted: report.comparison.notes.some(({ code }) => code === 'one_side_ci'),
    };
  };

  it('applies by itself where exactly one side is a run of CI, with a note; no fonts at all count even so', () => {
    expect(judged(ci)).toEqual({ counted: ['fonts.installed'], isNoted: true });
    expect(judged({})).toEqual({ counted: ['fonts.installed', 'limits.stack'], isNoted: false });
  });

  it('does not where other rules are given, or where a failure is being explained', () => {
    const all = { counted: ['fonts.installed', 'limits.stack'], isNoted: false };
    expect(judged(ci, { preset: 'none' })).toEqual(all);
    expect(judged(ci, { failOn: 'facts' })).toEqual(all);
    expect(judged(ci, { explains: true })).toEqual(all);
    expect(judged({ ...ci, outcome: { result: 'failed', of: 'test' } })).toEqual(all);
    expect(judged(ci, { policy: parsePolicy('preset: none\n', 'p') })).toEqual(all);
  });
});
