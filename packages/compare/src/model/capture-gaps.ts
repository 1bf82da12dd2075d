// What a capture says it could not record: there a missing entry is no difference of the machines.

import type { ComparableEnvironment, ComparisonNote, EnvironmentComparison } from './model.ts';

interface Gap {
  readonly code: string;
  readonly message: string;
  readonly file: string | undefined;
}

const maxNotes = 5;
/** Warnings of a capture after which whole files are missing from it. */
const partCodes = new Set([
  ...['dependency_file_unreadable', 'dependency_limit', 'dependency_walk_stopped'],
  ...['folder_unreadable', 'folder_too_deep'],
]);

/** The dependency files of each side that its capture could not record. */
export function unrecordedFiles(
  a: ComparableEnvironment,
  b: ComparableEnvironment,
): EnvironmentComparison['unrecorded'] {
  const files = (side: ComparableEnvironment) =>
    new Set(
      gapsOf(side).flatMap(({ code, file }) =>
        code === 'dependency_file_unreadable' && file !== undefined ? [file] : [],
      ),
    );
  return { a: files(a), b: files(b) };
}

/** A note for everything that one side or both could not record, and that a comparison would need. */
export function gapNotes(a: ComparableEnvironment, b: ComparableEnvironment): ComparisonNote[] {
  const sides = new Map<string, string[]>();
  const add = (label: string, own: ComparableEnvironment, other: ComparableEnvironment) => {
    for (const gap of gapsOf(own)) {
      if (!partCodes.has(gap.code) && !hidesRuntime(gap, own, other)) continue;
      sides.set(gap.message, [...(sides.get(gap.message) ?? []), label]);
    }
  };
  add('A', a, b);
  add('B', b, a);
  const texts = [...sides].map(([message, labels]) => `${labels.join(' and ')}: ${message}`);
  const left = texts.length - maxNotes;
  const shown = left > 1 ? [...texts.slice(0, maxNotes), `${left} more things were not recorded.`] : texts;
  return shown.map((message) => ({ code: 'not_recorded', message }));
}

/** A tool that did not answer, and that the other side has. Messages of probes begin with the tool's name. */
function hidesRuntime(gap: Gap, own: ComparableEnvironment, other: ComparableEnvironment): boolean {
  if (!gap.code.startsWith('probe_')) return false;
  const tool = gap.message.split(' ', 1)[0] ?? '';
  return Object.hasOwn(other.runtimeVersions ?? {}, tool) && !Object.hasOwn(own.runtimeVersions ?? {}, tool);
}

function gapsOf(environment: ComparableEnvironment): Gap[] {
  const { warnings } = record(record(environment.metadata).capture);
  if (!Array.isArray(warnings)) return [];
  return warnings.flatMap((warning): Gap[] => {
    const { code, message, file } = record(warning);
    if (typeof code !== 'string' || typeof message !== 'string') return [];
    return [{ code, message, file: typeof file === 'string' ? file : undefined }];
  });
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
