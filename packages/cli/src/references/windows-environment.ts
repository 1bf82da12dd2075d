// The environment that Windows gives to a new terminal: what the settings say now, not what the programs that are open were
// given when they were started.

import { spawnSync } from 'node:child_process';
import { CliError, exitCodes } from '../errors/cli-error.ts';

/** Where Windows keeps variables: the machine's, the session's, the account's. Later ones win, but for folders of PATH. */
const keys = [
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
  'HKCU\\Volatile Environment',
  'HKCU\\Environment',
];
/** What Windows itself adds for every session. */
const ofSystem =
  /^(?:ALLUSERSPROFILE|COMPUTERNAME|CommonProgram(?:Files|W6432).*|Program(?:Data|Files.*|W6432)|PUBLIC|System(?:Drive|Root))$/i;

type Variables = Readonly<Record<string, string | undefined>>;

/** Asks the registry. `env` has what Windows itself adds. Exit code 7 where the registry cannot be read. */
export function windowsEnvironment(env: Variables = process.env): Record<string, string> {
  const reg = `${env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe`;
  const lists = keys.map((key) => {
    const { status, stdout } = spawnSync(reg, ['query', key], {
      encoding: 'utf8',
      timeout: 5000,
      windowsHide: true,
    });
    return status === 0 ? stdout : '';
  });
  if (lists[0] === '') {
    throw new CliError('the environment of a new terminal is unknown: the registry cannot be read', {
      code: 'shell_failed',
      exitCode: exitCodes.failed,
    });
  }
  return newTerminal(lists, env);
}

/** Puts the lists together that `reg query` prints for the machine, the session and the account. */
export function newTerminal(lists: readonly string[], env: Variables): Record<string, string> {
  const made = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && ofSystem.test(name)) made.set(name.toUpperCase(), [name, value]);
  for (const list of lists) {
    // Variables that name others come after them.
    const entries = [...list.matchAll(/^ {4}(\S.*?) {4}REG_(EXPAND_)?SZ(?: {4}(.*?))?\r?$/gm)]
      .map(([, name = '', expands, data = '']) => ({ name, expands: expands !== undefined, data }))
      .sort((a, b) => Number(a.expands) - Number(b.expands));
    for (const { name, expands, data } of entries) {
      const value = expands
        ? data.replace(/%([^%]+)%/g, (whole, name: string) => made.get(name.toUpperCase())?.[1] ?? whole)
        : data;
      const key = name.toUpperCase();
      const before = made.get(key);
      const joined = key === 'PATH' && before ? `${before[1].replace(/;$/, '')};${value}` : value;
      made.set(key, [before?.[0] ?? name, joined]);
    }
  }
  return Object.fromEntries(made.values());
}
