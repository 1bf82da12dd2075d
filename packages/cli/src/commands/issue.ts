// envsnap issue

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
import { option, string } from '@oclif/core/flags';
import { projectFolder } from '../actions/capture-machine.ts';
import { compareReferences, parsePair } from '../actions/comparison/compare-references.ts';
import { type Explanation, explainFailure } from '../actions/comparison/explain-failure.ts';
import { snapshotSources } from '../actions/references/resolve-snapshot.ts';
import { BaseCommand } from '../base-command.ts';
import { connectionFlags, folderFlags } from '../flags.ts';
import { withProgress } from '../terminal/progress.ts';

const issuePresets = {
  node: ['node', 'npm', 'pnpm', 'yarn', 'bun', 'deno', 'git'],
  python: ['python', 'pip', 'uv', 'poetry', 'pipenv', 'conda', 'gcc', 'git'],
  rust: ['rustc', 'cargo', 'rustup', 'gcc', 'clang', 'cmake', 'git'],
  go: ['go', 'gcc', 'git'],
  java: ['java', 'maven', 'gradle', 'kotlin', 'scala', 'git'],
  ruby: ['ruby', 'bundler', 'gem', 'gcc', 'git'],
  php: ['php', 'composer', 'git'],
  dotnet: ['dotnet', 'git'],
  c: ['gcc', 'g++', 'clang', 'cmake', 'make', 'ninja', 'git'],
} as const;

type IssuePreset = keyof typeof issuePresets;
const issuePresetNames = Object.keys(issuePresets) as IssuePreset[];

export default class Issue extends BaseCommand {
  static override summary =
    'Describe this environment for a bug report, as Markdown that is safe to publish.';
  static override description =
    'Lists what maintainers ask for: system, runtimes, tools, language. Names no person, machine, path, address or secret. ' +
    '--with adds the differences from a snapshot, such as one that the maintainers publish.';
  static override examples = [
    'envsnap issue --preset node',
    'envsnap issue --with works.json --output issue.md',
  ];
  static override flags = {
    preset: option({
      options: issuePresetNames,
      summary: 'Ecosystem of the bug report; by default all that the project uses.',
    })(),
    failure: string({
      summary:
        'Output of the failed command; - reads standard input. The report then begins with what explains it.',
      helpValue: 'FILE',
    }),
    with: string({ summary: 'Also compare with this snapshot.', helpValue: 'REF' }),
    output: string({ char: 'o', summary: 'Write to a file.', helpValue: 'FILE' }),
    ...folderFlags,
    ...connectionFlags,
  };

  override async run(): Promise<{ markdown: string }> {
    const { flags } = await this.parse(Issue);
    const pair = flags.with === undefined ? undefined : parsePair(flags.with, undefined);
    const project = await projectFolder(flags);
    const failure = flags.failure === undefined ? undefined : await this.readFailure(flags.failure);
    const sources = snapshotSources(this.storeOnce(flags), project, pair?.stored ?? false);
    const environment = await withProgress('Capturing this machine', sources.captureLocal);
    // Names both sides A and B, because machine names are private.
    const unnamed = { ...environment, machineName: '' };
    const report =
      pair && (await compareReferences(pair, { ...sources, captureLocal: async () => unnamed }, { failure }));
    const found = failure ? await explainFailure(failure, project.folder) : [];
    const explanations = found.filter(({ isPossible }) => !isPossible);
    const markdown = renderIssue(environment, flags.preset, report, explanations);
    if (flags.output !== undefined) await this.writeOutput(flags.output, markdown, 0o644);
    else this.printAsIs(markdown);
    return { markdown };
  }
}

const mostLines = 60;
const mostCauses = 10;
/** Longest value of a row and longest sentence of a cause, in characters. */
const [longestValue, longestCause] = [80, 240];

/** Variables whose values say how programs behave and nothing about a person. */
const toldVariables = ['NODE_ENV', 'CI', 'TZ', 'LANG', 'LC_ALL', 'TERM', 'FORCE_COLOR', 'NO_COLOR'];
/** System facts that maintainers ask for, by their names in a comparison. */
const toldFacts = 'distribution libc kernel container wsl virtualisation shell locale timezone'.split(' ');

/** Renders the report; `report` is the comparison with a maintainer's snapshot, which is A; `explanations` say why it failed. */
function renderIssue(
  environment: ComparableEnvironment,
  preset: IssuePreset | undefined,
  report: ComparisonReport | undefined,
  explanations: readonly Explanation[] = [],
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
      installed.length > 0 ? `${counted(installed.length, 'package')} not at the locked version` : undefined,
    ],
  ];
  const table = rows.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`| ${cell(name)} | ${cell(value)} |`],
  );
  const failure = explanations.map(({ sentence }) => `- ${cell(sentence, longestCause)}`);
  const failureSection = failure.length > 0 ? ['### The failure', '', ...failure, ''] : [];
  const lines = [...failureSection, '### Environment', '', '| | |', '| --- | --- |', ...table].slice(
    0,
    mostLines - 2,
  );
  return `${[...lines, ...(report ? comparisonLines(report) : []), '', '<sub>Made by `envsnap issue`.</sub>'].join('\n')}\n`;
}

function comparisonLines({ causes, comparison, counting }: ComparisonReport): string[] {
  const shown = counting.size === 0 ? [] : causes.slice(0, mostCauses);
  return [
    '',
    '### Compared with the maintainer’s environment (A); mine is B',
    '',
    counting.size === 0
      ? 'Nothing that counts differs.'
      : `${counted(counting.size, 'difference counts', 'differences count')}.`,
    '',
    ...shown.map((cause) => `- ${cell(causeWithoutHosts(cause, comparison).what, longestCause)}`),
  ];
}

function cell(text: string, longest = longestValue): string {
  const characters = Array.from(withoutPlaces(visible(text)));
  const short =
    characters.length > longest ? `${characters.slice(0, longest).join('')}…` : characters.join('');
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

/** The tools if no preset is given: those that the project uses, or else all that are installed. */
function toolsOf(preset: IssuePreset | undefined, projectTools: readonly string[]): readonly string[] {
  if (preset !== undefined) return issuePresets[preset];
  const named = issuePresetNames.filter((name) => projectTools.includes(issuePresets[name][0]));
  const tools = named.flatMap((name) => [...issuePresets[name]]);
  return [...new Set(tools.length > 0 ? tools : [...projectTools, 'git'])];
}
