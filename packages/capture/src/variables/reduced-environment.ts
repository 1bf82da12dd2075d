// Detects that this program was started with a filtered environment, as by tool hosts and cron: such a filter is not a difference
// between machines.

import type { FactRow } from '@envsnap/shared/catalogue/facts/fact';
import { factCatalogue } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import type { collectFacts } from '../facts/collect-facts.ts';
import { detectContainer } from '../machine/isolation.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { CaptureWarning } from '../warning.ts';
import type { collectVariables } from './collect-variables.ts';

/** Variables that tool hosts and cron pass on. A shell adds `_` for each program that it starts. */
const remainingNames = new Set('HOME LOGNAME PATH SHELL TERM USER PWD SHLVL LANG _'.split(' '));
/** Variables that a process on that system needs, or always has. */
const always: Readonly<Partial<Record<NodeJS.Platform, ReadonlySet<string>>>> = {
  darwin: new Set(['__CF_USER_TEXT_ENCODING']),
  win32: new Set(
    (
      'ALLUSERSPROFILE APPDATA COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432 COMPUTERNAME COMSPEC DRIVERDATA ' +
      'HOMEDRIVE HOMEPATH LOCALAPPDATA NUMBER_OF_PROCESSORS OS PATHEXT PROCESSOR_ARCHITECTURE PROCESSOR_IDENTIFIER ' +
      'PROCESSOR_LEVEL PROCESSOR_REVISION PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 PUBLIC SYSTEMDRIVE ' +
      'SYSTEMROOT TEMP TMP USERDOMAIN USERNAME USERPROFILE WINDIR'
    ).split(' '),
  ),
};

const reason = 'envsnap was started with a reduced environment';

/** Facts that depend only on variables and that a run cannot set. */
const ofVariables = ['path.shadowed', 'locale.categories', 'process.sshAgent'];
const reducedFacts = Object.entries<FactRow>(factCatalogue).flatMap(([name, { apply }]) =>
  apply?.by === 'variable' || apply?.by === 'variables' || ofVariables.includes(name) ? [name] : [],
);

/** The parts of a capture that are unknown in a reduced environment. */
const reducedUnknown: readonly UnknownEntry[] = [
  { section: 'system', key: 'locale', reason },
  ...reducedFacts.map((key) => ({ section: 'facts' as const, key, reason })),
];

/** The note that says what happened and what to do. */
export const reducedWarning: CaptureWarning = {
  code: 'reduced_environment',
  message:
    'envsnap was started with a reduced environment, such as that of cron or a tool host: variables, paths and language are unknown. ' +
    'Capture in your own shell, or name a process: pid:N.',
};

/** Whether only variables that tool hosts and cron pass on are set. Containers have few variables by nature. */
export async function isReducedEnvironment(machine: CapturedMachine): Promise<boolean> {
  const onWindows = machine.platform === 'win32';
  const more = always[machine.platform] ?? new Set();
  const fits = (given: string) => {
    const name = onWindows ? given.toUpperCase() : given;
    // This program's own settings are passed on purpose.
    return remainingNames.has(name) || more.has(name) || name.startsWith('ENVSNAP_');
  };
  const names = Object.entries(machine.env).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return names.every(fits) && (await detectContainer(machine)) === undefined;
}

/** The parts of a capture that depend on the variables of the process that started it, and are then unknown. */
export function withoutEnvironment<
  Parts extends {
    readonly variables: Awaited<ReturnType<typeof collectVariables>>;
    readonly about: { readonly locale?: string | undefined };
    readonly facts: Awaited<ReturnType<typeof collectFacts>>;
  },
>(parts: Parts): Parts {
  const { locale: _, ...about } = parts.about;
  const unknown = new Set(reducedFacts);
  const facts = Object.fromEntries(Object.entries(parts.facts.facts).filter(([name]) => !unknown.has(name)));
  return {
    ...parts,
    about,
    variables: { ...parts.variables, envVars: {}, redactions: [], warnings: [] },
    facts: {
      ...parts.facts,
      facts,
      unknown: [...parts.facts.unknown.filter(({ key }) => !unknown.has(key)), ...reducedUnknown],
    },
  };
}
