// A snapshot as a Dockerfile and as a devcontainer.json: the needed runtimes pinned, the variables set.

import { toolRow } from '@envsnap/shared/catalogue/tools';
import { jsonText } from '@envsnap/shared/text/visible';
import { environmentOf } from '../environment/environment.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import { projectNeeds } from '../relevance/project-needs.ts';
import { judgeVariable } from '../relevance/variable-relevance.ts';
import {
  copyInstructions,
  imageBase,
  imageOf,
  imageTag,
  type RuntimeImage,
  runtimeImages,
} from './container-images.ts';
import {
  commentText,
  exportableVariables,
  isShellName,
  remarkOn,
  variableLines,
} from './exportable-variables.ts';
import { chooseRuntimes, notPinned } from './needed-runtimes.ts';
import { quoteShell } from './variable-files.ts';

interface PlannedImage {
  readonly runtime: RuntimeImage;
  readonly version: string;
}

/** How a package manager installs tools in an image of its runtime. */
const installers = [
  { manager: 'npm', runtime: 'node', command: 'npm install --global --force', joint: '@' },
  { manager: 'pip', runtime: 'python', command: 'pip install --no-cache-dir', joint: '==' },
  { manager: 'gem', runtime: 'ruby', command: 'gem install', joint: ':' },
] as const;

/** The base image, undefined if no runtime has one; what is copied into it; its name with the base's version; and the
 * commands that install package managers in it. */
function planImage(environment: ComparableEnvironment, all: boolean) {
  const { needed, others } = chooseRuntimes(environment, all);
  const versions = new Map(needed);
  const [base, ...rest] = runtimeImages.flatMap((runtime): PlannedImage[] => {
    const version = versions.get(runtime.runtime);
    return version === undefined ? [] : [{ runtime, version }];
  });
  const copied = rest.filter(({ runtime }) => runtime.copied !== undefined);
  const bases = base ? [base] : [];
  const names = new Set([...bases, ...copied].map(({ runtime }) => runtime.runtime));
  const installs = installers.flatMap(({ manager, runtime, command, joint }) => {
    const tools = needed.filter(
      ([name, version]) =>
        names.has(runtime) &&
        toolRow(name)?.installedBy === manager &&
        !(name === 'yarn' && /^[2-9]/.test(version)),
    );
    for (const [name] of tools) names.add(name);
    const words = tools.map(([name, version]) => quoteShell(`${name}${joint}${version}`));
    return words.length === 0 ? [] : [`${command} ${words.join(' ')}`];
  });
  if (names.has('rustc')) names.add('cargo');
  const system = imageBase(environment);
  return {
    bases,
    copied,
    system,
    imageWith: (versionOf: (image: PlannedImage) => string) =>
      base ? imageOf(base.runtime, versionOf(base), system) : system.distribution,
    installs,
    remarks: [
      ...needed
        .filter(([name]) => !names.has(name))
        .map(([name, version]) => `${name} ${version}: no image has it, so install it yourself`),
      ...notPinned(others),
    ],
  };
}

/** Renders a Dockerfile of official images, each pinned by an argument. */
export function exportDockerfile(environment: ComparableEnvironment, all = false): string {
  const { bases, copied, system, imageWith, installs, remarks } = planImage(environment, all);
  const argument = ({ runtime }: PlannedImage) => `\${${argumentOf(runtime)}}`;
  const nearest = system.exact ? '' : ', on the nearest distribution that the images offer';
  const lines = [
    `# The environment of ${commentText(environment.machineName)}${nearest}`,
    ...[...copied, ...bases].map(
      ({ runtime, version }) => `ARG ${argumentOf(runtime)}=${imageTag(runtime.runtime, version)}`,
    ),
    ...copied.map(
      (each) => `FROM ${imageOf(each.runtime, argument(each), system)} AS ${each.runtime.runtime}`,
    ),
    '',
    `FROM ${imageWith(argument)}`,
    ...copied.flatMap(({ runtime }) => copyInstructions(runtime)),
    ...installs.map((command) => `RUN ${command}`),
    ...remarks.map((remark) => `# ${commentText(remark)}`),
    '',
    ...dockerVariables(environment, all),
    'WORKDIR /workspace',
  ];
  return `${lines.join('\n')}\n`;
}

