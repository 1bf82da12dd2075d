// Gaps that a capture reports: what is missing there is not a difference. docs/specification.md §10.

import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import type { Environment } from '../environment/environment.ts';
import type { ComparisonNote, Entry, UnknownKey } from './model.ts';
import type { ProjectNeeds } from './needs.ts';

const maxNotes = 5;
const maxNamed = 6;
/** Sections in which an unknown key is a file of the folder. */
const ofFiles = new Set(['toolchain', 'dependencies', 'env']);
const partCodes = new Set([
  'dependency_file_unread',
  'dependency_limit',
  'dependency_walk_stopped',
  'folder_unreadable',
  'folder_too_deep',
]);

export function unknownKeys(a: Environment, b: Environment): UnknownKey[] {
  const inA = byKey(a.unknown);
  const inB = byKey(b.unknown);
  return [...new Map([...inA, ...inB])]
    .map(
      ([id, { section, key, reason }]): UnknownKey => ({
        section,
        key,
        reason: inA.get(id)?.reason ?? reason,
        sides: inA.has(id) && inB.has(id) ? 'both' : inA.has(id) ? 'a' : 'b',
      }),
    )
    .filter(({ section, key, sides }) => {
      // Packages of a project without its own environment are worth a note where the other side has some that are not as locked.
      const other = sides === 'a' ? b : a;
      return section !== 'installed' || (sides !== 'both' && Object.hasOwn(other.installed, key));
    });
}

function byKey(entries: readonly UnknownEntry[]): Map<string, UnknownEntry> {
  return new Map(entries.map((entry) => [idOf(entry.section, entry.key), entry]));
}

function idOf(section: string, key: string): string {
  return `${section}\0${key}`;
}

export function unknownEntryTest(unknown: readonly UnknownKey[]): (entry: Entry) => boolean {
  if (unknown.length === 0) return () => false;
  const ids = new Set(unknown.map(({ section, key }) => idOf(section, key)));
  // A capture has one section for all variables; a comparison has a separate one for lists of folders.
  const sectionOf = (entry: Entry) => (entry.section === 'paths' ? 'env' : entry.section);
  // If the content of a file is unknown, none of its packages can be compared.
  const fileOf = ({ section, key, file, declared }: Entry) => {
    // A field of a file is `package.json engines`.
    if (section === 'toolchain') return (declared?.b ?? declared?.a)?.file.split(' ')[0];
    return section === 'env' ? key.split(':')[0] : file;
  };
  return (entry) =>
    [entry.key, fileOf(entry)].some((key) => key !== undefined && ids.has(idOf(sectionOf(entry), key)));
}

/** Whether the value could count: a version of a tool that the project does not use would not. */
export function mayCount({ section, key }: UnknownKey, { known, tools }: ProjectNeeds): boolean {
  return section !== 'runtimes' || !known || tools.has(key);
}

export function gapNotes(a: Environment, b: Environment, unknown: readonly UnknownKey[]): ComparisonNote[] {
  const sides = new Map<string, string[]>();
  for (const [label, environment] of [['A', a] as const, ['B', b] as const]) {
    for (const { code, message } of environment.capture.warnings) {
      if (!partCodes.has(code)) continue;
      sides.set(message, [...(sides.get(message) ?? []), label]);
    }
  }
  const texts = [...sides].map(([message, labels]) => `${labels.join(' and ')}: ${message}`);
  const omitted = texts.length - maxNotes;
  const shown =
    omitted > 1 ? [...texts.slice(0, maxNotes), `${omitted} more things were not recorded.`] : texts;
  return [
    ...(unknown.length > 0 ? [{ code: 'unknown' as const, message: unknownLine(unknown) }] : []),
    ...shown.map((message) => ({ code: 'not_recorded' as const, message })),
  ];
}

/** `Not compared, because unknown in B: docker (did not answer within 3 s and was stopped).` */
function unknownLine(unknown: readonly UnknownKey[]): string {
  const places = [
    ['A', 'a'],
    ['B', 'b'],
    ['A and B', 'both'],
  ] as const;
  const parts = places.flatMap(([label, sides]) => {
    // Of one file, both the declared versions and the packages may be unknown.
    const reasons = new Map(
      unknown
        .filter((each) => each.sides === sides)
        .map(({ key, section, reason }) => [section === 'git' ? `git ${key}` : key, reason]),
    );
    if (reasons.size === 0) return [];
    return [`in ${label}: ${namesByReason(reasons)}`];
  });
  return `Not compared, because unknown ${parts.join('; ')}.`;
}

function namesByReason(reasons: ReadonlyMap<string, string>): string {
  const byReason = Map.groupBy([...reasons].slice(0, maxNamed), ([, reason]) => reason);
  const named = [...byReason].map(([reason, each]) => `${each.map(([name]) => name).join(', ')} (${reason})`);
  const more = reasons.size - maxNamed;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Files of the captured folder that could not be read: `Not checked, because unknown: .nvmrc (it is a folder).` */
export function unreadFilesLine({ unknown }: Environment): string | undefined {
  const files = unknown.filter(({ section }) => ofFiles.has(section));
  const named = namesByReason(new Map(files.map(({ key, reason }) => [key, reason])));
  return named === '' ? undefined : `Not checked, because unknown: ${named}.`;
}
