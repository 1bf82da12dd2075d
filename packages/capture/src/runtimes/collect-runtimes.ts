// Finds every tool of the table that is on the machine, with its version and origin. docs/specification.md §10.

import { toolRow } from '@envsnap/shared/catalogue/tools';
import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import type { CaptureTimings, SkippedItem, ToolFinding } from '../capture-types.ts';
import { compareText } from '../sorted-record.ts';
import type { HomeAbbreviation } from '../system/home-path.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { CaptureWarning } from '../warning.ts';
import { type ExecutableKind, executableKind } from './executable-kind.ts';
import { type ProbeContext, probeTool } from './probe-tool.ts';
import type { Tool } from './tool.ts';
import type { ToolLocator } from './tool-locator.ts';
import { toolTable } from './tool-table.ts';

interface RuntimeOptions {
  readonly folder: string;
  readonly locator: ToolLocator;
  readonly cache: ProbeContext['cache'];
  readonly abbreviateHome: HomeAbbreviation;
  /** Whether no program at this real path may be started. */
  isForbidden(realPath: string): boolean;
  /** No search path is set, so a tool that is not found may still exist. */
  readonly isSearchPathEmpty: boolean;
  readonly onProbed: (tool: string, done: number, total: number) => void;
  /** Called when no memory-hungry tool is running any more. */
  readonly onLargeEnded: () => void;
}

interface PresentTool {
  readonly tool: Tool;
  readonly candidates: readonly { readonly name: string; readonly paths: readonly string[] }[];
}

/** Everything is sorted by name, except the probes: the slowest first. `unknown`: existing tools without a version. */
export async function collectRuntimes(machine: CapturedMachine, options: RuntimeOptions) {
  const { locator, folder, cache } = options;
  const kinds = new Map<string, Promise<ExecutableKind>>();
  const interpreterOf = async (name: string): Promise<string | undefined> => {
    const found = await locator.locate(name);
    return found.kind === 'found' && found.forbidden === undefined ? found.path : undefined;
  };
  const context: ProbeContext = {
    machine,
    folder,
    cache,
    executableKind(realPath) {
      const known =
        kinds.get(realPath) ?? executableKind(machine, realPath, interpreterOf, options.isForbidden);
      kinds.set(realPath, known);
      return known;
    },
  };

  const tools: ToolFinding[] = [];
  const skipped: SkippedItem[] = [];
  const unknown: UnknownEntry[] = [];
  const warnings: CaptureWarning[] = [];
  const probes: CaptureTimings['probes'][number][] = [];
  const fallbacks = new Set<string>();
  const skip = (name: string, reason: string) => skipped.push({ part: 'runtimes', name, reason });
  const failed = (key: string, reason: string, processMs?: number) => {
    skip(key, reason);
    unknown.push({ section: 'runtimes', key, reason });
    return { processMs, source: 'failed' as const };
  };

  /** Tries the candidates until one shows what would run. */
  const find = async ({ tool, candidates }: PresentTool) => {
    for (const { name, paths } of candidates) {
      const place = await locator.locate(name, paths);
      if (place.kind === 'nowhere') continue;
      if (place.kind === 'unknown') return failed(tool.name, place.reason);
      if (place.kind === 'absent') {
        skip(name, `it is a shim of ${place.manager}, but ${place.reason}`);
        continue;
      }
      const answer = await probeTool(context, tool, name, place);
      if (answer.kind === 'other') {
        skip(name, answer.reason);
        continue;
      }
      if (answer.kind === 'unknown') {
        if (answer.warning) warnings.push(answer.warning);
        return failed(tool.name, answer.reason, answer.processMs);
      }
      if (place.instead !== undefined) fallbacks.add(place.instead);
      const manager = place.manager ?? toolManager(machine, place.path, place.realPath);
      tools.push({
        name: tool.name,
        kind: toolRow(tool.name)?.kind ?? 'utility',
        version: answer.version,
        path: options.abbreviateHome(place.realPath),
        ...(manager !== undefined && { manager }),
        ...(place.selectedBy !== undefined && { selectedBy: options.abbreviateHome(place.selectedBy) }),
        source: answer.source,
      });
      return answer;
    }
    return { processMs: undefined, source: 'failed' as const };
  };

  let done = 0;
  let total = 0;
  const findAll = async (table: readonly Tool[]): Promise<void> => {
    const present: PresentTool[] = [];
    for (const tool of table) {
      const candidates = await candidatesOf(machine, tool, locator);
      if (candidates.length > 0) present.push({ tool, candidates });
    }
    total += present.length;
    await Promise.all(
      present.map(async (each) => {
        const startedMs = machine.monotonicMs();
        const { processMs, source } = await find(each);
        done += 1;
        const { name } = each.tool;
        probes.push({ name, durationMs: processMs ?? machine.monotonicMs() - startedMs, source });
        options.onProbed(name, done, total);
      }),
    );
  };
  await findAll(toolTable.filter((tool) => tool.heavy === 'large'));
  options.onLargeEnded();
  // Heavy tools first, so that no short one waits for the last long one.
  const others = toolTable.filter((tool) => tool.heavy !== 'large');
  await findAll([...others.filter(({ heavy }) => heavy), ...others.filter(({ heavy }) => !heavy)]);

  for (const missing of fallbacks) {
    const message = `${missing}; the next one on PATH runs instead, and the snapshot records that one.`;
    warnings.push({ code: 'version_not_installed', message });
  }
  // Without a search path nothing is found, whatever is installed.
  if (options.isSearchPathEmpty) {
    const found = new Set(tools.map(({ name }) => name));
    for (const { name } of toolTable)
      if (!found.has(name)) unknown.push({ section: 'runtimes', key: name, reason: 'no search path is set' });
  }
  return {
    tools: tools.sort((a, b) => compareText(a.name, b.name)),
    skipped: skipped.sort((a, b) => compareText(a.name, b.name) || compareText(a.reason, b.reason)),
    unknown: unknown.sort((a, b) => compareText(a.key, b.key)),
    warnings: warnings.sort((a, b) => compareText(a.message, b.message)),
    probes: probes.sort((a, b) => b.durationMs - a.durationMs),
  };
}

