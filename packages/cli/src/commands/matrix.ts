// envsnap matrix

import type { MatrixRow } from '@envsnap/compare/workspace';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import { string as stringArg } from '@oclif/core/args';
import { boolean } from '@oclif/core/flags';
import stringWidth from 'fast-string-width';
import { projectFolder } from '../actions/capture-machine.ts';
import { compareMachines } from '../actions/comparison/compare-machines.ts';
import { isFile } from '../actions/references/expand-files.ts';
import { snapshotSources } from '../actions/references/resolve-snapshot.ts';
import { isReference } from '../actions/references/snapshot-reference.ts';
import { BaseCommand } from '../base-command.ts';
import { connectionWords, envsnapCommand } from '../connection/settings.ts';
import type { Matrix as Compared } from '../documents/machine-documents.ts';
import { connectionFlags, repeatable } from '../flags.ts';
import { type Cell, largest, renderTable, textOfCell } from '../render/layout/table.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Screen } from '../terminal/terminal.ts';

export default class Matrix extends BaseCommand {
  static override summary =
    'Show the runtimes of many machines side by side, and which machine is the odd one out.';
  static override description =
    'Compares the newest snapshot of each machine that you name, or of all machines. A reference as in envsnap compare, such as ' +
    'local, last-passed or a file that capture --output wrote, can take the place of a machine. ' +
    '* marks a version that the policy or a file such as .nvmrc does not allow. If neither says anything, it marks a value ' +
    'that most machines do not have. ≠ marks a row in which no value has a majority. With more than six machines, each gets ' +
    'its own row. Values that are equal on all machines share one line, unless you pass --all.';
  static override examples = [
    'envsnap matrix',
    'envsnap matrix local yours.json ci.json',
    'envsnap matrix web-1 web-2 web-3 --key dependencies:package-lock.json/zod --key env:TZ',
  ];
  static override strict = false;
  static override args = {
    machine: stringArg({
      name: 'MACHINE',
      description: 'Machines or references to compare; by default all machines.',
      ignoreStdin: true,
    }),
  };
  static override flags = {
    key: repeatable(
      'Compare this value too: dependencies:FILE/PACKAGE, env:NAME, facts.NAME, system.FACT, metadata.PATH',
      'KEY',
    ),
    all: boolean({
      summary: 'Also show runtimes that no project asks for, and facts that are rarely a cause.',
    }),
    'only-different': boolean({ summary: 'Leave out what is the same on every machine.' }),
    ...connectionFlags,
  };

  override async run(): Promise<Compared> {
    const { argv, flags } = await this.parse(Matrix);
    const names = argv.map(String);
    const project = names.includes('local')
      ? await projectFolder({ dir: undefined, workspace: undefined })
      : { folder: '.' };
    const sources = snapshotSources(this.storeOnce(flags), project, true);
    const matrix = await withProgress('Comparing', () => compareMachines(sources, names, flags.key ?? []));
    const { all, 'only-different': onlyDifferent } = flags;
    const connection = connectionWords(flags);
    this.print(renderMatrix(matrix, this.screen, { onlyDifferent, all, connection }));
    return matrix;
  }
}

interface MatrixOptions {
  /** Leaves out rows that are the same on every machine. */
  readonly onlyDifferent: boolean;
  readonly all: boolean;
  readonly connection?: readonly string[];
}

/** Minimum width of a column on a terminal. Columns that do not fit follow in further blocks. */
const narrowestColumn = 14;
/** Maximum number of machines in columns; more get a row each. */
const mostSideBySide = 6;
/** Number of equal values that are named; the rest is counted. */
const equalNamed = 4;

/** A table: titles of columns, and lines of a title and cells. */
interface Grid {
  readonly columns: readonly string[];
  readonly lines: readonly { readonly title: Cell; readonly cells: readonly Cell[] }[];
}

/**
 * Renders one row a value and one column a machine; for many machines, one row for each machine. A value that differs from the
 * majority is marked `*`; if no value has a majority, the row is marked `≠`. Equal values share one line, unless `all` is set. On
 * a terminal that is too narrow for all columns, the rest follow in further blocks.
 */
export function renderMatrix(matrix: Compared, screen: Screen, options: MatrixOptions): string {
  const rows = matrix.rows.filter(
    (row) => (options.all || !row.context) && !(options.onlyDifferent && row.equal),
  );
  const drawn = options.all ? rows : rows.filter((row) => !row.equal);
  const folded = equalLine(rows.filter((row) => !drawn.includes(row)));
  const below = folded === '' ? '' : `${screen.paint('dim', folded)}\n`;
  const summaryLine = `${summary(matrix, options)}\n`;
  if (drawn.length === 0) return summaryLine + below;
  const grid =
    matrix.machines.length > mostSideBySide
      ? {
          columns: drawn.map((row) => `${signOf(row)} ${row.key}`.trimStart()),
          lines: matrix.machines.map(({ machineName }, index) => ({
            title: { text: `  ${machineName}`, style: 'dim' as const },
            cells: drawn.map((row) => drawnCell(row, index)),
          })),
        }
      : {
          columns: matrix.machines.map(({ machineName }) => machineName),
          lines: drawn.map((row) => ({
            title: { text: `${signOf(row)} ${row.key}`, style: row.equal ? ('dim' as const) : [] },
            cells: matrix.machines.map((_, index) => drawnCell(row, index)),
          })),
        };
  return `${blocksOf(grid, screen).join('\n\n')}\n\n${below}${summaryLine}`;
}

