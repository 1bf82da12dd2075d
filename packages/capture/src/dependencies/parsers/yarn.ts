// Yarn: yarn.lock of version 1 ("classic") and of Berry (2 and later), with one scanner.

import { digestOf } from '../fields.ts';
import {
  gitSource,
  type PackageList,
  type PackageSource,
  patched,
  pathSource,
  versionOfCommit,
} from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { forEachLine, unquote } from '../text/lines.ts';
import { npmSource, splitDescriptor } from './npm.ts';

/**
 * One entry. `resolved` (version 1): where the package comes from. `resolution` (Berry): `name@protocol:reference`.
 * `integrity` or `checksum`: of its content.
 */
type Block = Partial<Record<'version' | 'resolved' | 'resolution' | 'integrity' | 'checksum', string>> & {
  readonly descriptors: string;
  readonly line: number;
};

/** Leaves out the workspace's own packages, because the lock file governs their folders. */
export function parseYarnLock(text: string, list: PackageList): void {
  const members: string[] = [];
  let berry = false;
  let block: Block | undefined;
  const finish = () => {
    if (block && !block.version) throw new ParseProblem('an entry has no version', { line: block.line });
    if (block?.version && berry) addBerry(block, block.version, list, members);
    else if (block?.version) addClassic(block, block.version, list);
    block = undefined;
  };
  forEachLine(text, (line, number) => {
    if (line === '' || line.startsWith('#')) return;
    if (!line.startsWith(' ')) {
      finish();
      const header = line.trimEnd();
      if (!header.endsWith(':'))
        throw new ParseProblem('a line is neither an entry nor one of its fields', { line: number });
      const descriptors = header.slice(0, -1);
      if (descriptors === '__metadata') berry = true;
      else block = { descriptors, line: number };
    } else if (block && line.startsWith('  ') && line[2] !== ' ') {
      const [, name, value] = /^("[^"]+"|[^\s:"]+)(?::\s*|\s+|$)(.*)$/s.exec(line.slice(2).trimEnd()) ?? [];
      if (name === undefined) throw new ParseProblem('a field has no name', { line: number });
      if (fields.test(unquote(name))) block = { ...block, [unquote(name)]: unquote(value ?? '') };
    }
  });
  finish();
  if (berry) list.members = members;
}

const fields = /^(?:version|resolved|resolution|integrity|checksum)$/;

function addClassic(block: Block, version: string, list: PackageList): void {
  const first = unquote((block.descriptors.split(', ', 1)[0] as string).trim());
  const descriptor = splitDescriptor(first);
  const { resolved } = block;
  const name = (descriptor && aliased(descriptor.range, resolved)) ?? descriptor?.name ?? first;
  const commit = resolved && commitOf(resolved);
  if (resolved && commit)
    list.add(name, versionOfCommit(version, resolved, commit), sourceOf(resolved, commit));
  else {
    // Yarn checks the SHA-1 after the address, too. Before it wrote `integrity`, it wrote no other.
    const checksums = [block.integrity ?? block.checksum ?? '', resolved?.split('#')[1] ?? ''];
    list.add(name, version, pathSource(descriptor?.range) ?? npmSource(resolved, name), checksums);
  }
}

/** The real name in `npm:name@range` or `npm:name`; the address must confirm the second form. */
function aliased(range: string, resolved = ''): string | undefined {
  if (!range.startsWith('npm:')) return undefined;
  const target = range.slice('npm:'.length);
  return splitDescriptor(target)?.name ?? (resolved.includes(`/${target}/-/`) ? target : undefined);
}

/** The commit of a package; undefined for packages from a registry. */
function commitOf(resolved: string): string | undefined {
  const hash = resolved.indexOf('#');
  const address = hash === -1 ? resolved : resolved.slice(0, hash);
  if (/^git[+:@]/.test(address) || address.endsWith('.git'))
    return hash === -1 ? undefined : resolved.slice(hash + 1);
  return /^https:\/\/codeload\.github\.com\/[^/]+\/[^/]+\/tar\.gz\/([^/#?]+)$/.exec(address)?.[1];
}

/** The repository, without the part after `#` and without the protocol's name. */
function sourceOf(reference: string, commit: string): PackageSource | undefined {
  const place = reference.replace(/#.*$/s, '').replace(/^git@([^:/]+):/, 'ssh://git@$1/');
  const forge = /^https:\/\/codeload\.github\.com\/([^/]+\/[^/]+)\/tar\.gz\/[^/]+$/.exec(place);
  return gitSource(forge ? `https://github.com/${forge[1]}` : place, commit);
}

function addBerry(block: Block, version: string, list: PackageList, members: string[]): void {
  const resolution = splitDescriptor(block.resolution ?? unquote(block.descriptors));
  if (!resolution) throw new ParseProblem('an entry has no resolution', { line: block.line });
  const { name, range: reference } = resolution;
  if (reference.startsWith('workspace:')) members.push(reference.slice('workspace:'.length));
  else if (reference.startsWith('link:') || reference.startsWith('portal:')) {
    list.add(name, reference.replace(/::.*$/s, ''));
  } else {
    const commit = /#(?:[^#]*&)?commit=([0-9a-f]+)/.exec(reference)?.[1];
    const source = commit ? sourceOf(reference, commit) : archiveOrPath(reference, name);
    const patch = patchOf(reference);
    const place = patch === undefined ? source : patched(source, patch);
    list.add(name, versionOfCommit(version, reference, commit), place, block.checksum ?? block.integrity);
  }
}

/** An archive that is not from the registry, or a folder or file. */
function archiveOrPath(reference: string, name: string): PackageSource | undefined {
  const archive = /[:&]__archiveUrl=([^&]+)/.exec(reference)?.[1];
  if (archive !== undefined) return npmSource(decoded(archive), name);
  return npmSource(reference, name) ?? pathSource(reference.replace(/#.*$/s, ''));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The digest of a patch of the project. Yarn's built-in patches belong to its version. */
function patchOf(reference: string): string | undefined {
  if (!reference.startsWith('patch:') || /#(?:~|optional!)*builtin</.test(reference)) return undefined;
  return /[:&]hash=([0-9a-f]+)/.exec(reference)?.[1] ?? digestOf(reference);
}
