// `metadata.installed`: lock file → package → installed version, if it differs. docs/specification.md §11.

import { formatOfFile } from '@envsnap/shared/catalogue/formats';
import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import { isPlainObject, recordOf } from '@envsnap/shared/plain-object';
import type { CollectedDependencies } from '../dependencies/collect-dependencies.ts';
import { sortedRecord } from '../sorted-record.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { parseObject } from '../system/machine-files.ts';
import type { CaptureWarning } from '../warning.ts';
import { bundlerDrift } from './bundler.ts';
import { composerAbsence, composerDrift } from './composer.ts';
import {
  type Absence,
  type Drift,
  development,
  everything,
  type LockPlace,
  readJsonObject,
} from './drift.ts';
import { bunDrift, manifestModulesDrift, modulesAbsence, unlessOfOther } from './node-modules.ts';
import { npmDrift } from './npm.ts';
import { pnpmDrift } from './pnpm.ts';
import { manifestDrift, pythonAbsence, pythonDrift, pythonFolder } from './python.ts';
import { cargoVendorDrift, goVendorDrift } from './vendor-folders.ts';
import { yarnDrift } from './yarn.ts';

/** Compares the packages of one ecosystem on disk with its lock files. */
interface InstalledRow {
  readonly formats: readonly string[];
  /** Undefined if nothing is installed for the lock file, or if that cannot be determined. */
  readonly drift: (place: LockPlace) => Promise<Drift | undefined>;
  /** The folder that holds all packages, relative to the lock file, if its manager needs it as an argument. */
  readonly folder?: (place: LockPlace) => Promise<string | undefined>;
  /** Called if nothing can be compared. */
  readonly absence?: (place: LockPlace) => Promise<Absence | undefined>;
}

export const installedRows: readonly InstalledRow[] = [
  { formats: ['npm-shrinkwrap', 'npm-lock'], drift: unlessOfOther(npmDrift), absence: modulesAbsence },
  { formats: ['yarn-lock'], drift: unlessOfOther(yarnDrift), absence: modulesAbsence },
  { formats: ['pnpm-lock'], drift: unlessOfOther(pnpmDrift), absence: modulesAbsence },
  { formats: ['bun-lock'], drift: unlessOfOther(bunDrift), absence: modulesAbsence },
  {
    formats: 'poetry-lock uv-lock pdm-lock pipfile-lock pylock requirements-lock requirements'.split(' '),
    drift: pythonDrift,
    folder: pythonFolder,
    absence: pythonAbsence,
  },
  {
    formats: ['pyproject', 'pipfile', 'setup-cfg', 'requirements-in'],
    drift: manifestDrift,
    folder: pythonFolder,
    absence: pythonAbsence,
  },
  { formats: ['package-json'], drift: manifestModulesDrift },
  { formats: ['composer-lock', 'composer'], drift: composerDrift, absence: composerAbsence },
  { formats: ['gemfile-lock', 'gemfile'], drift: bundlerDrift },
  { formats: ['go-mod'], drift: goVendorDrift },
  { formats: ['cargo-lock'], drift: cargoVendorDrift },
];

const byFormat = new Map(installedRows.flatMap((row) => row.formats.map((format) => [format, row] as const)));

/** The row of a lock file; undefined if its packages are not looked up on disk. */
export function installedRow(file: string): InstalledRow | undefined {
  return byFormat.get(formatOfFile(file)?.id ?? '');
}

/** Maximum number of lock files that are reported as not installed. */
const maxNotInstalled = 50;
/** Bytes of JSON for all files together; all metadata has 256 KiB. */
const maxBytes = 48 * 1024;

export interface CollectedInstalled {
  readonly installed: Record<string, Record<string, string>>;
  /** Explanations of the differences, by the same files. */
  readonly drift: Record<string, DriftContext>;
  /** Lock files whose packages on disk were compared, in the order of `dependencies`. */
  readonly examined: readonly string[];
  /** Lock files without any installed package. */
  readonly notInstalled: readonly string[];
  /** Lock files of which only the development packages are missing. */
  readonly withoutDevelopment: readonly string[];
  /** Lock files whose packages may be installed in an unknown place. */
  readonly unknown: readonly UnknownEntry[];
  readonly warnings: readonly CaptureWarning[];
}

