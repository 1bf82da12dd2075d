// The needs of the project, from the captures of both sides: ecosystems, runtimes and tools, mentioned variables.

import {
  ecosystemsShownBy,
  projectEcosystems,
  runtimesOfEcosystem,
  toolOfCommand,
  toolsShownBy,
} from '@envsnap/shared/catalogue/project-tools';
import { toolNameOf, toolRow } from '@envsnap/shared/catalogue/tools';
import type { Environment } from '../environment/environment.ts';
import type { ProjectNeeds } from '../model/needs.ts';

export interface RelevanceContext {
  readonly needs: ProjectNeeds;
  readonly a: Environment;
  readonly b: Environment;
  readonly explains: boolean;
}

export function projectNeeds(...environments: readonly Environment[]): ProjectNeeds {
  const ecosystems = new Set<string>();
  const tools = new Set<string>();
  const variables = new Map<string, string>();
  const settings = new Set<string>();
  const providers = new Set<string>();
  const servicePorts = new Set<string>();
  const started = new Set<string>();
  for (const environment of environments) {
    const { project, declarations, ciProvider, outcome } = environment;
    for (const tool of toolsStartedBy(outcome?.of ?? '')) started.add(tool);
    for (const name of project.ecosystems) ecosystems.add(name);
    for (const name of project.tools) tools.add(name);
    for (const [name, file] of project.variables) if (!variables.has(name)) variables.set(name, file);
    for (const name of project.settings) settings.add(name);
    for (const { tool } of declarations) if (!toolRow(tool)?.broughtBy) tools.add(tool);
    for (const [file, packages] of Object.entries(environment.dependencies)) {
      if (file.startsWith('/')) continue;
      for (const name of ecosystemsShownBy(file)) ecosystems.add(name);
      for (const tool of toolsShownBy(file)) tools.add(tool);
      addClouds(packages, ecosystems);
    }
    if (typeof ciProvider === 'string') providers.add(ciProvider);
    for (const name of servicePortsOf(environment.variables)) servicePorts.add(name);
  }
  const known = ecosystems.size > 0 || tools.size > 0;
  for (const tool of started) tools.add(tool);
  for (const { name } of projectEcosystems) {
    const runtimes = runtimesOfEcosystem(name);
    const isOwn = !sharesRuntime.has(name);
    // `mix test` also runs Erlang. A build tool says little: every kind of project uses make.
    const isStarted = runtimes.some(
      (each) => isOwn && started.has(each) && toolRow(each)?.kind !== 'build tool',
    );
    if (ecosystems.has(name) || isStarted) for (const runtime of runtimes) tools.add(runtime);
    // A requested tool shows its ecosystem if nothing else does: a workflow that sets up Go.
    else if (runtimes[0] !== undefined && tools.has(runtimes[0]) && isOwn) ecosystems.add(name);
  }
  const ignoreCase = environments.some(({ os }) => os === 'win32');
  return { known, ecosystems, tools, variables, settings, servicePorts, providers, ignoreCase, started };
}

/** `docker compose up` starts docker and docker-compose. Runs are named after their command, unless somebody named them. */
function toolsStartedBy(command: string): string[] {
  return command.split(/[;&|]+/).flatMap((part) => {
    const words = part.trim().split(/\s+/);
    const at = words.findIndex((word) => !/^(?:\w+=.*|sudo|env|exec|time|npx)$/.test(word));
    const [first = '', second = ''] = words.slice(Math.max(0, at));
    const names = [first, `${first}-${second}`].flatMap((each) => [
      toolNameOf(each),
      toolOfCommand(each) ?? '',
    ]);
    return names.filter((name) => toolRow(name) !== undefined);
  });
}

/** `REDIS_PORT` beside `REDIS_SERVICE_HOST` or `REDIS_PORT_6379_TCP_ADDR`: an address, not an application's own port. */
function servicePortsOf(variables: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(variables);
  const services = names.flatMap((name) => {
    const service = /^(.+)_SERVICE_HOST$/.exec(name)?.[1];
    const isMade = service !== undefined && Object.hasOwn(variables, `${service}_SERVICE_PORT`);
    return isMade ? [`${service}_PORT`] : [];
  });
  const links = new Set(names.map((name) => /^(.+)_PORT_\d+_(?:TCP|UDP)(?:_ADDR)?$/.exec(name)?.[1]));
  links.delete(undefined);
  const ofLinks = names.filter((name) => links.has(/^(.+?)(?:_NAME$|_PORT$|_ENV_)/.exec(name)?.[1]));
  return [...services, ...ofLinks];
}

const sharesRuntime = new Set(['android', 'gyp', 'conda', 'cocoapods', 'kubernetes']);

/** Things besides ecosystems that a project uses according to its packages: clouds, graphics cards, browsers. */
const clouds: readonly (readonly [cloud: string, packages: RegExp])[] = [
  [
    'aws',
    /^(?:@aws-sdk\/|aws-sdk|aws-cdk|boto3$|botocore$|com\.amazonaws:|software\.amazon\.awssdk:|github\.com\/aws\/)/,
  ],
  ['gcp', /^(?:@google-cloud\/|google-cloud-|firebase|com\.google\.cloud:|cloud\.google\.com\/go)/],
  ['cuda', /^(?:torch|tensorflow|jax|cupy|mxnet|onnxruntime-gpu|nvidia-)/],
  [
    'browser',
    /^(?:playwright|@playwright\/|puppeteer|cypress|backstopjs|selenium|storycap|jest-image-snapshot)/,
  ],
  ['azure', /^(?:@azure\/|azure-|com\.azure:|Azure\.|github\.com\/Azure\/)/],
];

/** Whether a package belongs to any of them: one test for each of up to 100,000 names. */
const anyCloud = new RegExp(clouds.map(([, { source }]) => source).join('|'));

function addClouds(packages: Readonly<Record<string, string>>, ecosystems: Set<string>): void {
  for (const name of Object.keys(packages).filter((each) => anyCloud.test(each)))
    for (const [cloud, test] of clouds) if (test.test(name)) ecosystems.add(cloud);
}
