// What a machine was like, part by part. For members and for strangers.

import { factsOf, isHiddenValue, systemFacts } from '@envsnap/compare/workspace';
import { runOutcome, type Snapshot } from '@envsnap/shared';
import { factRow, factText } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { unknownEntries } from '@envsnap/shared/catalogue/unknown';
import { recordOf } from '@envsnap/shared/plain-object';
import { counted, grouped } from '@envsnap/shared/text/size';
import { badge, clipped, definitions, fold, liveFilter } from '../frame/parts.ts';
import { html, type Markup, type MarkupContent } from '../markup.ts';
import { encodedPart } from '../page.ts';

/** Most characters of all rows together. */
const mostCharacters = 900_000;

export interface EnvironmentViewOptions {
  /** Whether the values of variables are shown. */
  readonly showsValues: boolean;
  /** The address of a value's history, up to the key at its end; null for a reader who has no access to it. */
  readonly historyLink: string | null;
}

/** The view without the document around it. */
export function environmentView(snapshot: Snapshot, options: EnvironmentViewOptions): MarkupContent {
  const { metadata, runtimeVersions, dependencies, envVars } = snapshot;
  const parts: readonly Part[] = [
    { title: 'Runtimes', noun: 'runtime', entries: named(runtimeVersions, 'runtimes.'), isOpen: true },
    variablesPart(envVars, options.showsValues),
    {
      title: 'System',
      noun: 'property',
      nouns: 'properties',
      entries: named(systemFacts(metadata), 'system.'),
    },
    {
      title: 'Facts',
      noun: 'fact',
      entries: sorted(factsOf(snapshot) ?? {}).map(([name, value]) => ({
        name,
        value: factText(value),
        key: `facts.${name}`,
        what: factRow(name)?.what,
      })),
    },
    ...sorted(dependencies).map(([file, packages]) => ({
      title: file,
      noun: 'package',
      entries: named(packages, `dependencies:${file}/`),
    })),
    {
      title: 'Could not be read',
      noun: 'entry',
      nouns: 'entries',
      entries: unknownEntries(metadata).map(({ section, key, reason }) => ({
        name: `${section} ${key}`,
        value: reason,
        key: null,
      })),
    },
  ];
  const room: Room = { left: mostCharacters };
  return html`${summary(snapshot)}
${liveFilter('what is in this snapshot')}
<div>${parts.filter(({ entries }) => entries.length > 0).map((part) => partOf(part, options, room))}</div>`;
}

function summary({ os, arch, metadata, dependencies, envVars, runtimeVersions }: Snapshot): MarkupContent {
  const outcome = runOutcome(metadata);
  const git = recordOf(metadata.git);
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

/** A name with its value. */
interface Entry {
  readonly name: string;
  readonly value: MarkupContent;
  /** What its history is asked for with; null for what has none. */
  readonly key: string | null;
  /** What it is, in a sentence. */
  readonly what?: string | undefined;
}

interface Part {
  readonly title: string;
  readonly noun: string;
  /** Default: the noun with an `s`. */
  readonly nouns?: string;
  readonly entries: readonly Entry[];
  /** Default false. */
  readonly isOpen?: boolean;
}

/** Characters that rows may still take. */
interface Room {
  left: number;
}

function partOf(
  { title, noun, nouns, entries, isOpen = false }: Part,
  options: EnvironmentViewOptions,
  room: Room,
): MarkupContent {
  const rows: Markup[] = [];
  for (const entry of entries) {
    if (room.left <= 0) break;
    const row = rowOf(entry, options);
    room.left -= row.text.length;
    rows.push(row);
  }
  const left = entries.length - rows.length;
  return fold({
    title,
    remark: counted(entries.length, noun, nouns),
    open: isOpen,
    body: html`<div class="scroll" tabindex="0" role="region" aria-label="Values: ${title}"><table class="values"><thead><tr><th scope="col">Name</th><th scope="col">Value</th></tr></thead><tbody>${rows}</tbody></table></div>${left === 0 ? null : html`<p class="dim">${grouped(left)} more do not fit on one page: <code>envsnap snapshot show ID --packages</code> lists all.</p>`}`,
  });
}

function rowOf({ name, value, key, what }: Entry, { historyLink }: EnvironmentViewOptions): Markup {
  const shown = clipped(name);
  const linked =
    key === null || historyLink === null
      ? shown
      : html`<a href="${historyLink + encodedPart(key)}">${shown}</a>`;
  return html`<tr><th scope="row">${linked}${what && html`<p class="dim">${what}</p>`}</th><td>${typeof value === 'string' ? clipped(value, 2000) : value}</td></tr>\n`;
}

function variablesPart(values: Snapshot['envVars'], showsValues: boolean): Part {
  const hidden = html`<span class="only">hidden</span>`;
  const secret = html`<span class="only">secret</span>`;
  const entries = sorted(values).map(([name, value]) => ({
    name,
    value: isHiddenValue(value) ? secret : showsValues ? value : hidden,
    key: `env:${name}`,
  }));
  return { title: 'Variables', noun: 'variable', entries, isOpen: showsValues };
}

/** A map of names to values, whose keys begin with a prefix. */
function named(values: Readonly<Record<string, string>>, prefix: string): Entry[] {
  return sorted(values).map(([name, value]) => ({ name, value, key: `${prefix}${name}` }));
}

function sorted<T>(map: Readonly<Record<string, T>>): [string, T][] {
  return Object.keys(map)
    .sort()
    .map((name) => [name, map[name] as T]);
}
