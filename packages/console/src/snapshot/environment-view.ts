// What a machine was like, part by part. For members and for strangers.

import { factsOf, isHiddenValue, systemFacts } from '@envsnap/compare/workspace';
import { runOutcome, type Snapshot } from '@envsnap/shared';
import { factRow, factText } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { unknownEntries } from '@envsnap/shared/catalogue/unknown';
import { counted, grouped } from '@envsnap/shared/text/size';
import { badge, clipped, definitions, fold, liveFilter } from '../frame/parts.ts';
import { html, type Markup, type MarkupContent } from '../markup.ts';

/** Most characters of all rows together. */
const mostCharacters = 900_000;

export interface EnvironmentViewOptions {
  /** Whether the values of variables are shown. */
  readonly showsValues: boolean;
  /** The address of a value's history; null for a reader who has no access to it. */
  readonly historyLink: ((key: string) => string) | null;
}

/** The view without the document around it. */
export function environmentView(snapshot: Snapshot, options: EnvironmentViewOptions): MarkupContent {
  const { metadata, runtimeVersions, dependencies, envVars } = snapshot;
  const room: Room = { left: mostCharacters };
  const link = options.historyLink ?? (() => null);
  const runtimes = sorted(runtimeVersions).map(([name, version]) =>
    row(name, version, link(`runtimes.${name}`)),
  );
  const system = sorted(systemFacts(metadata)).map(([name, value]) =>
    row(name, value, link(`system.${name}`)),
  );
  const facts = sorted(factsOf(snapshot) ?? {}).map(([name, value]) =>
    row(name, factText(value), link(`facts.${name}`), factRow(name)?.what),
  );
  const unknown = unknownEntries(metadata).map(({ section, key, reason }) =>
    row(`${section} ${key}`, reason, null),
  );
  return html`${summary(snapshot)}
${liveFilter('what is in this snapshot')}
<div>
${part('Runtimes', 'runtime', runtimes, room, true)}
${variables(envVars, options, room)}
${part('System', 'property', system, room, false, 'properties')}
${part('Facts', 'fact', facts, room, false)}
${sorted(dependencies).map(([file, packages]) =>
  part(
    file,
    'package',
    sorted(packages).map(([name, version]) => row(name, version, link(`dependencies:${file}/${name}`))),
    room,
    false,
  ),
)}
${part('Could not be read', 'entry', unknown, room, false, 'entries')}
</div>`;
}

function summary({ os, arch, metadata, dependencies, envVars, runtimeVersions }: Snapshot): MarkupContent {
  const outcome = runOutcome(metadata);
  const git = record(metadata.git);
  const packages = Object.values(dependencies).reduce((sum, each) => sum + Object.keys(each).length, 0);
  const failed = outcome?.tests?.failed ?? [];
  return definitions([
    ['System', [os, arch].filter((each) => each !== null).join(' ')],
    ['Distribution', systemFacts(metadata).distribution ?? systemFacts(metadata).distro],
    ['Branch', typeof git.branch === 'string' ? html`<code>${git.branch}</code>` : null],
    [
      'Commit',
      typeof git.commit === 'string'
        ? html`<code>${git.commit.slice(0, 12)}</code>${git.dirty === true ? ' with changes' : null}`
        : null,
    ],
    ['Run', outcome && html`${badge(outcome.result, outcome.result)} ${outcome.of}`],
    [
      'Failed tests',
      failed.length === 0
        ? null
        : html`${failed.slice(0, 5).map((name) => html`<code>${clipped(name)}</code><br>`)}${failed.length > 5 ? `and ${failed.length - 5} more` : null}`,
    ],
    [
      'Holds',
      `${counted(Object.keys(runtimeVersions).length, 'runtime')}, ${counted(packages, 'package')}, ${counted(Object.keys(envVars).length, 'variable')}`,
    ],
  ]);
}

/** Characters that rows may still take. */
interface Room {
  left: number;
}

function part(
  title: string,
  noun: string,
  rows: readonly Markup[],
  room: Room,
  open: boolean,
  nouns?: string,
): MarkupContent {
  if (rows.length === 0) return null;
  const shown: Markup[] = [];
  for (const each of rows) {
    if (room.left <= 0) break;
    room.left -= each.text.length;
    shown.push(each);
  }
  const left = rows.length - shown.length;
  return fold({
    title,
    remark: counted(rows.length, noun, nouns),
    open,
    body: html`<div class="scroll" tabindex="0" role="region" aria-label="Values: ${title}"><table class="values"><thead><tr><th scope="col">Name</th><th scope="col">Value</th></tr></thead><tbody>${shown}</tbody></table></div>${left === 0 ? null : html`<p class="dim">${grouped(left)} more do not fit on one page: <code>envsnap snapshot show ID --packages</code> lists all.</p>`}`,
  });
}

function row(name: string, value: MarkupContent, link: string | null, what?: string): Markup {
  const shown = html`<code>${clipped(name)}</code>`;
  return html`<tr><th scope="row">${link === null ? shown : html`<a href="${link}">${shown}</a>`}${what === undefined ? null : html`<br><span class="dim">${what}</span>`}</th><td><code>${typeof value === 'string' ? clipped(value, 2000) : value}</code></td></tr>\n`;
}

function variables(
  values: Snapshot['envVars'],
  { showsValues, historyLink }: EnvironmentViewOptions,
  room: Room,
): MarkupContent {
  const hidden = html`<span class="only">hidden</span>`;
  const rows = sorted(values).map(([name, value]) => {
    const shown = isHiddenValue(value)
      ? html`<span class="only">secret</span>`
      : showsValues
        ? value
        : hidden;
    return row(name, shown, historyLink?.(`env:${name}`) ?? null);
  });
  return part('Variables', 'variable', rows, room, showsValues);
}

function sorted<T>(map: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(map).sort(([x], [y]) => (x < y ? -1 : 1));
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
