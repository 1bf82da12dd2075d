// Many machines side by side: which values differ, which machine is the odd one out, and which are unknown.

import type { Machine } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { matrixRows } from '../../../packages/compare/src/machines/matrix-rows.ts';
import { ownOutcomes } from '../../../packages/compare/src/policy/own-policy.ts';

describe('a matrix', () => {
  const machine = (git: string | undefined, unknown: unknown[] = []): Machine => ({
    machineName: `m${git}`,
    snapshots: 1,
    latest: {
      id: '123e4567-e89b-42d3-a456-426614174000',
      machineName: 'm',
      os: 'linux',
      arch: 'x64',
      runtimeVersions: git === undefined ? {} : { git },
      metadata: { capture: { unknown } },
      createdAt: '2026-01-01T00:00:00.000Z',
    },
    values: [],
  });

  it('marks what a capture could not read, and counts it neither as equal nor as odd', () => {
    const unread = [{ section: 'runtimes', key: 'git', reason: 'did not answer' }];
    const row = matrixRows([machine('2.39.5'), machine('2.39.5'), machine(undefined, unread)], []).find(
      ({ key }) => key === 'runtimes.git',
    );
    expect(row).toMatchObject({ equal: true, majority: '2.39.5', odd: [], unknown: [2] });
    const absent = matrixRows([machine('2.39.5'), machine('2.39.5'), machine(undefined)], []);
    expect(absent.find(({ key }) => key === 'runtimes.git')).toMatchObject({ equal: false, odd: [2] });
  });

  it('marks a machine that departs from its own policy or version file, not one that departs from a majority', () => {
    const having = (git: string, metadata: object) => {
      const base = machine(git);
      return { ...base, latest: { ...base.latest, metadata: { ...metadata } } };
    };
    const withPolicy = (git: string) => {
      const text = git === '9' ? 'expect: [' : 'expect:\n  runtimes:\n    git: "2.47"\n';
      return having(git, { policy: { path: '.envsnap.yaml', text } });
    };
    const declaring = (git: string) => {
      const declared = [{ source: '.tool-versions', version: '2.47', satisfied: git.startsWith('2.47') }];
      return having(git, { toolchain: { git: { present: git, declared } } });
    };
    const firstRow = (...machines: Machine[]) =>
      matrixRows(machines, [], ownOutcomes(machines.map(({ latest }) => latest)))[0];
    const row = firstRow(withPolicy('2.39.5'), withPolicy('2.39.5'), withPolicy('2.47.1'));
    expect(row).toMatchObject({ key: 'runtimes.git', majority: '2.39.5', odd: [0, 1] });
    expect(firstRow(withPolicy('9'), withPolicy('9'), machine('8'))).toMatchObject({ odd: [2] });
    expect(firstRow(declaring('2.39.5'), declaring('2.39.5'), declaring('2.47.1'))).toEqual(row);
  });

  it('distinguishes values of a variable by their numbers; one that cannot be compared is not odd', () => {
    const rowOf = (...values: (string | null)[]) => {
      const machines = values.map((value) => ({ ...machine('2.39.5'), values: [{ key: 'env:TZ', value }] }));
      return matrixRows(machines, ['env:TZ'])[0];
    };
    expect(rowOf('value 1', 'value 2')).toMatchObject({ equal: false, majority: undefined });
    const values = ['value 1', 'value 1', 'set', 'value 2', null, 'value 1', 'value 1'];
    expect(rowOf(...values)).toMatchObject({ equal: false, majority: 'value 1', odd: [3, 4], unknown: [2] });
    expect(rowOf('value 1', 'value 2', 'set')).toMatchObject({ majority: undefined, odd: [] });
    expect(rowOf('set', 'value 1')).toMatchObject({ equal: true, unknown: [0] });
    expect(rowOf('set', null)).toMatchObject({ equal: false });
    // Own runs show their values.
    expect(rowOf('set', 'unset')).toMatchObject({ equal: false });
  });

  it('has the time zone and the language, which few machines may read', () => {
    const zone = (timezone: string): Machine => {
      const base = machine('2.39.5');
      const capture = { unknown: [{ section: 'system', key: 'locale', reason: 'reduced' }] };
      const metadata = timezone === 'UTC' ? { timezone, capture } : { timezone, locale: 'C' };
      return { ...base, latest: { ...base.latest, metadata } };
    };
    const rows = matrixRows([zone('UTC'), zone('Asia/Tokyo')], []);
    expect(rows[0]).toMatchObject({ key: 'system.timezone', values: ['UTC', 'Asia/Tokyo'], equal: false });
    expect(rows.find(({ key }) => key === 'system.locale')).toMatchObject({ equal: true, unknown: [0] });
    // A requested key is as unknown as its row.
    const asked = [zone('UTC'), zone('Asia/Tokyo')].map((each) => ({
      ...each,
      values: [{ key: 'system.locale', value: each.latest.metadata.locale === undefined ? null : 'C' }],
    }));
    expect(matrixRows(asked, ['system.locale'])[0]).toMatchObject({ equal: true, unknown: [0], odd: [] });
  });

  it('sets runtimes that no project asks for, and facts that are rarely a cause, apart from the rest', () => {
    const withProject = (name: string, openFiles: number, branch: string): Machine => {
      const base = machine('2.39.5');
      const facts = { 'limits.openFiles': openFiles, 'git.init.defaultBranch': branch };
      const project = { ecosystems: ['npm'], tools: ['node'] };
      return {
        ...base,
        machineName: name,
        latest: {
          ...base.latest,
          runtimeVersions: { git: '2.39.5', node: '22.11.0' },
          metadata: { facts, project },
        },
      };
    };
    const machines = [withProject('a', 1024, 'main'), withProject('b', 256, 'master')];
    const context = (rows: ReturnType<typeof matrixRows>) =>
      rows.filter((row) => row.context).map(({ key }) => key);
    expect(context(matrixRows(machines, []))).toEqual(['facts.git.init.defaultBranch', 'runtimes.git']);
    // Nothing shows what the project is, so every runtime may belong to it.
    expect(context(matrixRows([machine('2.39.5'), machine('2.40.0')], []))).toEqual([]);
  });

  it('names rows by their addresses, each once, however they are spelled', () => {
    const withValue = { ...machine('2.39.5'), values: [{ key: 'runtimes:git', value: '2.39.5' }] };
    const keys = matrixRows([withValue], ['runtimes:git']).map(({ key }) => key);
    expect(keys.filter((key) => key.startsWith('runtimes'))).toEqual(['runtimes.git']);
  });

  it('takes no default for what a machine without facts cannot know', () => {
    const withFacts = (name: string, facts: object | undefined): Machine => {
      const base = machine('2.39.5');
      return { ...base, machineName: name, latest: { ...base.latest, metadata: facts ? { facts } : {} } };
    };
    const rows = matrixRows(
      [
        withFacts('a', { 'git.core.autocrlf': 'input' }),
        withFacts('b', { 'git.core.autocrlf': 'true' }),
        withFacts('older', undefined),
        withFacts('default', {}),
      ],
      [],
    );
    expect(rows.find(({ key }) => key === 'facts.git.core.autocrlf')?.values).toEqual([
      'input',
      'true',
      null,
      'false',
    ]);
  });
});
