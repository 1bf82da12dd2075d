// Says in a sentence what a process, shell or service lacks compared with the user's own environment.

import { managedRuntimes } from '@envsnap/shared/catalogue/version-managers';
import { counted } from '@envsnap/shared/text/size';
import { scoreOf } from '../causes/score.ts';
import { isDotenvVariable } from '../environment/dotenv-variable.ts';
import type { ComparableEnvironment, ComparisonNote, EnvironmentComparison } from './model.ts';
import { splitList } from './ordered-list.ts';

const variablesNamed = 3;

export function lackingNote(
  a: ComparableEnvironment,
  b: ComparableEnvironment,
  comparison: EnvironmentComparison,
): ComparisonNote[] {
  const parts = [...managersLacking(a, b), ...variablesLacking(comparison)];
  return parts.length === 0
    ? []
    : [{ code: 'lacking', message: `${comparison.b.label}: ${parts.join('; ')}.` }];
}

function managersLacking(a: ComparableEnvironment, b: ComparableEnvironment): string[] {
  const [inA, inB] = [managersOf(a), managersOf(b)];
  return [...inA]
    .filter((name) => !inB.has(name))
    .map((name) => {
      const runtimes = managedRuntimes.filter((row) => row.name === name).flatMap((row) => row.runtimes);
      const runtime = runtimes.find((each) => a.runtimeVersions?.[each] !== b.runtimeVersions?.[each]);
      if (runtime === undefined) return `no ${name}`;
      const version = b.runtimeVersions?.[runtime];
      if (version === undefined) return `no ${name}, so no ${runtime}`;
      const isManaged = managedRuntimes.some((row) => inB.has(row.name) && row.runtimes.includes(runtime));
      return `no ${name}, so ${runtime} ${version}${isManaged ? '' : ' of the system'}`;
    });
}

function managersOf({ envVars = {}, os }: ComparableEnvironment): Set<string> {
  const folders = splitList(envVars.PATH ?? envVars.Path ?? '', os).map((folder) =>
    folder.replaceAll('\\', '/'),
  );
  const found = managedRuntimes.filter(({ rootVariable, root }) => {
    const chosen = envVars[rootVariable];
    return folders.some(
      (folder) =>
        folder.includes(`/${root}/`) ||
        (chosen !== undefined && chosen !== '' && folder.startsWith(`${chosen}/`)),
    );
  });
  return new Set(found.map(({ name }) => name));
}

function variablesLacking({ sections, needs }: EnvironmentComparison): string[] {
  const agent = sections.facts.find(({ key }) => key === 'process.sshAgent');
  const missing = sections.env
    .filter(({ key, status, context }) => status === 'removed' && !context && !isDotenvVariable(key))
    .sort((x, y) => scoreOf(y, needs) - scoreOf(x, needs))
    .map(({ key }) => key);
  const named = missing.slice(0, variablesNamed);
  const more = missing.length - named.length;
  return [
    ...(agent?.a === 'true' && agent.b === 'false' ? ['no SSH_AUTH_SOCK'] : []),
    ...(named.length === 0
      ? []
      : [`no ${named.join(', ')}${more > 0 ? ` and ${counted(more, 'more variable')}` : ''}`]),
  ];
}
