// An environment, section by section, for members and for readers of a share.

import { environmentOf } from '@envsnap/compare/workspace';
import type { Snapshot } from '@envsnap/shared';
import { type Address, printAddress } from '@envsnap/shared/address';
import { factRow, factText } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { isHiddenValue } from '@envsnap/shared/opaque-value';
import { counted, grouped } from '@envsnap/shared/text/size';
import { badge, clipped, definitions, fold, liveFilter, type Room, rowsWithin } from '../frame/parts.ts';
import { html, type Markup, type MarkupContent } from '../markup.ts';
import { encodedPart } from '../page.ts';

const mostCharacters = 900_000;

interface EnvironmentViewOptions {
  readonly showsValues: boolean;
  /** The address of a value's history, up to the key at its end; null for a reader who has no access to it. */
  readonly historyLink: string | null;
}

export function environmentView(snapshot: Snapshot, options: EnvironmentViewOptions): MarkupContent {
  const { runtimes, system, facts = {}, dependencies, variables, unknown } = environmentOf(snapshot);
  const parts: readonly Part[] = [
    { title: 'Runtimes', noun: 'runtime', entries: named(runtimes, 'runtimes'), isOpen: true },
    variablesPart(variables, options.showsValues),
    { title: 'System', noun: 'property', nouns: 'properties', entries: named(system, 'system') },
    {
      title: 'Facts',
      noun: 'fact',
      entries: sorted(facts).map(([name, value]) => ({
        name,
        value: factText(value),
        key: printAddress({ section: 'facts', name }),
        what: factRow(name)?.what,
      })),
    },
    ...sorted(dependencies).map(([file, packages]) => ({
      title: file,
      noun: 'package',
      entries: named(packages, 'dependencies', `${file}/`),
    })),
    {
      title: 'Could not be read',
      noun: 'entry',
      nouns: 'entries',
      entries: unknown.map(({ section, key, reason }) => ({
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

function summary(snapshot: Snapshot): MarkupContent {
  const environment = environmentOf(snapshot);
  const { os, arch, system, branch, commit, isDirty, outcome } = environment;
  const { dependencies, variables, runtimes } = environment;
  const packages = Object.values(dependencies).reduce((sum, each) => sum + Object.keys(each).length, 0);
  const failed = outcome?.tests?.failed ?? [];
  return definitions([
    ['System', [os, arch].filter((each) => each !== null).join(' ')],
    ['Distribution', system.distribution ?? system.distro],
    ['Branch', branch === undefined ? null : html`<code>${branch}</code>`],
    [
      'Commit',
      commit === undefined
        ? null
        : html`<code>${commit.slice(0, 12)}</code>${isDirty ? ' with changes' : null}`,
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
      `${counted(Object.keys(runtimes).length, 'runtime')}, ${counted(packages, 'package')}, ${counted(Object.keys(variables).length, 'variable')}`,
    ],
  ]);
}

interface Entry {
  readonly name: string;
  readonly value: MarkupContent;
  /** The key of its history; null if it has none. */
  readonly key: string | null;
  /** Its description in a sentence. */
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

function partOf(
  { title, noun, nouns, entries, isOpen = false }: Part,
  options: EnvironmentViewOptions,
  room: Room,
): MarkupContent {
  const rows = rowsWithin(room, entries, (entry) => rowOf(entry, options));
  const omitted = entries.length - rows.length;
  return fold({
    title,
    remark: counted(entries.length, noun, nouns),
    open: isOpen,
    body: html`<div class="scroll" tabindex="0" role="region" aria-label="Values: ${title}"><table class="values" aria-label="${title}"><thead><tr><th scope="col">Name</th><th scope="col">Value</th></tr></thead><tbody>${rows}</tbody></table></div>${omitted === 0 ? null : html`<p class="dim">${grouped(omitted)} more do not fit on one page: <code>envsnap snapshot show ID --packages</code> lists all.</p>`}`,
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
    key: printAddress({ section: 'env', name }),
  }));
  return { title: 'Variables', noun: 'variable', entries, isOpen: showsValues };
}

/** The values of a section; `prefix` precedes their names in addresses. */
function named(values: Readonly<Record<string, string>>, section: Address['section'], prefix = ''): Entry[] {
  return sorted(values).map(([name, value]) => ({
    name,
    value,
    key: printAddress({ section, name: `${prefix}${name}` }),
  }));
}

function sorted<T>(map: Readonly<Record<string, T>>): [string, T][] {
  return Object.keys(map)
    .sort()
    .map((name) => [name, map[name] as T]);
}
