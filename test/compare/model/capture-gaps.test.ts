import { describe, expect, it } from 'vitest';
import { rankCauses } from '../../../packages/compare/src/causes/causes.ts';
import { compareEnvironments } from '../../../packages/compare/src/model/compare-environments.ts';
import type { ComparableEnvironment } from '../../../packages/compare/src/model/model.ts';

const lock = { 'package-lock.json': { zod: '3.22.1', chalk: '5.0.0' } };
const unreadable = {
  code: 'dependency_file_unreadable',
  file: 'package-lock.json',
  message: 'package-lock.json is not recorded: the file ends in the middle (truncated JSON).',
};

function side(part: Partial<ComparableEnvironment>, ...warnings: unknown[]): ComparableEnvironment {
  return { machineName: 'm', ...part, metadata: { capture: { warnings } } };
}

describe('a lock file that one side could not read', () => {
  const comparison = compareEnvironments(side({ dependencies: lock }), side({}, unreadable));

  it('is a note with the reason', () => {
    expect(comparison.notes).toEqual([{ code: 'not_recorded', message: `B: ${unreadable.message}` }]);
  });

  it('is named as the cause, and not that the file is missing', () => {
    expect(rankCauses(comparison)[0]).toMatchObject({
      what: 'package-lock.json could not be read in B',
      advice: 'repair package-lock.json in B',
    });
  });

  it('is one note where neither side could', () => {
    const { notes } = compareEnvironments(side({}, unreadable), side({}, unreadable));
    expect(notes.map((note) => note.message)).toEqual([`A and B: ${unreadable.message}`]);
  });
});

describe('what a capture could not record', () => {
  it('is told of tools where the other side has them, and of nothing else', () => {
    const silent = (tool: string) => ({
      code: 'probe_timeout',
      message: `${tool} did not answer within 3 s.`,
    });
    const a = side({ runtimeVersions: { go: '1.22.1' } });
    const { notes } = compareEnvironments(
      a,
      side({}, silent('go'), silent('ruby'), { code: 'version_mismatch' }),
    );
    expect(notes.map((note) => note.message)).toEqual(['B: go did not answer within 3 s.']);
  });

  it('is cut to a few notes and a count', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      code: 'folder_unreadable',
      message: `The folder f${index} cannot be read.`,
    }));
    const { notes } = compareEnvironments(side({}), side({}, ...many));
    expect(notes).toHaveLength(6);
    expect(notes[5]?.message).toBe('25 more things were not recorded.');
  });

  it('is read with care from metadata that somebody else wrote', () => {
    const odd = { ...side({}), metadata: { capture: { warnings: [null, 7, { code: 1 }, 'x'] } } };
    expect(compareEnvironments(odd, { machineName: 'm', metadata: { capture: null } }).notes).toEqual([]);
  });
});
