// Renders a capture: in short after storing, in full as a dry run.

import type { CaptureReport, CaptureResult } from '@envsnap/capture';
import { installedFindings } from '@envsnap/compare/workspace';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import { envsnapCommand } from '../../connection/settings.ts';
import type { Screen } from '../../terminal/terminal.ts';
import {
  type Cell,
  duration,
  type ListColumn,
  renderDone,
  renderFields,
  renderRows,
  renderTable,
} from '../layout/table.ts';
import { renderSnapshot } from '../service/snapshots.ts';
import { environmentFields } from './environment-fields.ts';

/** Renders a capture that was stored; `connection` has the connection flags. */
export function renderStored(
  captured: CaptureResult,
  id: string,
  screen: Screen,
  connection: readonly string[],
): string {
  const message = `Stored snapshot ${screen.paint('bold', visible(id))} of ${visible(captured.snapshot.machineName)}`;
  const next = envsnapCommand('compare', ...connection);
  return renderKept(
    captured,
    message,
    [next, 'shows what has changed since, here or on another machine.'],
    screen,
  );
}

export function renderWritten(captured: CaptureResult, file: string, screen: Screen): string {
  const message = `Wrote the snapshot of ${visible(captured.snapshot.machineName)} to ${screen.paint('bold', visible(file))}`;
  const next = envsnapCommand('compare', file, 'local');
  return renderKept(captured, message, [next, 'shows what has changed since. Nothing was sent.'], screen);
}

function renderKept(
  { snapshot, report: { variables } }: CaptureResult,
  said: string,
  [next, does]: readonly [command: string, does: string],
  screen: Screen,
): string {
  const { redactions } = variables;
  const isFingerprinted = redactions.some(({ replacedBy }) => replacedBy === 'fingerprint');
  const secrets = `, ${counted(redactions.length, 'secret')} of them ${isFingerprinted ? 'as fingerprints only' : 'redacted'}`;
  const count = `${Object.keys(snapshot.envVars).length}${redactions.length === 0 ? '' : secrets}`;
  const fields = [...environmentFields(snapshot), ['variables', count] as const];
  return renderDone(said, fields, screen, `Next: ${screen.paint('cyan', next)} ${does}`);
}

/** Renders everything that a capture found, redacted and skipped, and why. */
export function renderDryRun({ snapshot, report }: CaptureResult, screen: Screen): string {
  const section = (title: string, body: string) =>
    body === '' ? [] : [`${screen.paint('bold', title)}\n${body.trimEnd().replaceAll(/^/gm, '  ')}\n`];
  const inner = { ...screen, columns: screen.columns - 2 };
  const list = <Row>(title: string, rows: readonly Row[], columns: readonly ListColumn<Row>[]) =>
    rows.length === 0 ? [] : section(title, renderRows(inner, rows, columns));
  return [
    renderSnapshot(snapshot, { showValues: true, showDependencies: false }, screen),
    ...section('Machine', renderFields(flatten(snapshot.metadata), inner)),
    ...list(counted(report.tools.length, 'runtime and tool', 'runtimes and tools'), report.tools, [
      ['NAME', ({ name }) => name],
      ['VERSION', ({ version }) => version],
      ['FROM', originOf, { shrinks: true }],
    ]),
    ...list('Declared versions', report.declared, [
      ['NAME', ({ tool }) => tool],
      ['DECLARED', ({ declared }) => declared],
      ['IN', ({ source }) => source, { shrinks: true }],
      ['PRESENT', ({ present }) => present ?? 'absent'],
      ['', fitsCell],
    ]),
    ...list('Installed packages that differ from the lock file', installedFindings(snapshot), [
      ['PACKAGE', ({ file, name }) => `${file}/${name}`],
      ['INSTALLED', ({ installed }) => installed ?? 'missing'],
      ['LOCKED', ({ locked }) => locked ?? 'not locked'],
    ]),
    ...list('Secrets that are not sent', report.variables.redactions, [
      ['VARIABLE', ({ name }) => name],
      ['WHY', ({ reason }) => reason, { shrinks: true }],
      ['SENT INSTEAD', ({ replacedBy }) => (replacedBy === 'fingerprint' ? 'fingerprint' : '[redacted]')],
    ]),
    ...list('Left out', report.skipped, [
      ['WHAT', ({ name }) => name, { shrinks: true }],
      ['WHY', ({ reason }) => reason, { shrinks: true }],
    ]),
    `Dry run: nothing was sent, and nothing was stored. It took ${duration(report.timings.totalMs)}.\n`,
  ].join('\n');
}

function originOf({ path, manager, selectedBy }: CaptureReport['tools'][number]): string {
  if (!manager) return path;
  return `${path} (${manager}${selectedBy ? `, by ${selectedBy}` : ''})`;
}

function fitsCell({ satisfied }: CaptureReport['declared'][number]): Cell {
  if (satisfied === undefined) return '';
  return satisfied ? { text: 'fits', style: 'green' } : { text: 'does not fit', style: 'red' };
}

/** Facts that are shown in another section. */
const shownElsewhere = new Set(
  'capture checkout drift facts installed project sources toolchain tools'.split(' '),
);

/** Nested facts as `system.libc.name  glibc`; facts with a separate section are left out. */
function flatten(value: Record<string, unknown>, prefix = ''): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([key, entry]): (readonly [string, string])[] => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    if (shownElsewhere.has(name) || entry === null || entry === undefined) return [];
    if (typeof entry === 'object' && !Array.isArray(entry))
      return flatten(entry as Record<string, unknown>, name);
    return [[name, typeof entry === 'string' ? entry : JSON.stringify(entry)]];
  });
}

/** Renders how long each part took, the slowest first. */
export function renderTimings(report: CaptureReport, screen: Screen): string {
  const parts = Object.entries(report.timings.parts).sort((a, b) => b[1] - a[1]);
  const groups = Object.entries(report.timings.factGroups).sort((a, b) => b[1] - a[1]);
  const probes = report.timings.probes.filter((probe) => probe.source !== 'cache').slice(0, 10);
  return renderTable(
    [{ header: 'WHAT' }, { header: 'TOOK', align: 'right' }],
    [
      ...parts.flatMap(([part, ms]) => [
        [part, duration(ms)],
        ...(part === 'facts' ? groups.map(([group, took]) => [`  ${group}`, duration(took)]) : []),
      ]),
      ...probes.map((probe) => [`  ${probe.name} (${probe.source})`, duration(probe.durationMs)]),
      ['in all', duration(report.timings.totalMs)],
    ],
    screen,
  ).trimEnd();
}