function signOf(row: MatrixRow): string {
  return row.equal ? ' ' : row.majority === undefined ? '≠' : '~';
}

function drawnCell(row: MatrixRow, index: number): Cell {
  const text = cellText(row, index);
  if (row.odd.includes(index)) return { text, style: ['bold', 'red'] };
  if (row.equal || row.values[index] === null) return { text, style: 'dim' };
  return row.majority === undefined ? { text, style: 'yellow' } : text;
}

function blocksOf({ columns, lines }: Grid, screen: Screen): string[] {
  const titles = largest(lines.map(({ title }) => stringWidth(textOfCell(title))));
  const most = Math.max(1, Math.floor((screen.columns - titles) / (narrowestColumn + 2)));
  const starts = columns.flatMap((_, index) => (index % Math.min(most, columns.length) === 0 ? [index] : []));
  return starts.map((start) =>
    renderTable(
      [
        { header: '' },
        ...columns.slice(start, start + most).map((name) => ({ header: visible(name), shrinks: true })),
      ],
      lines.map(({ title, cells }) => [title, ...cells.slice(start, start + most)]),
      screen,
    ).trimEnd(),
  );
}

/** `Equal on all: os linux, arch x64 and 12 more (--all shows them).`; empty if nothing is equal. */
function equalLine(rows: readonly MatrixRow[]): string {
  if (rows.length === 0) return '';
  const named = rows
    .slice(0, equalNamed)
    .map(({ key, values }) => `${visible(key)} ${visible(values.find((value) => value !== null) ?? '–')}`);
  const more = rows.length - named.length;
  return `Equal on all: ${named.join(', ')}${more > 0 ? ` and ${more} more (--all shows them)` : ''}.`;
}

function cellText(row: MatrixRow, index: number): string {
  if (row.unknown.includes(index)) return '?';
  const value = row.values[index];
  const text = value === null || value === undefined ? '–' : visible(value);
  return row.odd.includes(index) ? `${text} *` : text;
}

function summary(matrix: Compared, options: MatrixOptions): string {
  const shown = matrix.rows.filter((row) => options.all || !row.context);
  const different = shown.filter((row) => !row.equal);
  const differing = different.length;
  const hidden = matrix.rows.filter((row) => !row.equal).length - differing;
  const equal = shown.length - differing;
  const machines = counted(matrix.machines.length, 'machine');
  if (matrix.machines.length === 1)
    return `${machines}: nothing to compare it with. envsnap capture on another machine adds one, and matrix accepts files that capture --output wrote.`;
  const context =
    hidden === 0
      ? ''
      : `\n${counted(hidden, 'difference')} not shown: runtimes that no project asks for, and facts that are rarely a cause; --all shows them.`;
  if (differing === 0) return `${machines}, ${counted(equal, 'value')}, all equal.${context}`;
  const [worst] = oddOnes(different, matrix.machines.length).map(
    (index) => matrix.machines[index]?.machineName ?? '',
  );
  const most = matrix.machines.length > 2 ? oddSentence(matrix, different) : '';
  const rest =
    equal === 0
      ? ''
      : options.onlyDifferent
        ? `, ${counted(equal, 'equal value')} not shown`
        : `, ${equal} equal`;
  const [first, second] = matrix.machines;
  const other = matrix.machines.find((machine) => machine.machineName !== worst) ?? first;
  const scopeNote = matrix.rows.some(({ key }) => /^(?:env|dependencies):/.test(key))
    ? ''
    : '\nPackages and variables are compared only if --key names them.';
  const sides = [other?.machineName ?? '', worst ?? second?.machineName ?? ''].map((name) =>
    isReference(name, isFile) ? name : `latest:${name}`,
  );
  return `${machines}: ${counted(differing, 'value')} differ${differing === 1 ? 's' : ''}${rest}.${most}${context}${scopeNote}\nNext: ${envsnapCommand('compare', ...sides, ...(options.connection ?? []))}`;
}

const mostOdd = 3;

function oddSentence({ machines }: Compared, rows: readonly MatrixRow[]): string {
  const odd = oddOnes(rows, machines.length);
  const names = odd.map((index) => visible(machines[index]?.machineName ?? ''));
  const [only] = odd;
  if (only === undefined || odd.length > mostOdd) return '';
  const inRows = rows.filter((row) => row.odd.includes(only)).length;
  return odd.length === 1
    ? ` ${names[0]} is the odd one out in ${inRows} of them.`
    : ` ${names.slice(0, -1).join(', ')} and ${names.at(-1)} are the odd ones out.`;
}

/** Positions of the machines with the rarest values. A value outside the majority weighs more if fewer machines have it. */
function oddOnes(rows: readonly MatrixRow[], machines: number): number[] {
  const scores = Array.from({ length: machines }, (_, index) =>
    rows.reduce((sum, { odd, values }) => {
      const alike = values.filter((value) => value === values[index]).length;
      return odd.includes(index) ? sum + 1 / alike : sum;
    }, 0),
  );
  const highest = Math.max(...scores);
  // Sums of fractions are compared with room for rounding.
  return highest === 0 ? [] : scores.flatMap((score, index) => (score > highest - 1e-9 ? [index] : []));
}
