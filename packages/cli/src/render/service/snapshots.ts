// Stored snapshots: the list, and one in full.

import { environmentOf } from '@envsnap/compare/workspace/environment/environment';
import type { ComparableEnvironment } from '@envsnap/compare/workspace/model/model';
import type { ListSnapshotsAnswer } from '@envsnap/sdk';
import { defaultRunName } from '@envsnap/shared/run-outcome';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import type { Screen } from '../../terminal/terminal.ts';
import { idCells, renderFields, renderPage, when } from '../layout/table.ts';
import { environmentFields } from '../machine/environment-fields.ts';

export function renderSnapshots(
  { snapshots, ...place }: ListSnapshotsAnswer,
  screen: Screen,
  hint = 'capture stores one',
): string {
  const words = { noun: 'snapshots', advice: `envsnap ${hint}.` };
  const anyOutcome = snapshots.some((snapshot) => outcomeTextOf(snapshot) !== '');
  return renderPage(screen, snapshots, { ...place, ...words }, [
    ['ID', idCells(snapshots, screen)],
    ['MACHINE', ({ machineName }) => machineName, { shrinks: true }],
    ['SYSTEM', ({ os, arch }) => `${os ?? '?'}/${arch ?? '?'}`],
    [
      'RUNTIMES',
      ({ runtimeVersions }) => String(Object.keys(runtimeVersions).length),
      { align: 'right', drops: 2 },
    ],
    ['GIT', gitOf, { shrinks: true, drops: 1 }],
    ...(anyOutcome ? [['OUTCOME', outcomeTextOf, { shrinks: true }] as const] : []),
    ['STORED', ({ createdAt }) => when(createdAt, screen)],
  ]);
}

/** How the run of a capture ended, with its name: `failed (test)`; empty if it has no outcome. */
function outcomeTextOf(snapshot: ComparableEnvironment): string {
  const run = environmentOf(snapshot).outcome;
  if (!run) return '';
  return run.of === defaultRunName ? run.result : `${run.result} (${run.of})`;
}

/** Branch and commit of a capture, `main@1a2b3c4+` (`+`: with uncommitted changes). */
function gitOf(snapshot: ComparableEnvironment): string {
  const { commit, branch, isDirty } = environmentOf(snapshot);
  if (commit === undefined) return '';
  return `${branch === undefined ? '' : `${branch}@`}${commit.slice(0, 7)}${isDirty ? '+' : ''}`;
}

/** Renders a snapshot: facts, runtimes, dependency files, variables. Values of variables only when asked for. */
export function renderSnapshot(
  snapshot: ComparableEnvironment,
  options: { readonly showValues: boolean; readonly showDependencies: boolean },
  screen: Screen,
): string {
  const head = renderFields(
    [
      ['id', snapshot.id || null],
      ['machine', snapshot.machineName],
      ['stored', snapshot.createdAt && when(snapshot.createdAt, screen)],
      ['outcome', outcomeTextOf(snapshot) || null],
      ...environmentFields(snapshot),
    ],
    screen,
  );
  const environment = environmentOf(snapshot);
  const facts = Object.entries(environment.facts ?? {}).sort(byName);
  const runtimes = Object.entries(environment.runtimes).sort(byName);
  const files = Object.entries(environment.dependencies).sort(byName);
  const variables = Object.entries(environment.variables).sort(byName);
  const sections = [
    head,
    section(`${counted(runtimes.length, 'runtime')}`, renderFields(runtimes, screen), screen),
    section(
      `${counted(files.length, 'dependency file')}`,
      renderDependencies(files, options, screen),
      screen,
    ),
    section(
      counted(facts.length, 'fact'),
      renderFields(
        facts.map(([name, value]) => [name, factWords(value)] as const),
        screen,
      ),
      screen,
    ),
    section(
      counted(variables.length, 'variable'),
      options.showValues
        ? renderFields(variables, screen)
        : `${screen.paint('dim', variables.length > 0 ? 'Values are hidden; --show-values shows them.' : '')}\n`,
      screen,
    ),
  ];
  return sections.join('\n');
}

/** Lists with spaces between their items, so that lines break there. */
function factWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function renderDependencies(
  files: readonly (readonly [string, Record<string, string>])[],
  options: { readonly showDependencies: boolean },
  screen: Screen,
): string {
  if (!options.showDependencies) {
    return renderFields(
      files.map(([file, packages]) => [file, counted(Object.keys(packages).length, 'package')] as const),
      screen,
    );
  }
  return files
    .map(
      ([file, packages]) =>
        `${screen.paint('bold', visible(file))}\n${renderFields(Object.entries(packages).sort(byName), screen)}`,
    )
    .join('\n');
}

function section(title: string, body: string, screen: Screen): string {
  return `${screen.paint('bold', title)}\n${body.trim() === '' ? '' : body}`;
}

function byName(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}
