// An environment as Markdown for an issue tracker that everybody reads: what a maintainer asks for, and nothing about the
// person, the machine's name, its places and addresses.

import { hostname, userInfo } from 'node:os';
import { text as escapedText } from '@envsnap/compare/formats/markdown';
import {
  type ComparableEnvironment,
  type ComparisonReport,
  causeWithoutHosts,
  environmentOf,
  installedFindings,
} from '@envsnap/compare/workspace';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import { type IssuePreset, toolsOf } from './presets.ts';

/** Most lines of a report without a comparison. */
const mostLines = 60;
/** Causes of a comparison that are shown. */
const causesTold = 10;
/** Longest value of a row and longest sentence of a cause, in characters. */
const [longestValue, longestCause] = [80, 240];

/** Variables whose values say how programs behave and nothing about a person. */
const toldVariables = ['NODE_ENV', 'CI', 'TZ', 'LANG', 'LC_ALL', 'TERM', 'FORCE_COLOR', 'NO_COLOR'];
/** Facts of the system that are asked for, by their names in a comparison. */
const toldFacts = 'distribution libc kernel container wsl virtualisation shell locale timezone'.split(' ');

/** Renders the report; `report` is the comparison with a maintainer's snapshot, which is A; `explanations` say what made it fail. */
export function renderIssue(
  environment: ComparableEnvironment,
  preset: IssuePreset | undefined,
  report: ComparisonReport | undefined,
  explanations: readonly string[] = [],
): string {
  const { runtimes, variables, system, project } = environmentOf(environment);
  const installed = installedFindings(environment);
  const rows: [string, string | undefined][] = [
    ['System', [environment.os, environment.arch].filter(Boolean).join(' ')],
    ...toldFacts.map((name): [string, string | undefined] => [name, system[name]]),
    ...toolsOf(preset, project.tools).map((name): [string, string | undefined] => [
      name,
      own(runtimes, name),
    ]),
    ...toldVariables.map((name): [string, string | undefined] => [name, own(variables, name)]),
    [
      'Installed packages',
      installed.length > 0 ? `${counted(installed.length, 'package')} not as locked` : undefined,
    ],
  ];
  const table = rows.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`| ${cell(name)} | ${cell(value)} |`],
  );
  const failure = explanations.map((each) => `- ${cell(each, longestCause)}`);
  const said = failure.length > 0 ? ['### The failure', '', ...failure, ''] : [];
  const lines = [...said, '### Environment', '', '| | |', '| --- | --- |', ...table].slice(0, mostLines - 2);
  return `${[...lines, ...(report ? comparisonLines(report) : []), '', '<sub>Made by `envsnap issue`.</sub>'].join('\n')}\n`;
}

function comparisonLines({ causes, comparison, counting }: ComparisonReport): string[] {
  const told = counting.size === 0 ? [] : causes.slice(0, causesTold);
  return [
    '',
    '### Compared with the maintainer’s environment (A); mine is B',
    '',
    counting.size === 0
      ? 'Nothing that counts differs.'
      : `${counted(counting.size, 'difference counts', 'differences count')}.`,
    '',
    ...told.map((cause) => `- ${cell(causeWithoutHosts(cause, comparison).what, longestCause)}`),
  ];
}

function cell(text: string, longest = longestValue): string {
  const said = Array.from(withoutPlaces(visible(text)));
  const short = said.length > longest ? `${said.slice(0, longest).join('')}…` : said.join('');
  return escapedText(short);
}

/** Without anything that names a person, a machine, a place or an address. */
function withoutPlaces(text: string): string {
  const names = new Set([hostname(), userName()].filter((name) => name.length > 2));
  return text
    .split(' ')
    .map((word) => {
      const bare = word.replace(/^[("']+/, '').replace(/(?<![)"',.;:])[)"',.;:]+$/, '');
      if (names.has(bare)) return '…';
      if (/^@[\w.-]+\/[\w.-]+$/.test(bare)) return word;
      if (/[\\/]/.test(bare) && !/^\w+\/\w+$/.test(bare)) return '…';
      return bare.includes('@') || /^\d+\.\d+\.\d+\.\d+$/.test(bare) || (bare.match(/:/g)?.length ?? 0) > 1
        ? '…'
        : word;
    })
    .join(' ');
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

function own(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
