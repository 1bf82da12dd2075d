// A snapshot as a Dockerfile and as a devcontainer.json: the needed runtimes pinned, the variables set.

import { toolRow } from '@envsnap/shared/catalogue/tools';
import { jsonText } from '@envsnap/shared/text/visible';
import { environmentOf } from '../environment/environment.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import { imageBase, imageOf, imageTag, type RuntimeImage, runtimeImages } from './container-images.ts';
import { commentText, exportableVariables, isShellName } from './exportable-variables.ts';
import { chooseRuntimes, notPinned } from './needed-runtimes.ts';
import { quoteShell } from './shell.ts';

interface Plan {
  /** The image that everything else is put into, and the argument that pins it; none where no runtime has an image. */
  readonly base: { readonly runtime: RuntimeImage; readonly version: string } | undefined;
  readonly copied: readonly { readonly runtime: RuntimeImage; readonly version: string }[];
  /** Tools that a package manager in the image installs: name@version. */
  readonly npmTools: readonly string[];
  readonly pipTools: readonly string[];
  readonly remarks: readonly string[];
}

function planImage(environment: ComparableEnvironment, all: boolean): Plan {
  const { needed, others } = chooseRuntimes(environment, all);
  const versions = new Map(needed);
  const found = runtimeImages.flatMap((runtime) => {
    const version = versions.get(runtime.runtime);
    return version === undefined ? [] : [{ runtime, version }];
  });
  const [base, ...rest] = found;
  const copied = rest.filter(({ runtime }) => runtime.copy !== undefined);
  const has = (name: string) =>
    base?.runtime.runtime === name || copied.some(({ runtime }) => runtime.runtime === name);
  const tools = (manager: 'npm' | 'pip', joint: string) =>
    needed
      .filter(([name]) => toolRow(name)?.installedBy === manager)
      .map(([name, version]) => `${name}${joint}${version}`);
  const npmTools = has('node') ? tools('npm', '@').filter((tool) => !/^yarn@[2-9]/.test(tool)) : [];
  const pipTools = has('python') ? tools('pip', '==') : [];
  const pinnedNames = new Set([
    ...found.filter((item) => item === base || copied.includes(item)).map(({ runtime }) => runtime.runtime),
    ...[...npmTools, ...pipTools].map((tool) => tool.replace(/(@|==).*$/s, '')),
    ...(has('rustc') ? ['cargo'] : []),
  ]);
  const missing = needed.filter(([name]) => !pinnedNames.has(name));
  return {
    base,
    copied,
    npmTools,
    pipTools,
    remarks: [
      ...missing.map(([name, version]) => `${name} ${version}: install it yourself, no image has it`),
      ...notPinned(others),
    ],
  };
}

export function exportDockerfile(environment: ComparableEnvironment, all = false): string {
  const plan = planImage(environment, all);
  const system = imageBase(environment);
  const lines = [
    `# The environment of ${commentText(environment.machineName)}${system.exact ? '' : ', on the nearest distribution that the images offer'}`,
  ];
  const pinned = [...plan.copied, ...(plan.base ? [plan.base] : [])];
  for (const { runtime, version } of pinned) {
    lines.push(`ARG ${argumentOf(runtime)}=${imageTag(runtime.runtime, version)}`);
  }
  for (const { runtime } of plan.copied) {
    lines.push(`FROM ${imageOf(runtime, `\${${argumentOf(runtime)}}`, system)} AS ${runtime.runtime}`);
  }
  const image = plan.base
    ? imageOf(plan.base.runtime, `\${${argumentOf(plan.base.runtime)}}`, system)
    : system.distribution;
  lines.push('', `FROM ${image}`);
  for (const { runtime } of plan.copied) lines.push(...(runtime.copy?.(runtime.runtime) ?? []));
  if (plan.npmTools.length > 0)
    lines.push(`RUN npm install --global --force ${plan.npmTools.map(quoteShell).join(' ')}`);
  if (plan.pipTools.length > 0)
    lines.push(`RUN pip install --no-cache-dir ${plan.pipTools.map(quoteShell).join(' ')}`);
  lines.push(...plan.remarks.map((remark) => `# ${commentText(remark)}`));
  lines.push('', ...dockerVariables(environment, all), 'WORKDIR /workspace');
  return `${lines.join('\n')}\n`;
}