async function candidatesOf(
  machine: CapturedMachine,
  { name, executables, places }: Tool,
  locator: ToolLocator,
) {
  const candidates: { name: string; paths: readonly string[] }[] = executables
    .map((program) => ({ name: program, paths: locator.places(program) }))
    .filter(({ paths }) => paths.length > 0);
  for (const place of places?.[machine.platform] ?? []) {
    const path = expandPlace(machine, place);
    if (path && (await machine.files.isFile(path))) candidates.push({ name, paths: [path] });
  }
  return candidates;
}

/** `~` is the home folder; a leading `$NAME` is a variable; if it is not set, the place does not exist. */
function expandPlace({ env, homeDir, files }: CapturedMachine, place: string): string | undefined {
  const [, variable, rest = ''] = /^(?:\$(\w+)|~)(.*)$/s.exec(place) ?? [];
  if (variable === undefined) return place.startsWith('~') ? homeDir && homeDir + rest : place;
  const value = env[variable] ?? '';
  return files.paths.isAbsolute(value) ? value + rest : undefined;
}

const markers: readonly (readonly [manager: string, path: RegExp])[] = [
  ['nix', /^\/nix\/store\//],
  ['snap', /^\/snap\//],
  ['flatpak', /\/flatpak\//],
  ['homebrew', /^\/opt\/homebrew\/|\/Cellar\/|\/linuxbrew\//],
  ['macports', /^\/opt\/local\//],
  ['nvm', /\/\.nvm\/versions\/|\/nvm\/versions\/node\/|\/nvm\/v\d+\.\d+\.\d+\//],
  ['fnm', /\/fnm\/node-versions\/|\/\.fnm\//],
  ['volta', /\/\.volta\/|\/Volta\/tools\//],
  ['corepack', /\/corepack\/v1\//],
  ['mise', /\/mise\/installs\//],
  ['asdf', /\/\.asdf\/installs\//],
  ['pyenv', /\/\.pyenv\/versions\//],
  ['rbenv', /\/\.rbenv\/versions\//],
  ['nodenv', /\/\.nodenv\/versions\//],
  ['sdkman', /\/\.sdkman\/candidates\//],
  ['rustup', /\/\.rustup\/toolchains\//],
  ['cargo', /\/\.cargo\/bin\//],
  ['pipx', /\/pipx\/venvs\//],
  ['uv', /\/uv\/(?:tools|python)\//],
  [
    'conda',
    /\/(?:mini|ana|mamba|micromamba|miniforge|mambaforge)(?:conda|forge)?\d?\/|\/\.conda\/|\/conda\//,
  ],
  ['ghcup', /\/\.ghcup\//],
  ['juliaup', /\/\.julia(?:up)?\/juliaup\//],
  ['npm', /\/lib\/node_modules\/|\/npm\/node_modules\/|\/AppData\/Roaming\/npm\//],
  ['scoop', /\/scoop\/apps\//i],
  ['chocolatey', /\/chocolatey\//i],
  ['winget', /\/WinGet\//],
];

/** The manager whose folder contains the tool; undefined for the system's own tools and for unknown places. */
export function toolManager(machine: CapturedMachine, path: string, realPath: string): string | undefined {
  const [place, realPlace] = [path, realPath].map((each) => each.replaceAll('\\', '/'));
  const environment = machine.env.VIRTUAL_ENV?.replaceAll('\\', '/');
  if (environment && place?.startsWith(`${environment}/`)) return 'venv';
  return markers.find(([, marker]) => marker.test(place ?? '') || marker.test(realPlace ?? ''))?.[0];
}
