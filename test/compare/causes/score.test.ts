// The table of the score's terms: its shape, with any fitted numbers.

import { describe, expect, it } from 'vitest';
import { hostHider, withoutHosts } from '../../../packages/compare/src/causes/hide-hosts.ts';
import { causeScores, evidencePoints, scoreOf } from '../../../packages/compare/src/causes/score.ts';
import fitted from '../../../packages/compare/src/causes/score-sizes.json' with { type: 'json' };
import { readTestData } from '../../support/test-data.ts';

const { bonuses, shares, sizes } = fitted;
const { hidden } = readTestData<{ hidden: [string, string, string][] }>(import.meta);

describe('the sizes of the terms', () => {
  it('are between never and surely', () => {
    for (const size of Object.values(sizes)) {
      expect(size).toBeGreaterThanOrEqual(0);
      expect(size).toBeLessThanOrEqual(100);
    }
    for (const share of Object.values(shares)) {
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThan(1);
    }
    for (const bonus of Object.values(bonuses)) expect(bonus).toBeGreaterThanOrEqual(0);
  });

  it('grow with the distance of two versions', () => {
    for (const role of ['language', 'manager', 'tool', 'package'] as const) {
      expect(sizes[`${role} major`]).toBeGreaterThanOrEqual(sizes[`${role} minor`]);
      expect(sizes[`${role} minor`]).toBeGreaterThanOrEqual(sizes[`${role} patch`]);
      expect(sizes[`${role} patch`]).toBeGreaterThanOrEqual(sizes[`${role} build`]);
    }
  });

  it('keep the order of the classes of facts, and of what an output says', () => {
    const classes = ['strong', 'likely', 'possible', 'now and then', 'rare', 'slight', 'context'] as const;
    const ordered = classes.map((name) => sizes[`fact ${name}`]);
    expect(ordered).toEqual([...ordered].sort((x, y) => y - x));
    const points = (['missing', 'named', 'meant', 'hinted'] as const).map((kind) =>
      evidencePoints({ words: '', kind }),
    );
    expect(points).toEqual([...points].sort((x, y) => y - x));
  });
});

describe('a score', () => {
  it('needs no more than a place and two values', () => {
    const node = (b: string | null) => scoreOf({ section: 'runtimes', key: 'node', a: '22.1.0', b });
    expect(node('24.0.0')).toBe(sizes['language major']);
    expect(node('22.2.0')).toBe(sizes['language minor']);
    expect(node(null)).toBe(sizes['language removed']);
  });

  it('counts the words of an output whole for the likeliest cause only', () => {
    const evidence = { words: '', kind: 'hinted' } as const;
    const [none, some, most] = causeScores([
      { points: 90 },
      { points: 40, evidence },
      { points: 50, evidence },
    ]);
    expect(most).toBe(50 + bonuses.hinted);
    expect(none).toBe(90);
    expect(some).toBe(40 + bonuses.hinted * bonuses['behind the first']);
  });
});

// Facts in the form for readers outside the project.

it.each(hidden)('%s: %s is shown as %s', (fact, value, shown) => {
  expect(hostHider(fact)(value)).toBe(shown);
});

it('a package of another registry is shown without the address', () => {
  const entry = {
    section: 'dependencies',
    key: 'package-lock.json/zod',
    status: 'changed',
    a: '4.0.0 from the usual registry',
    b: '4.0.0 from the registry https://npm.secretco.example/team',
    distance: 'other',
    differsIn: 'source',
  } as const;
  expect(withoutHosts(entry).b).toBe('4.0.0 from the registry https://<address>/team');
});
