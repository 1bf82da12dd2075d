// The facts of the machine for `metadata.facts`, read as the catalogue's rows say. docs/specification.md §11.

import type { FactValue } from '@envsnap/shared/catalogue/facts/fact';
import { type FactGroup, factCatalogue, factGroups } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import { sortedRecord } from '../sorted-record.ts';
import { classifyVariable } from '../variables/classify-variable.ts';
import { type FactReaders, type FactReading, type FactSources, UnknownFact } from './fact-reader.ts';
import { fileReaders } from './files.ts';
import { gitReaders } from './git.ts';
import { kernelReaders } from './kernel.ts';
import { languageReaders } from './language.ts';
import { networkReaders } from './network.ts';
import { processReaders } from './process.ts';
import { programReaders } from './programs.ts';
import { readSource } from './read-source.ts';
import { createToolSettings, type FactContext } from './tool-settings.ts';
import { buildToolReaders } from './tools/build.ts';
import { nodeToolReaders } from './tools/node.ts';
import { phpReaders } from './tools/php.ts';
import { pythonToolReaders } from './tools/python.ts';

export interface CollectedFacts {
  /** Sorted by name; facts that the machine does not have are absent. */
  readonly facts: Record<string, FactValue>;
  readonly unknown: readonly UnknownEntry[];
  /** Milliseconds for each group. Times overlap when one group waits for another. */
  readonly groups: Readonly<Record<string, number>>;
}

const groups: Readonly<Record<FactGroup, (context: FactContext) => FactReaders>> = {
  process: processReaders,
  kernel: kernelReaders,
  language: languageReaders,
  files: fileReaders,
  network: networkReaders,
  git: gitReaders,
  tools: (context) => ({
    ...nodeToolReaders(context),
    ...phpReaders(context),
    ...pythonToolReaders(context),
    ...buildToolReaders(context),
  }),
  programs: programReaders,
};

type Read = () => FactReading | Promise<FactReading>;

/** Longest text of one fact, and most items of a list; all metadata has 256 KiB. */
const maxTextLength = 2000;
const maxItems = 1000;

/** Never rejects: if a reader fails, its fact is unknown. */
export async function collectFacts(given: FactSources): Promise<CollectedFacts> {
  const sources = withHome(given);
  const context = { ...sources, settings: createToolSettings(sources) };
  const facts: [string, FactValue][] = [];
  const unknown: UnknownEntry[] = [];
  const durations: Record<string, number> = {};
  const { platform } = sources.machine;
  const system = platform === 'linux' ? 'linux' : platform === 'win32' ? 'windows' : 'macos';
  for (const [group, createReaders] of Object.entries(groups)) {
    const startedMs = sources.machine.monotonicMs();
    const readers = createReaders(context);
    for (const [name, row] of Object.entries(factGroups[group as FactGroup])) {
      const way = row.read[system];
      if (way === null) continue;
      const reading = await readFact(
        typeof way === 'string' ? (readers[name] as Read) : () => readSource(context, way, row),
      );
      if (reading instanceof UnknownFact)
        unknown.push({ section: 'facts', key: name, reason: reading.reason });
      else if (reading !== undefined) facts.push([name, presentable(name, reading)]);
    }
    durations[group] = sources.machine.monotonicMs() - startedMs;
  }
  return { facts: sortedRecord(facts), unknown, groups: durations };
}

/** Without a home folder, there is no configuration in it. A relative path would lead into the working folder. */
function withHome(sources: FactSources): FactSources {
  const { machine } = sources;
  if (machine.files.paths.isAbsolute(machine.homeDir)) return sources;
  return { ...sources, machine: { ...machine, homeDir: machine.files.paths.resolve('/nonexistent') } };
}

async function readFact(read: Read): Promise<FactReading> {
  try {
    return await read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return new UnknownFact(
      code === 'EACCES' || code === 'EPERM' ? 'permission denied' : 'it could not be read',
    );
  }
}

/** Shortens a fact to the limits of metadata, and removes what looks like a secret from options. */
function presentable(name: string, value: FactValue): FactValue {
  if (typeof value === 'object') return value.slice(0, maxItems).map((item) => presentableText(name, item));
  return typeof value === 'string' ? presentableText(name, value) : value;
}

function presentableText(name: string, text: string): string {
  const [, setting = name, value = text] = /^([\w.-]+)=(.*)$/s.exec(text) ?? [];
  const clean = text.replaceAll('\0', '').slice(0, maxTextLength);
  if (!factCatalogue[name]?.freeText) return clean;
  if (classifyVariable(setting, value).decision === 'plain') return clean;
  return setting === name ? '[redacted]' : `${setting}=[redacted]`;
}
