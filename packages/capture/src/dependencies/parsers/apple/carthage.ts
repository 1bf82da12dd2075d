// Carthage: Cartfile.resolved and Cartfile.

import { anyVersion, type PackageList } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { forEachLine } from '../../text/lines.ts';

const line = /^(github|git|binary)\s+"([^"]+)"(?:\s+(.*))?$/s;

/** Cartfile.resolved: dependencies under their place, with the tag or commit that was checked out. */
export function parseCartfileResolved(text: string, list: PackageList): void {
  readCartfile(text, list, (requirement, number) => {
    const pinned = /^"([^"]+)"$/.exec(requirement)?.[1];
    if (!pinned) throw new ParseProblem('a dependency has no version', { line: number });
    return pinned;
  });
}

/** Cartfile: requirements as they are written; a branch or commit in quotes without them. */
export function parseCartfile(text: string, list: PackageList): void {
  readCartfile(text, list, (requirement) => requirement.replace(/^"([^"]*)"$/, '$1') || anyVersion);
}

function readCartfile(
  text: string,
  list: PackageList,
  version: (requirement: string, number: number) => string,
): void {
  forEachLine(text, (whole, number) => {
    const content = whole.replace(/(^|\s)#.*$/s, '').trim();
    if (content === '') return;
    const match = line.exec(content);
    if (!match) throw new ParseProblem('a line is not a dependency', { line: number });
    const [, kind, place = '', requirement = ''] = match;
    const source =
      kind === 'binary' ? undefined : (`git+${kind === 'github' ? forgeAddress(place) : place}` as const);
    list.add(place, version(requirement.trim(), number), source);
  });
}

/** `owner/repository` on GitHub, or an address on a GitHub of one's own. */
function forgeAddress(place: string): string {
  return place.includes('://') ? place : `https://github.com/${place}`;
}
