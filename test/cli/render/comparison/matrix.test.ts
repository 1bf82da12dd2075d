// The table of many machines: its order, and which machine is called the odd one out.

import { describe, expect, it } from 'vitest';
import { renderMatrix } from '../../../../packages/cli/src/commands/matrix.ts';
import type { Matrix } from '../../../../packages/cli/src/documents/machine-documents.ts';
import { screenOf } from '../../../../packages/cli/src/terminal/terminal.ts';
import type { MatrixRow } from '../../../../packages/compare/src/machines/matrix-rows.ts';

const screen = screenOf({ isTTY: false }, {});

function row(key: string, values: readonly string[]): MatrixRow {
  const majority = values.find(
    (value) => values.filter((other) => other === value).length * 2 > values.length,
  );
  const odd = values.flatMap((value, index) => (majority === undefined || value === majority ? [] : [index]));
  return { key, values, equal: new Set(values).size === 1, majority, odd, unknown: [], context: false };
}

function rendered(rows: readonly MatrixRow[], all = false): string {
  const machines = rows[0]?.values.map((_, index) => ({
    machineName: `web-${index + 1}`,
    snapshotId: `123e4567-e89b-42d3-a456-42661417400${index}`,
    createdAt: '2026-01-01T00:00:00.000Z',
  }));
  return renderMatrix({ machines: machines ?? [], rows } as Matrix, screen, { onlyDifferent: false, all });
}

describe('a matrix', () => {
  it('has few machines side by side, and more of them one below the other', () => {
    expect(rendered([row('runtimes.node', ['22', '22', '20'])])).toMatch(
      /^~ runtimes\.node +22 +22 +20 \*$/m,
    );
    const many = rendered([row('runtimes.node', ['22', '22', '22', '22', '22', '22', '20'])]);
    expect(many).toMatch(/^ +~ runtimes\.node$/m);
    expect(many).toMatch(/^ {2}web-7 +20 \*$/m);
  });

  it('folds what is equal on all into one line, unless all of it is asked for', () => {
    const rows = [row('runtimes.node', ['22', '22', '20']), row('os', ['linux', 'linux', 'linux'])];
    expect(rendered(rows)).toContain('\nEqual on all: os linux.\n');
    expect(rendered(rows, true)).toMatch(/^ {2}os +linux +linux +linux$/m);
  });

  it('calls the machine with the rarest value odd, and none if many are alike', () => {
    const alike = ['22', '22', '22', '22', '22', '20', '20', '20'];
    expect(rendered([row('runtimes.node', [...alike, '18'])])).toContain(
      'web-9 is the odd one out in 1 of them.',
    );
    expect(rendered([row('runtimes.node', ['22', '22', '22', '20', '20'])])).toContain(
      'web-4 and web-5 are the odd ones out.',
    );
    expect(rendered([row('runtimes.node', [...alike, '22', '20'])])).not.toContain('odd one');
  });
});
