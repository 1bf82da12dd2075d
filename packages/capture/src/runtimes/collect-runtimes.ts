// Finds every tool of the table that is on the machine, with its version and where it comes from. docs/specification.md §10.

import { toolRow } from '@envsnap/shared/catalogue/tools';
import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import type { SkippedItem, ToolFinding, VersionSource } from '../capture-types.ts';
import { compareText } from '../sorted-record.ts';
import type { HomeAbbreviation } from '../system/home-path.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { CaptureWarning } from '../warning.ts';
import { type ExecutableKind, executableKind } from './executable-kind.ts';
import { type ProbeAnswer, type ProbeContext, probeTool } from './probe-tool.ts';
import type { Tool } from './tool.ts';
import { executablesOf, type ToolLocator } from './tool-locator.ts';
import { toolManager } from './tool-manager.ts';
import { toolTable } from './tool-table.ts';

interface RuntimeOptions {
  readonly folder: string;
  readonly locator: ToolLocator;
  readonly cache: ProbeContext['cache'];
  readonly abbreviateHome: HomeAbbreviation;
  /** True for a real path of which nothing is started. */
  isForbidden(realPath: string): boolean;
  /** No search path is set: what is not found may still be there. */
  readonly isSearchPathEmpty?: boolean;
  readonly onProbed?: (tool: string, done: number, total: number) => void;
  /** Called once no tool runs any more that takes as much memory as the capture itself. */
  readonly onLargeEnded?: () => void;
}

export interface CollectedRuntimes {
  /** Sorted by name. */
  readonly tools: readonly ToolFinding[];
  readonly skipped: readonly SkippedItem[];
  /** Tools that are there, but whose version could not be determined; sorted by name. */
  readonly unknown: readonly UnknownEntry[];
  readonly warnings: readonly CaptureWarning[];
  readonly probes: readonly { name: string; durationMs: number; source: VersionSource | 'failed' }[];
}

interface PresentTool {
  readonly kind: ToolFinding['kind'];
  readonly tool: Tool;
  readonly candidates: readonly { readonly name: string; readonly paths: readonly string[] }[];
}

export async function collectRuntimes(
  machine: CapturedMachine,
  options: RuntimeOptions,
): Promise<CollectedRuntimes> {
  const { locator } = options;
  const presentAmong = async (table: readonly Tool[]): Promise<PresentTool[]> => {
    const present: PresentTool[] = [];
    for (const tool of table) {
      const candidates = await candidatesOf(machine, tool, locator);
      if (candidates.length > 0)
        present.push({ kind: toolRow(tool.name)?.kind ?? 'utility', tool, candidates });
    }
    return present;
  };
  const interpreterOf = async (name: string): Promise<string | undefined> => {
    const found = await locator.locate(name);
    return found.kind === 'found' && found.forbidden === undefined ? found.path : undefined;
  };
  const kinds = new Map<string, Promise<ExecutableKind>>();
  const context: ProbeContext = {
    machine,
    folder: options.folder,
    cache: options.cache,
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
  const probes: { name: string; durationMs: number; source: VersionSource | 'failed' }[] = [];
  const fallbacks = new Set<string>();
  let done = 0;
  let total = 0;
  const probeAll = (present: readonly PresentTool[]) =>
    present.map(async ({ kind, tool, candidates }) => {
      const startedMs = machine.monotonicMs();
      let processMs: number | undefined;
      let source: VersionSource | 'failed' = 'failed';
      for (const { name, paths } of candidates) {
        const place = await locator.locate(name, paths);
        if (place.kind === 'nowhere') continue;
        if (place.kind === 'unknown') {
          skipped.push({ part: 'runtimes', name: tool.name, reason: place.reason });
          unknown.push({ section: 'runtimes', key: tool.name, reason: place.reason });
          break;
        }
        if (place.kind === 'absent') {
          skipped.push({
            part: 'runtimes',
            name,
            reason: `it is a shim of ${place.manager}, but ${place.reason}`,
          });
          continue;
        }
        const answer: ProbeAnswer = await probeTool(context, tool, name, place);
        processMs = answer.processMs;
        if (answer.kind === 'unknown') {
          skipped.push({ part: 'runtimes', name: tool.name, reason: answer.reason });
          unknown.push({ section: 'runtimes', key: tool.name, reason: answer.reason });
          if (answer.warning) warnings.push(answer.warning);
          break;
        }
        source = answer.source;
        if (place.instead !== undefined) fallbacks.add(place.instead);
        const manager = place.manager ?? toolManager(machine, place.path, place.realPath);
        tools.push({
          name: tool.name,
          kind,
          version: answer.version,
          path: options.abbreviateHome(place.realPath),
          ...(manager !== undefined && { manager }),
          ...(place.selectedBy !== undefined && { selectedBy: options.abbreviateHome(place.selectedBy) }),
          source: answer.source,
        });
        break;
      }
      done += 1;
      probes.push({ name: tool.name, durationMs: processMs ?? machine.monotonicMs() - startedMs, source });
      options.onProbed?.(tool.name, done, total);
    });
  const large = await presentAmong(toolTable.filter((tool) => tool.heavy === 'large'));
  total = large.length;
  await Promise.all(probeAll(large));
  options.onLargeEnded?.();
  const others = await presentAmong(toolTable.filter((tool) => tool.heavy !== 'large'));
  total += others.length;
  // Heavy tools first, so that nothing short waits for the last long one.
  others.sort((a, b) => Number(b.tool.heavy ?? false) - Number(a.tool.heavy ?? false));
  await Promise.all(probeAll(others));
  for (const missing of fallbacks) {
    const message = `${missing}; the next one on PATH runs in its place, and is what the snapshot records.`;
    warnings.push({ code: 'version_not_installed', message });
  }
  const byName = (a: { name: string }, b: { name: string }) => compareText(a.name, b.name);
  tools.sort(byName);
  skipped.sort((a, b) => byName(a, b) || (a.reason < b.reason ? -1 : 1));
  warnings.sort((a, b) => (a.message < b.message ? -1 : 1));
  probes.sort((a, b) => b.durationMs - a.durationMs);
  // Without a search path nothing is found, whatever is there.
  if (options.isSearchPathEmpty) {
    const found = new Set(tools.map(({ name }) => name));
    for (const { name } of toolTable)
      if (!found.has(name)) unknown.push({ section: 'runtimes', key: name, reason: 'no search path is set' });
  }
  unknown.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { tools, skipped, unknown, warnings, probes };
}

async function candidatesOf(
  machine: CapturedMachine,
  tool: Tool,
  locator: ToolLocator,
): Promise<{ name: string; paths: readonly string[] }[]> {
  const candidates = executablesOf(tool).flatMap((name) => {
    const paths = locator.places(name);
    return paths.length > 0 ? [{ name, paths }] : [];
  });
  for (const place of tool.places?.[machine.platform] ?? []) {
    const path = expandPlace(machine, place);
    if (path && (await machine.files.isFile(path))) candidates.push({ name: tool.name, paths: [path] });
  }
  return candidates;
}

/** `~` is the home folder; a leading `$NAME` is a variable, without which there is no such place. */
function expandPlace(machine: CapturedMachine, place: string): string | undefined {
  const [, variable, rest] = /^\$(\w+)(.*)$/s.exec(place) ?? [];
  if (variable !== undefined) {
    const value = machine.env[variable];
    return value && machine.files.paths.isAbsolute(value) ? value + rest : undefined;
  }
  return place.startsWith('~') ? (machine.homeDir && machine.homeDir + place.slice(1)) || undefined : place;
}
