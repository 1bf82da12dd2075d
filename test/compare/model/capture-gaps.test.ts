import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import { describe, expect, it } from 'vitest';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import { type ComparableEnvironment, differencesOf } from '../../../packages/compare/src/model/model.ts';
import { checkPolicy } from '../../../packages/compare/src/policy/check-policy.ts';
import { parsePolicy } from '../../../packages/compare/src/policy/policy-file.ts';
import { headlineOf, reportComparison } from '../../../packages/compare/src/report/report.ts';

const lock = { 'package-lock.json': { zod: '3.22.1', chalk: '5.0.0' } };
const unreadable: UnknownEntry = {
  section: 'dependencies',
  key: 'package-lock.json',
  reason: 'the file ends in the middle (truncated JSON)',
};
const silent = (tool: string): UnknownEntry => ({
  section: 'runtimes',
  key: tool,
  reason: 'did not answer within 3 s and was stopped',
});

function side(part: Partial<ComparableEnvironment>, unknown: unknown[] = [], warnings: unknown[] = []) {
  return { machineName: 'm', ...part, metadata: { ...part.metadata, capture: { unknown, warnings } } };
}

describe('what a capture could not read', () => {
  it('is one note, and neither a difference nor a count', () => {
    const comparison = findDifferences(
      side({ dependencies: lock, runtimeVersions: { git: '2.39.5', node: '24.0.0' } }),
      side({ runtimeVersions: { node: '24.0.0' } }, [unreadable, silent('git')]),
    );
    expect(differencesOf(comparison)).toEqual([]);
    expect(comparison.counts.dependencies).toMatchObject({ same: 0, removed: 0, ignored: 0 });
    expect(comparison.counts.runtimes).toMatchObject({ same: 1, removed: 0 });
    const report = reportComparison(comparison);
    expect(report.verdict).toBe('equal');
    expect(headlineOf(report)).toBe('No difference found; 2 things could not be read.');
    expect(comparison.notes).toEqual([
      {
        code: 'unknown',
        message:
          'Not compared, because it is unknown in B: package-lock.json (the file ends in the middle (truncated JSON)), git (did not answer within 3 s and was stopped).',
      },
    ]);
  });

  it('leaves nothing to say of packages that are not as locked on the other side', () => {
    const unseen = {
      section: 'installed',
      key: 'requirements.txt',
      reason: 'no environment of Python is beside it',
    };
    const dependencies = { 'requirements.txt': { six: '1.16.0' } };
    const drifted = side({ dependencies, metadata: { installed: { 'requirements.txt': { six: '' } } } });
    const comparison = findDifferences(drifted, side({ dependencies }, [unseen]));
    expect(differencesOf(comparison)).toEqual([]);
    expect(comparison.notes.map(({ message }) => message)).toEqual([
      'Not compared, because it is unknown in B: requirements.txt (no environment of Python is beside it).',
    ]);
    expect(findDifferences(side({ dependencies }), side({ dependencies }, [unseen])).notes).toEqual([]);
  });

  it('is reported once where neither side could', () => {
    const { notes } = findDifferences(side({}, [silent('go')]), side({}, [silent('go')]));
    expect(notes.map((note) => note.message)).toEqual([
      'Not compared, because it is unknown in A and B: go (did not answer within 3 s and was stopped).',
    ]);
  });

  it('names a reason once for all that has it', () => {
    const { notes } = findDifferences(
      side({}, [silent('go'), unreadable, silent('git')]),
      side({}, [silent('go')]),
    );
    expect(notes.map((note) => note.message)).toEqual([
      'Not compared, because it is unknown in A: package-lock.json (the file ends in the middle (truncated JSON)), git (did not answer within 3 s and was stopped); in A and B: go (did not answer within 3 s and was stopped).',
    ]);
    const both = findDifferences(side({}, [silent('go'), unreadable, silent('git')]), side({})).notes;
    expect(both[0]?.message).toMatch(
      /^Not compared, because it is unknown in A: go, git \(did not [^)]*\), pack/,
    );
  });

  it('leaves other keys, and the same key of another section, as they are', () => {
    const comparison = findDifferences(
      side({ envVars: { git: 'x' }, runtimeVersions: { gitea: '1.0.0' } }),
      side({}, [silent('git')]),
    );
    expect(differencesOf(comparison).map((entry) => entry.key)).toEqual(['gitea', 'git']);
  });

  it('makes no difference of a declaration whose tool is unknown on one side', () => {
    const declared = (present?: string, satisfied?: boolean) => ({
      metadata: {
        toolchain: { node: { present, declared: [{ source: '.nvmrc', version: '24', satisfied }] } },
      },
    });
    const a = side(declared('20.1.0', false));
    expect(differencesOf(findDifferences(a, side(declared())))).toHaveLength(1);
    expect(differencesOf(findDifferences(a, side(declared(), [silent('node')])))).toEqual([]);
  });

  it('leaves an expectation of the policy open', () => {
    const policy = parsePolicy('expect:\n  runtimes:\n    git: ">=2"\n', '.envsnap.yaml');
    expect(checkPolicy(policy, side({}, [silent('git')]))).toMatchObject([
      { outcome: 'unknown', message: expect.stringContaining('git is unknown (did not answer') },
    ]);
    expect(checkPolicy(policy, side({}))).toMatchObject([{ outcome: 'violated' }]);
  });

  it('is said before a capture without variables is called equal, and leaves what is expected of them open', () => {
    const without = { machineName: 'm', metadata: { capture: { envValues: 'omit' } } };
    const names = { machineName: 'm', envVars: { TOKEN: '' }, metadata: { capture: { envValues: 'none' } } };
    const headline = headlineOf(
      reportComparison(findDifferences(side({ envVars: { TOKEN: 'x' } }), without)),
    );
    expect(headline).toBe('No difference found; not everything was captured.');
    const text = 'required: [TOKEN]\nforbidden: [DEBUG]\nexpect: {env: {TOKEN: x}}';
    const outcomes = (environment: ComparableEnvironment) =>
      checkPolicy(parsePolicy(text, '.envsnap.yaml'), environment).map(({ outcome }) => outcome);
    expect(outcomes(without)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(outcomes(names)).toEqual(['unknown', 'met', 'met']);
    expect(outcomes(side({}))).toEqual(['violated', 'violated', 'met']);
  });

  it('is cut to a few names and a count', () => {
    const many = Array.from({ length: 30 }, (_, index) => silent(`tool${index}`));
    const [note] = findDifferences(side({}), side({}, many)).notes;
    expect(note?.message).toMatch(/tool5 \(.*\) and 24 more\.$/);
  });

  it('is read with care from metadata that somebody else wrote', () => {
    const odd = side(
      {},
      [null, 7, { section: 1 }, 'x', { section: 'runtimes', key: '__proto__' }],
      [null, 7],
    );
    const other = { machineName: 'm', metadata: { capture: null } };
    expect(findDifferences(odd, other).notes.map((note) => note.message)).toEqual([
      'Not compared, because it is unknown in A: __proto__ (it could not be read).',
    ]);
  });
});

describe('parts of the folder that a capture did not see', () => {
  it('are reported, and cut to a few notes and a count', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      code: 'folder_unreadable',
      message: `The folder f${index} cannot be read.`,
    }));
    const { notes } = findDifferences(side({}), side({}, [], many));
    expect(notes).toHaveLength(6);
    expect(notes[0]?.message).toBe('B: The folder f0 cannot be read.');
    expect(notes[5]?.message).toBe('25 more things were not recorded.');
  });
});