function argumentOf(runtime: RuntimeImage): string {
  return `${runtime.runtime.toUpperCase()}_VERSION`;
}

/** Variables for a container, without those about the captured host, whose files and services it does not have. */
function containerVariables(environment: ComparableEnvironment, all: boolean) {
  const { set, withheld } = exportableVariables(environment, { all });
  const { project } = environmentOf(environment);
  const needs = projectNeeds(environmentOf(environment));
  const isOfHost = ([name, value]: readonly [string, string]) => {
    const { row, mentionedIn } = judgeVariable(name, needs);
    if (all || mentionedIn !== undefined) return false;
    if (/^(?:CI|container|HOSTNAME)$/.test(name) || /^(?:file:\/\/)?\//.test(value)) return true;
    // Only what is known to change every program that the project runs.
    const isKnown = row?.class === 'behaviour' && !row.personal && !row.pattern.includes('*');
    return project.isRecorded && !isKnown;
  };
  const own = set.filter((entry) => !isOfHost(entry));
  const ofHost = set
    .filter(isOfHost)
    .map(([name]) => ({ name, reason: 'of the machine, not of the project' }));
  return { set: own, withheld: [...withheld, ...ofHost] };
}

function dockerVariables(environment: ComparableEnvironment, all: boolean): string[] {
  return variableLines(containerVariables(environment, all), (name, value) =>
    isShellName(name) && !/[\r\n]/.test(value)
      ? `ENV ${name}=${quoteDocker(value)}`
      : remarkOn(name, 'its name or value cannot be written in a Dockerfile'),
  );
}

/** A value for `ENV NAME="value"`. The builder replaces variables even in quotes, so `$` is escaped too. */
export function quoteDocker(value: string): string {
  return `"${value.replace(/[\\"$]/g, '\\$&')}"`;
}

/** Nobody sets these in a container, so they get no comment. */
const isElsewhere = /^of the |^a list of folders/;

/** Renders a devcontainer.json. It has no comments, so every JSON parser reads it; remarks are in the member for tools.
 * One language uses its image. Several need the Dockerfile of the same snapshot, whose arguments are pinned here. */
export function exportDevcontainer(environment: ComparableEnvironment, all = false): string {
  const { bases, copied, imageWith, installs, remarks } = planImage(environment, all);
  const { set, withheld } = containerVariables(environment, all);
  // `${localEnv:X}` and similar are replaced in values, and cannot be escaped.
  const isUsable = ([name, value]: readonly [string, string]) => isShellName(name) && !value.includes('${');
  const usable = set.filter(isUsable);
  const tag = ({ runtime, version }: PlannedImage) => imageTag(runtime.runtime, version);
  const args = Object.fromEntries([...bases, ...copied].map((each) => [argumentOf(each.runtime), tag(each)]));
  const needsBuild = copied.length > 0;
  const notes = [
    ...(needsBuild
      ? ['Dockerfile: envsnap snapshot export ID --format dockerfile --output .devcontainer/Dockerfile']
      : []),
    ...remarks,
    ...set
      .filter((each) => !isUsable(each))
      .map(([name]) => `${name}: its name or value cannot be written here`),
    ...withheld
      .filter(({ reason }) => !isElsewhere.test(reason))
      .map(({ name, reason }) => `${name}: ${reason}`),
  ].map(commentText);
  return `${jsonText({
    name: 'Environment of an envsnap snapshot',
    ...(needsBuild ? { build: { dockerfile: 'Dockerfile', args } } : { image: imageWith(tag) }),
    ...(usable.length > 0 && { containerEnv: Object.fromEntries(usable) }),
    ...(!needsBuild && installs.length > 0 && { onCreateCommand: installs.join(' && ') }),
    ...(notes.length > 0 && { customizations: { envsnap: { notes } } }),
  })}\n`;
}
