// What a capture found: in short after storing, in full as a dry run.

import type { CaptureReport, CaptureResult } from '@envsnap/capture';
import { environmentOf, installedFindings } from '@envsnap/compare/workspace';
import type { FactValue } from '@envsnap/shared/catalogue/facts/fact';
import { factText } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import { envsnapCommand } from '../../connection/settings.ts';
import type { Screen } from '../../terminal/terminal.ts';
import {
  type Cell,
  cutText,
  duration,
  largest,
  renderFields,
  renderRows,
  renderTable,
} from '../layout/table.ts';
import { environmentFields } from './environment-fields.ts';

/** Renders a capture that was stored; `connection` are the flags that led there. */
export function renderStored(
  captured: CaptureResult,
  id: string,
  screen: Screen,
  connection: readonly string[],
): string {
  const { machineName } = captured.snapshot;
  return [
    `${screen.paint('green', '✓')} Stored snapshot ${screen.paint('bold', visible(id))} of ${visible(machineName)}`,
    '',
    renderSummary(captured, screen),
    `Next: ${screen.paint('cyan', envsnapCommand('compare', ...connection))} shows what has changed since, here or on another machine.`,
  ].join('\n');
}

export function renderWritten(captured: CaptureResult, file: string, screen: Screen): string {
  return [
    `${screen.paint('green', '✓')} Wrote the snapshot of ${visible(captured.snapshot.machineName)} to ${screen.paint('bold', visible(file))}`,
    '',
    renderSummary(captured, screen),
    `Next: ${screen.paint('cyan', envsnapCommand('compare', file, 'local'))} shows what has changed since. Nothing was sent.`,
  ].join('\n');
}

function renderSummary({ snapshot, report }: CaptureResult, screen: Screen): string {
  const variables = Object.keys(snapshot.envVars).length;
  const fields = [
    ...environmentFields(snapshot),
    ['variables', `${variables}${redactionText(report)}`] as const,
  ];
  return renderFields(fields, screen);
}

function redactionText(report: CaptureReport): string {
  const { redactions } = report.variables;
  if (redactions.length === 0) return '';
  const fingerprints = redactions.some((redaction) => redaction.replacedBy === 'fingerprint');
  const by = fingerprints ? 'as fingerprints only' : 'redacted';
  return `, ${counted(redactions.length, 'secret')} of them ${by}`;
}

/** Renders everything that a capture found, redacted and skipped, and why. */
export function renderDryRun(captured: CaptureResult, screen: Screen): string {
  const { snapshot, report } = captured;
  const sections = [
    `${screen.paint('bold', visible(snapshot.machineName))}
`,
    renderFields(environmentFields(snapshot), screen),
    section('Machine', renderFields(flatten(snapshot.metadata), screen), screen),
    section(
      counted(report.tools.length, 'runtime and tool', 'runtimes and tools'),
      renderTools(report, screen),
      screen,
    ),
    section('Declared versions', renderDeclared(report, screen), screen),
    section(
      'Dependencies',
      renderFields(
        report.dependencyFiles.map(({ file, packages }) => [file, counted(packages, 'package')] as const),
        screen,
      ),
      screen,
    ),
    section('Installed in another version than locked', renderInstalled(snapshot, screen), screen),
    section('Facts', renderFacts(snapshot, screen), screen),
    section(
      counted(Object.keys(snapshot.envVars).length, 'variable'),
      renderVariables(snapshot.envVars, screen),
      screen,
    ),
    section('Secrets that stay here', renderRedactions(report, screen), screen),
    section('Left out', renderSkipped(report, screen), screen),
    `Dry run: nothing was sent, and nothing was stored. It took ${duration(report.timings.totalMs)}.\n`,
  ];
  return sections.filter((text) => text !== '').join('\n');
}

function section(title: string, body: string, screen: Screen): string {
  if (body.trim() === '') return '';
  const indented = body.trimEnd().replaceAll(/^/gm, '  ');
  return `${screen.paint('bold', title)}\n${indented}\n`;
}

