// Decides which keys of a group only follow from others.

import { parseAddress, sectionOf } from '@envsnap/shared/address';
import { runtimeOf } from '../causes/cause.ts';

const echoes: readonly (readonly [RegExp, (match: RegExpExecArray) => readonly string[]])[] = [
  [/^metadata\.tools\.([^.]+)\./, ([, tool]) => [`runtimes.${tool}`]],
  [/^toolchain\.(\S+)/, ([, tool]) => [`runtimes.${tool}`]],
  [/^system\.timezone$/, () => ['env:TZ']],
  [/^system\.locale$/, () => ['env:LC_ALL', 'env:LC_CTYPE', 'env:LANG']],
  [/^system\.release$/, () => ['system.distribution']],
  [/^system\.shell/, () => ['env:SHELL']],
];

/** Keys that say where or with which image a run took place, with their names. They cause other changes, but are not
 * causes themselves. */
export const runCircumstances: Readonly<Record<string, string>> = {
  'env:ImageVersion': 'image',
  'env:ImageOS': 'image',
  'env:CI_JOB_IMAGE': 'image',
  'metadata.ci.image': 'image',
  machineName: 'machine',
};

/** Whether a key only repeats another key of its group, so that no run can separate the two. */
export function isEcho(key: string, group: ReadonlySet<string>): boolean {
  if (Object.hasOwn(runCircumstances, key))
    return [...group].some((other) => !Object.hasOwn(runCircumstances, other));
  const address = parseAddress(key);
  const section = address && sectionOf(address.section);
  const runtime = section && runtimeOf({ section, key: address.name });
  if (runtime !== undefined && group.has(`runtimes.${runtime}`)) return true;
  return echoes.some(([pattern, origins]) => {
    const match = pattern.exec(key);
    return match !== null && origins(match).some((origin) => group.has(origin));
  });
}
