// Another virtual environment, or none: one cause, because activation sets several variables and changes PATH.

import { activationLine, otherPython } from '../model/installed-findings.ts';
import type { Entry, EnvironmentComparison } from '../model/model.ts';
import { familyOf } from './cause.ts';
import { configure, phrase, type Repair } from './repair.ts';
import { otherOf, type SideNames } from './side-names.ts';

const findingIn = ({ section, name, a, b }: Entry) =>
  section === 'installed' ? [a, b].find((is) => otherPython(name, is)) : undefined;
const isFolder = ({ section, key }: Entry) => section === 'env' && /^(?:VIRTUAL_ENV|CONDA_PREFIX)$/.test(key);

/** Whether a difference follows from activation. A list does if only folders of the two environments have changed. */
export function activationTest(entries: readonly Entry[]): (entry: Entry) => boolean {
  const slashed = (path: string) => `${path.replaceAll('\\', '/')}/`;
  const folders = entries.filter(isFolder).flatMap(({ a, b }) => [a, b].flatMap((at) => at || []));
  const isInside = (place: string) => folders.some((folder) => slashed(place).startsWith(slashed(folder)));
  return (entry) => {
    const { section, list } = entry;
    if (section === 'env') return familyOf(entry) === 'virtual environment';
    if (section !== 'paths' || !list) return findingIn(entry) !== undefined;
    return list.moved.length === 0 && [...list.added, ...list.removed].every(isInside);
  };
}

/** Undefined if nothing says which environment is active. */
export function activationText(entries: readonly Entry[], names: SideNames): string | undefined {
  const python = entries.find(findingIn);
  const { sides = 'both' } = python?.drift ?? {};
  if (python)
    return `python runs ${findingIn(python)}, ${sides === 'both' ? 'on both sides' : names[sides].at}`;
  const folder = entries.find(isFolder);
  if (!folder) return undefined;
  const [a, b] = [folder.a, folder.b].map((place) => place?.replace(/^<checkout>[/\\]/, ''));
  if (folder.status === 'changed' && a && b)
    return `the virtual environment is ${a} ${names.a.at}, ${b} ${names.b.at}`;
  if (folder.status === 'changed') return `another virtual environment is active ${names.b.at}`;
  const [having, lacking] = folder.status === 'removed' ? [names.a, names.b] : [names.b, names.a];
  const one = a || b ? `the virtual environment ${a ?? b}` : 'a virtual environment';
  return `${one} is active ${having.at}, not ${lacking.at}`;
}

/** Activates the project's own environment. If neither or both sides have it, A is right. */
export function activationRepair(
  entries: readonly Entry[],
  { sections, ...sides }: EnvironmentComparison,
): Repair | undefined {
  const python = entries.find(findingIn);
  const other = python && otherPython('python', findingIn(python) ?? null);
  const activate = (side: Repair['side'], place: string, line: string | undefined) =>
    configure(side, phrase`activate ${place}`, line ? [line] : []);
  if (other)
    return activate(
      python.drift?.sides ?? 'both',
      other.own,
      activationLine(other.own, other.active.includes('\\')),
    );
  const folder = entries.find(isFolder);
  if (!folder) return undefined;
  const ownOf = (side: 'a' | 'b') => /^<checkout>[/\\](.+)/.exec(folder[side] ?? '')?.[1];
  const right = ownOf('b') && !ownOf('a') ? 'b' : 'a';
  const [side, own] = [otherOf(right), ownOf(right)];
  if (right === 'a' && folder.status === 'added')
    return configure(side, 'deactivate the virtual environment');
  const place = folder[right] ?? 'the same virtual environment';
  if (folder.key === 'VIRTUAL_ENV')
    return activate(side, own ?? place, own && activationLine(own, sides[side].os === 'win32'));
  const name = own ? `./${own}` : sections.env.find(({ key }) => key === 'CONDA_DEFAULT_ENV')?.[right];
  return activate(side, place, name && /^[\w.][\w./-]*$/.test(name) ? `conda activate ${name}` : undefined);
}