function argumentOf(runtime: RuntimeImage): string {
  return `${runtime.runtime.toUpperCase()}_VERSION`;
}

/** The variables of a container: none of the host's that made the snapshot, whose files and services it does not have. */
function containerVariables(environment: ComparableEnvironment, all: boolean) {
  const { set, withheld } = exportableVariables(environment, { all });
  const { variables } = environmentOf(environment).project;
  const mentioned = new Set(variables.map(([name]) => name));
  const isOfHost = ([name, value]: readonly [string, string]) =>
    !all &&
    !mentioned.has(name) &&
    (/^(?:CI|container|HOSTNAME)$/.test(name) || /^(?:file:\/\/)?\//.test(value));
  const own = set.filter((entry) => !isOfHost(entry));
  const ofHost = set
    .filter(isOfHost)
    .map(([name]) => ({ name, reason: 'of the machine, not of the project' }));
  return { set: own, withheld: [...withheld, ...ofHost] };
}

function dockerVariables(environment: ComparableEnvironment, all: boolean): string[] {
  const { set, withheld } = containerVariables(environment, all);
  const lines = set.map(([name, value]) => {
    if (isShellName(name) && !/[\r\n]/.test(value)) return `ENV ${name}=${quoteDocker(value)}`;
    return `# ${commentText(name)}: its name or value cannot be written in a Dockerfile`;
  });
  return [...lines, ...withheld.map(({ name, reason }) => `# ${commentText(name)}: ${reason}`)];
}

/** A value for `ENV NAME="value"`: the builder replaces variables even in quotes, so `$` is escaped too. */
export function quoteDocker(value: string): string {
  return `"${value.replace(/[\\"$]/g, '\\$&')}"`;
}

/** Renders a devcontainer.json, without comments so that every JSON parser reads it: remarks stand where the format leaves
 * room for tools. One language stands as its image; several need the Dockerfile of the same snapshot beside it, whose
 * arguments are pinned here. */
export function exportDevcontainer(environment: ComparableEnvironment, all = false): string {
  const plan = planImage(environment, all);
  const system = imageBase(environment);
  const { set, withheld } = containerVariables(environment, all);
  // `${localEnv:X}` and its kind are replaced in values, and nothing escapes them.
  const usable = set.filter(([name, value]) => isShellName(name) && !value.includes('${'));
  const unusable = set.filter(([name, value]) => !isShellName(name) || value.includes('${'));
  const pinned = [...(plan.base ? [plan.base] : []), ...plan.copied];
  const args = Object.fromEntries(
    pinned.map(({ runtime, version }) => [argumentOf(runtime), imageTag(runtime.runtime, version)]),
  );
  const needsBuild = plan.copied.length > 0;
  const image = plan.base
    ? imageOf(plan.base.runtime, imageTag(plan.base.runtime.runtime, plan.base.version), system)
    : system.distribution;
  const install = [
    ...(plan.npmTools.length > 0
      ? [`npm install --global --force ${plan.npmTools.map(quoteShell).join(' ')}`]
      : []),
    ...(plan.pipTools.length > 0 ? [`pip install ${plan.pipTools.map(quoteShell).join(' ')}`] : []),
  ];
  const document = {
    name: `Environment of ${environment.machineName}`,
    ...(needsBuild ? { build: { dockerfile: 'Dockerfile', args } } : { image }),
    ...(usable.length > 0 ? { containerEnv: Object.fromEntries(usable) } : {}),
    ...(!needsBuild && install.length > 0 ? { onCreateCommand: install.join(' && ') } : {}),
  };
  const remarks = [
    ...(needsBuild
      ? ['Dockerfile: envsnap snapshot export ID --format dockerfile --output .devcontainer/Dockerfile']
      : []),
    ...plan.remarks,
    ...unusable.map(([name]) => `${name}: its name or value cannot be written here`),
    ...withheld.map(({ name, reason }) => `${name}: ${reason}`),
  ];
  const customizations = { envsnap: { notes: remarks.map(commentText) } };
  return `${jsonText({ ...document, ...(remarks.length > 0 ? { customizations } : {}) })}\n`;
}