function renderTools(report: CaptureReport, screen: Screen): string {
  if (report.tools.length === 0) return '';
  return renderRows(narrower(screen), report.tools, [
    ['NAME', ({ name }) => name],
    ['VERSION', ({ version }) => version],
    [
      'FROM',
      ({ path, manager, selectedBy }) =>
        `${path}${manager ? ` (${manager}${selectedBy ? `, by ${selectedBy}` : ''})` : ''}`,
      { shrinks: true },
    ],
  ]);
}

/** The screen within the indentation of a section. */
function narrower(screen: Screen): Screen {
  return { ...screen, columns: screen.columns - 2 };
}

function fitsCell({ satisfied }: CaptureReport['declared'][number]): Cell {
  if (satisfied === undefined) return '';
  return satisfied ? { text: 'fits', style: 'green' } : { text: 'does not fit', style: 'red' };
}

function renderDeclared(report: CaptureReport, screen: Screen): string {
  if (report.declared.length === 0) return '';
  return renderRows(narrower(screen), report.declared, [
    ['NAME', ({ tool }) => tool],
    ['DECLARED', ({ declared }) => declared],
    ['IN', ({ source }) => source, { shrinks: true }],
    ['PRESENT', ({ present }) => present ?? 'absent'],
    ['', fitsCell],
  ]);
}

function renderVariables(variables: Record<string, string>, screen: Screen): string {
  const names = Object.keys(variables);
  const width = Math.min(48, largest(names.map((name) => name.length)));
  return names
    .map((name) => {
      const shown = visible(name).padEnd(width);
      return `${screen.paint('dim', shown)}  ${cutText(visible(variables[name] ?? ''), screen.columns - shown.length - 5)}\n`;
    })
    .join('');
}

function renderRedactions(report: CaptureReport, screen: Screen): string {
  if (report.variables.redactions.length === 0) return '';
  return renderRows(narrower(screen), report.variables.redactions, [
    ['VARIABLE', ({ name }) => name],
    ['WHY', ({ reason }) => reason, { shrinks: true }],
    ['SENT INSTEAD', ({ replacedBy }) => (replacedBy === 'fingerprint' ? 'fingerprint' : '[redacted]')],
  ]);
}

function renderSkipped(report: CaptureReport, screen: Screen): string {
  if (report.skipped.length === 0) return '';
  return renderRows(narrower(screen), report.skipped, [
    ['WHAT', ({ name }) => name, { shrinks: true }],
    ['WHY', ({ reason }) => reason, { shrinks: true }],
  ]);
}

/** Facts that have a section of their own. */
const shownElsewhere = new Set(
  'capture checkout drift facts installed project sources toolchain tools'.split(' '),
);

/** Nested facts as `system.libc.name  glibc`; what has a section of its own is left out. */
function flatten(value: Record<string, unknown>, prefix = ''): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([key, entry]): (readonly [string, string])[] => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    if (shownElsewhere.has(name) || entry === null || entry === undefined) return [];
    if (typeof entry === 'object' && !Array.isArray(entry))
      return flatten(entry as Record<string, unknown>, name);
    return [[name, typeof entry === 'string' ? entry : JSON.stringify(entry)]];
  });
}

function renderFacts(snapshot: CaptureResult['snapshot'], screen: Screen): string {
  const { facts = {} } = environmentOf(snapshot);
  const widest = Math.max(20, screen.columns - 36);
  const text = (value: FactValue) => cutText(factText(value), widest);
  return renderFields(
    Object.entries(facts).map(
      ([name, value]) => [name, screen.interactive ? text(value) : factText(value)] as const,
    ),
    screen,
  );
}

function renderInstalled(snapshot: CaptureResult['snapshot'], screen: Screen): string {
  const findings = installedFindings(snapshot);
  return renderFields(
    findings.map(({ file, name, installed, locked }) => [
      `${file}/${name}`,
      `${installed ?? 'missing'}, locked ${locked ?? 'not at all'}`,
    ]),
    screen,
  );
}

/** Renders what took how long, the slowest first. */
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