/** Never rejects: a file that cannot be read counts as no difference. */
export async function collectInstalled(
  unbounded: CapturedMachine,
  folder: string,
  {
    dependencies,
    direct,
    locator,
  }: Pick<CollectedDependencies, 'dependencies' | 'direct'> & Pick<LockPlace, 'locator'>,
  mostRead?: number,
): Promise<CollectedInstalled> {
  const { machine, isSpent } = boundReads(unbounded, mostRead);
  const found: [string, Record<string, string>][] = [];
  const explained: [string, DriftContext][] = [];
  const warnings: CaptureWarning[] = [];
  const unknown: UnknownEntry[] = [];
  const examined: string[] = [];
  const withNothing: string[] = [];
  const withoutDevelopment: string[] = [];
  let bytes = 0;
  let unseen = 0;
  for (const [file, locked] of Object.entries(dependencies)) {
    const row = installedRow(file);
    if (!row) continue;
    const path = machine.files.paths.join(folder, ...file.split('/'));
    const root = machine.files.paths.dirname(path);
    const at = (...parts: readonly string[]) => machine.files.paths.join(root, ...parts);
    const isTop = !file.includes('/');
    const place: LockPlace = { machine, locator, files: machine.files, path, root, at, isTop, locked };
    const drift = await row.drift(place).catch((): Drift | undefined => undefined);
    // Partial results are discarded.
    if (isSpent()) {
      unseen += 1;
      continue;
    }
    if (drift === undefined) {
      const absence = await row.absence?.(place).catch(() => undefined);
      if (absence === 'nothing') withNothing.push(file);
      else if (absence) unknown.push({ section: 'installed', key: file, reason: absence.unknown });
      continue;
    }
    if (drift.has(everything)) {
      withNothing.push(file);
      continue;
    }
    examined.push(file);
    if (drift.delete(development)) withoutDevelopment.push(file);
    if (drift.size === 0) continue;
    const packages = sortedRecord(drift);
    bytes += Buffer.byteLength(JSON.stringify([file, packages]));
    if (bytes <= maxBytes) {
      found.push([file, packages]);
      const context = await explainDrift(place, drift, direct[file] ?? [], row.folder);
      if (context) explained.push([file, context]);
    } else
      warnings.push({
        code: 'installed_limit',
        message: `${drift.size} installed packages differ from ${file}; too many to record.`,
        file,
      });
  }
  if (unseen > 0)
    warnings.push({
      code: 'installed_limit',
      message:
        `The packages of ${unseen} dependency files were not compared with their lock files: there is too much to read. ` +
        'Capture the parts separately with --dir.',
    });
  return {
    installed: sortedRecord(found),
    drift: sortedRecord(explained),
    examined,
    notInstalled: withNothing.sort().slice(0, maxNotInstalled),
    withoutDevelopment,
    unknown,
    warnings,
  };
}

/** Limit on all readers together (characters and bytes, counted each time), so that no folder takes hours. */
const maxRead = 512 * 1024 * 1024;
/** Cost of a folder entry. */
const entrySize = 256;

/** A machine that stops reading at the limit, and whether it did. */
function boundReads(
  machine: CapturedMachine,
  most = maxRead,
): { readonly machine: CapturedMachine; readonly isSpent: () => boolean } {
  let remaining = most;
  const counted =
    <Args extends unknown[], T extends { readonly length: number } | undefined>(
      read: (...args: Args) => Promise<T>,
      size = 1,
    ) =>
    async (...args: Args): Promise<T> => {
      if (remaining < 0) throw new Error('too much was read');
      const answer = await read(...args);
      remaining -= (answer?.length ?? 0) * size;
      return answer;
    };
  const { files } = machine;
  const text = counted(files.text);
  const whole = counted((path: string) => machine.readFile(path));
  return {
    machine: {
      ...machine,
      readFile: (path, part) => (part === undefined ? whole(path) : machine.readFile(path, part)),
      readTextFile: counted(machine.readTextFile),
      files: {
        ...files,
        text,
        json: async (file) => parseObject(await text(file)),
        entries: counted(files.entries, entrySize),
        names: counted(files.names, entrySize),
      },
    },
    isSpent: () => remaining < 0,
  };
}

/** `metadata.drift`: explains the packages in `metadata.installed`, by lock file. */
export interface DriftContext {
  /** Package → packages that depend on it, at most three. */
  readonly requiredBy: Readonly<Record<string, readonly string[]>>;
  /** Package → its folder relative to the lock file, if there is only one. */
  readonly folders: Readonly<Record<string, string>>;
}

const maxPackages = 50;
const maxDependents = 3;
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** Explains packages of npm, whose lock file records dependents. For other managers, gives at most the folder. */
async function explainDrift(
  place: LockPlace,
  drift: Drift,
  direct: readonly string[],
  folderOf?: (place: LockPlace) => Promise<string | undefined>,
): Promise<DriftContext | undefined> {
  const { machine, path } = place;
  const folder = await folderOf?.(place);
  if (folder !== undefined)
    return {
      requiredBy: {},
      folders: Object.fromEntries([...drift.keys()].slice(0, maxPackages).map((name) => [name, folder])),
    };
  const lock = path.endsWith('.json') ? await readJsonObject(machine, path) : undefined;
  if (!isPlainObject(lock?.packages)) return undefined;
  const directNames = new Set(direct);
  const isDirect = (name: string) => Number(directNames.has(name));
  const names = [...drift.keys()].sort((a, b) => isDirect(b) - isDirect(a) || (a < b ? -1 : 1));
  const shown = new Set(names.slice(0, maxPackages));
  // Without a prototype, because packages may be called `constructor`.
  const requiredBy: Record<string, string[]> = Object.create(null);
  const folders = new Map<string, string[]>();
  for (const [key, entry] of Object.entries(lock.packages)) {
    const own = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(key)?.[1];
    if (own === undefined) continue;
    if (shown.has(own)) folders.set(own, [...(folders.get(own) ?? []).slice(0, 1), key]);
    for (const name of kinds.flatMap((kind) => Object.keys(recordOf(recordOf(entry)[kind])))) {
      if (!shown.has(name)) continue;
      requiredBy[name] ??= [];
      const dependents = requiredBy[name];
      if (dependents.length < maxDependents && !dependents.includes(own)) dependents.push(own);
    }
  }
  const single = [...folders].flatMap(([name, [key = '', other]]) =>
    other === undefined ? [[name, key]] : [],
  );
  return { requiredBy, folders: Object.fromEntries(single) };
}
