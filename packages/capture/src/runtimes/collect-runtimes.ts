// Finds every tool of the table that is on the machine, with its version and origin. docs/specification.md §10.

import { toolRow } from '@envsnap/shared/catalogue/tools';
import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import type { CaptureTimings, SkippedItem, ToolFinding, VersionSource } from '../capture-types.ts';
import { compareText } from '../sorted-record.ts';
import type { HomeAbbreviation } from '../system/home-path.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { CaptureWarning } from '../warning.ts';
import { type ExecutableKind, executableKind } from './executable-kind.ts';
import { type ProbeContext, probeTool } from './probe-tool.ts';
import type { Tool } from './tool.ts';
import type { ToolLocator } from './tool-locator.ts';
import { toolManager } from './tool-manager.ts';
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
  const found = createFindings();
  const context = probeContext(machine, options);
  let total = 0;
  const findAll = async (table: readonly Tool[]): Promise<void> => {
    const present = await presentTools(machine, table, options.locator);
    total += present.length;
    await Promise.all(
      present.map(async (each) => {
        const startedMs = machine.monotonicMs();
        const { processMs, source } = await findTool(context, options, each, found);
        const { name } = each.tool;
        found.probes.push({ name, durationMs: processMs ?? machine.monotonicMs() - startedMs, source });
        options.onProbed(name, found.probes.length, total);
      }),
    );
  };
  await findAll(toolTable.filter((tool) => tool.heavy === 'large'));
  options.onLargeEnded();
  // Heavy tools first, so that no short one waits for the last long one.
  const others = toolTable.filter((tool) => tool.heavy !== 'large');
  await findAll([...others.filter(({ heavy }) => heavy), ...others.filter(({ heavy }) => !heavy)]);
  // Without a search path nothing is found, whatever is installed.
  if (options.isSearchPathEmpty) {
    const names = new Set(found.tools.map(({ name }) => name));
    for (const { name } of toolTable)
      if (!names.has(name))
        found.unknown.push({ section: 'runtimes', key: name, reason: 'no search path is set' });
  }
  return sorted(found);
}

function createFindings() {
  return {
    tools: [] as ToolFinding[],
    skipped: [] as SkippedItem[],
    unknown: [] as UnknownEntry[],
    warnings: [] as CaptureWarning[],
    probes: [] as CaptureTimings['probes'][number][],
    /** Chosen versions that are not installed. */
    fallbacks: new Set<string>(),
  };
}

type Findings = ReturnType<typeof createFindings>;

function sorted({ tools, skipped, unknown, warnings, probes, fallbacks }: Findings) {
  for (const missing of fallbacks) {
    const message = `${missing}; the next one on PATH runs instead, and the snapshot records that one.`;
    warnings.push({ code: 'version_not_installed', message });
  }
  return {
    tools: tools.sort((a, b) => compareText(a.name, b.name)),
    skipped: skipped.sort((a, b) => compareText(a.name, b.name) || compareText(a.reason, b.reason)),
    unknown: unknown.sort((a, b) => compareText(a.key, b.key)),
    warnings: warnings.sort((a, b) => compareText(a.message, b.message)),
    probes: probes.sort((a, b) => b.durationMs - a.durationMs),
  };
}

/** Programs are examined once each, however many tools lead to them. */
function probeContext(
  machine: CapturedMachine,
  { locator, folder, cache, isForbidden }: RuntimeOptions,
): ProbeContext {
  const kinds = new Map<string, Promise<ExecutableKind>>();
  const interpreterOf = async (name: string): Promise<string | undefined> => {
    const found = await locator.locate(name);
    return found.kind === 'found' && found.forbidden === undefined ? found.path : undefined;
  };
  return {
    machine,
    folder,
    cache,
    executableKind(realPath) {
      const known = kinds.get(realPath) ?? executableKind(machine, realPath, interpreterOf, isForbidden);
      kinds.set(realPath, known);
      return known;
    },
  };
}

/** Tries the candidates until one shows what would run. */
async function findTool(
  context: ProbeContext,
  { locator, abbreviateHome }: RuntimeOptions,
  { tool, candidates }: PresentTool,
  { tools, skipped, unknown, warnings, fallbacks }: Findings,
): Promise<{ readonly processMs?: number | undefined; readonly source: VersionSource | 'failed' }> {
  const skip = (name: string, reason: string) => skipped.push({ part: 'runtimes', name, reason });
  const failed = (reason: string, processMs?: number) => {
    skip(tool.name, reason);
    unknown.push({ section: 'runtimes', key: tool.name, reason });
    return { processMs, source: 'failed' as const };
  };
  for (const { name, paths } of candidates) {
    const place = await locator.locate(name, paths);
    if (place.kind === 'nowhere') continue;
    if (place.kind === 'unknown') return failed(place.reason);
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
      return failed(answer.reason, answer.processMs);
    }
    if (place.instead !== undefined) fallbacks.add(place.instead);
    const manager = place.manager ?? toolManager(context.machine, place.path, place.realPath);
    tools.push({
      name: tool.name,
      kind: toolRow(tool.name)?.kind ?? 'utility',
      version: answer.version,
      path: abbreviateHome(place.realPath),
      ...(manager !== undefined && { manager }),
      ...(place.selectedBy !== undefined && { selectedBy: abbreviateHome(place.selectedBy) }),
      source: answer.source,
    });
    return answer;
  }
  return { source: 'failed' };
}

async function presentTools(machine: CapturedMachine, table: readonly Tool[], locator: ToolLocator) {
  const present: PresentTool[] = [];
  for (const tool of table) {
    const candidates = await candidatesOf(machine, tool, locator);
    if (candidates.length > 0) present.push({ tool, candidates });
  }
  return present;
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
