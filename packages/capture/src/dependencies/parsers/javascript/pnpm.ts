// pnpm: pnpm-lock.yaml of lockfileVersion 5 to 9, with one or two documents.

import { entriesOf, field, textField } from '@envsnap/shared/plain-object';
import {
  gitSource,
  type PackageList,
  patched,
  pathSource,
  registrySource,
  versionOfCommit,
} from '../../package-list.ts';
import type { ParseContext } from '../../parse-context.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { refuseBinary, refuseConflicts } from '../../text/lines.ts';
import { refuseTooManyValues } from '../../text/value-limit.ts';
import { npmSource, splitDescriptor } from './npm.ts';
import { type PnpmLock, scanPnpmLock } from './pnpm-scanner.ts';

const newestMajor = 9;

/** Reads a lock file of pnpm. Workspace members and other linked folders are not in it; the lock speaks for them. */
export async function parsePnpmLock(text: string, list: PackageList, context: ParseContext): Promise<void> {
  refuseConflicts(text);
  refuseBinary(text);
  refuseTooManyValues(text, '\n');
  // pnpm 10 and later may put a document before the lock that pins pnpm itself; the lock is the last one.
  const lastDocument = text.lastIndexOf('\n---');
  const main =
    lastDocument === -1 || /\S/.test(text[lastDocument + 4] ?? ' ') ? text : text.slice(lastDocument + 4);
  const lock = scanPnpmLock(main) ?? (await readAsYaml(text));
  if (!lock) return;
  const major = Number.parseInt(lock.lockfileVersion, 10);
  if (Number.isNaN(major)) {
    if (main.trim() === '') return;
    throw new ParseProblem('it has no `lockfileVersion`');
  }
  if (major > newestMajor) {
    context.warn(
      `lockfileVersion ${lock.lockfileVersion} is newer than what is known; it is read as version ${newestMajor}`,
    );
  }
  for (const [key, entry] of lock.packages) {
    const identity = readKey(key, major);
    const name = entry.name ?? identity?.name;
    // A folder or an archive of this machine stands without a version in lockfileVersion 6, where its path is the key.
    const place = /^(?:file|link):/.test(identity?.reference ?? key)
      ? (identity?.reference ?? key)
      : undefined;
    const version = entry.version ?? identity?.version ?? place?.replace(/\(.*$/s, '');
    if (!name || !version) {
      context.warn('an entry of `packages` has no name or no version');
      continue;
    }
    const reference = identity?.reference ?? key;
    const commit = commitOf(reference);
    const [integrity, tarball] = ['integrity', 'tarball'].map((field) =>
      resolvedField(entry.resolution, field),
    );
    const source =
      gitSource(repositoryOf(reference), commit) ??
      pathSource(place) ??
      npmSource(tarball ?? reference, name) ??
      registrySource(major < 6 ? hostOf(key) : undefined, undefined);
    const patch = lock.patches.get(`${name}@${version}`) ?? lock.patches.get(name);
    const origin = patch === undefined ? source : patched(source, patch);
    list.add(name, versionOfCommit(version, reference, commit), origin, integrity);
  }
  if (lock.importers) list.members = lock.importers;
}

interface Identity {
  readonly name: string;
  readonly version: string | undefined;
  /** What stands in the place of the version, when that is a URL, a file or a commit. */
  readonly reference: string | undefined;
}

/** `/name/1.0.0_peer` (5), `/name@1.0.0(peer)` (6), `name@1.0.0` (9), or a URL, a file, a repository's commit. */
function readKey(key: string, major: number): Identity | undefined {
  const plain = key.replace(/\(.*$/s, '');
  if (major < 6) {
    const match = /^(?:[^/@]*)\/((?:@[^/]+\/)?[^/]+)\/(\d[^/_]*)(?:_.*)?$/s.exec(plain);
    if (match) return { name: match[1] as string, version: match[2] as string, reference: undefined };
  }
  const descriptor = splitDescriptor(plain.startsWith('/') ? plain.slice(1) : plain);
  if (!descriptor) return undefined;
  const isVersion = /^\d/.test(descriptor.range);
  return {
    name: descriptor.name,
    version: isVersion ? descriptor.range : descriptor.range,
    reference: isVersion ? undefined : descriptor.range,
  };
}

/** A field of `{integrity: …, tarball: …}`. */
function resolvedField(resolution: string | undefined, name: string): string | undefined {
  return new RegExp(`[{,] ?${name}: '?([^,}'\\s]+)`).exec(resolution ?? '')?.[1];
}

/** The registry before a key of lockfileVersion 5: `registry.example/name/1.0.0`. */
function hostOf(key: string): string | undefined {
  const [host] = key.slice(0, 255).split('/', 1);
  return host !== key && /^[\w-]+\.[\w.-]+(?::\d+)?$/.test(host ?? '') ? host : undefined;
}

/** The commit that a package was taken from: `…#<commit>`, a tarball of a forge, or `host/owner/repository/<commit>`. */
function commitOf(reference: string): string | undefined {
  return /(?:#(?:commit=)?|\/)([0-9a-f]{40})$/.exec(reference.replace(/[(_].*$/s, ''))?.[1];
}

/** The repository of such a reference, without the commit. */
function repositoryOf(reference: string): string {
  const plain = reference.replace(/[(_].*$/s, '').replace(/(?:#(?:commit=)?|\/)[0-9a-f]{40}$/, '');
  const forge = /^https:\/\/codeload\.github\.com\/([^/]+\/[^/]+)\/tar\.gz$/.exec(plain);
  if (forge) return `https://github.com/${forge[1]}`;
  return plain.includes('://') ? plain : `https://${plain}`;
}

/** Any other layout of YAML; throws `ParseProblem` where it is not YAML. Undefined for an empty file. */
async function readAsYaml(text: string): Promise<PnpmLock | undefined> {
  const { parseYamlDocuments } = await import('../../text/yaml.ts');
  const document = parseYamlDocuments(text).at(-1);
  if (document === undefined || document === '') return undefined;
  if (!(document instanceof Map)) throw new ParseProblem('its top level is not a map', { line: 1 });
  const packages = entriesOf(document, 'packages').map(
    ([name, entry]) =>
      [
        name,
        {
          name: textField(entry, 'name'),
          version: textField(entry, 'version'),
          resolution: ['integrity', 'tarball']
            .flatMap((key) => {
              const value = textField(field(entry, 'resolution'), key);
              return value === undefined ? [] : `{${key}: ${value}}`;
            })
            .join(),
        },
      ] as const,
  );
  return {
    lockfileVersion: textField(document, 'lockfileVersion') ?? '',
    importers: field(document, 'importers')
      ? entriesOf(document, 'importers').map(([folder]) => folder)
      : undefined,
    packages: new Map(packages),
    patches: new Map(
      entriesOf(document, 'patchedDependencies').map(([name, patch]) => [
        name,
        typeof patch === 'string' ? patch : (textField(patch, 'hash') ?? ''),
      ]),
    ),
  };
}
