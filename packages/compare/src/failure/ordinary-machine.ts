// A first failure has no run to compare with. It is compared with this machine with the settings of an ordinary run of CI: a
// setting counts only if the output names it, or shows its effect.

import { describeVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { recordOf } from '@envsnap/shared/plain-object';
import { type Cause, isInOutput } from '../causes/cause.ts';
import { createComparer } from '../compare-environments.ts';
import { environmentOf } from '../environment/environment.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import type { Failure } from './read-failure.ts';

const language = 'C.UTF-8';
/** Limits that programs ask for in their documentation; a higher one is ordinary too. */
const usualLimits: Readonly<Record<string, number>> = {
  'limits.openFiles': 65_536,
  'kernel.inotifyWatches': 524_288,
  'kernel.maxMapCount': 262_144,
  // A container has 64 MiB.
  'memory.shared': 1_073_741_824,
};
const labels = { a: 'most runs of CI', b: 'this machine', at: { a: 'in most runs of CI', b: 'here' } };

/** Settings of this machine that the output of a failure points to, and that most runs of CI do not have. */
export function unusualSettings(snapshot: ComparableEnvironment, failure: Failure): readonly Cause[] {
  const compare = createComparer({ labels, failure, explains: true, showValues: 'safe' });
  return compare(ordinary(snapshot), snapshot).causes.filter(isInOutput);
}

function ordinary(snapshot: ComparableEnvironment): ComparableEnvironment {
  const { envVars = {}, metadata } = snapshot;
  const facts = recordOf(recordOf(metadata).facts);
  const mentioned = new Set(environmentOf(snapshot).project.variables.map(([name]) => name));
  const isKept = (name: string) => {
    const row = describeVariable(name);
    // A certificate or a folder that somebody added rarely breaks a program, and what the project asks for is its own.
    return row?.class !== 'behaviour' || row.list || row.family === 'certificates' || mentioned.has(name);
  };
  const usual: Record<string, unknown> = { 'process.umask': '0022' };
  for (const [name, limit] of Object.entries(usualLimits))
    if (Number(facts[name]) < limit) usual[name] = limit;
  const { 'locale.categories': _, ...others } = facts;
  return {
    ...snapshot,
    envVars: {
      ...Object.fromEntries(Object.entries(envVars).filter(([name]) => isKept(name))),
      LANG: language,
    },
    metadata: { ...recordOf(metadata), locale: language, timezone: 'UTC', facts: { ...others, ...usual } },
  };
}
