// The operator's commands. Their names, flags and help are in commands.json, and each command's work is in its own file.

import type { Command } from 'commander';
import commands from './commands.json' with { type: 'json' };
import { quotaLimits } from './quota-limits.ts';

type Action = Parameters<Command['action']>[0];

/** Each command loads its own code, so that no command slows the start of another. */
const actions: Readonly<Record<string, Action>> = {
  migrate: async (flags) => (await import('./maintenance-commands.ts')).runMigrate(flags),
  'keys status': async (flags) => (await import('./keys-command.ts')).runKeysStatus(flags),
  'keys rotate': async (flags) => (await import('./keys-command.ts')).runKeysRotate(flags),
  'keys reset-owner': async (id, flags) =>
    (await import('./api-key-commands.ts')).runKeysResetOwner(id, flags),
  'keys revoke': async (id, flags) => (await import('./api-key-commands.ts')).runKeysRevoke(id, flags),
  'people list': async (text, flags) => (await import('./people-commands.ts')).runPeopleList(text, flags),
  'people remove': async (name, flags) => (await import('./people-commands.ts')).runPeopleRemove(name, flags),
  'project list': async (flags) => (await import('./project-commands.ts')).runProjectList(flags),
  'project show': async (id, flags) => (await import('./project-commands.ts')).runProjectShow(id, flags),
  'project delete': async (id, flags) => (await import('./project-commands.ts')).runProjectDelete(id, flags),
  config: async (flags) => (await import('./maintenance-commands.ts')).runConfig(flags),
  audit: async (id, flags) => (await import('./audit-command.ts')).runAudit(id, flags),
  'quota get': async (id, flags) => (await import('./quota-command.ts')).runQuotaGet(id, flags),
  'quota set': async (ids, flags) => (await import('./quota-command.ts')).runQuotaSet(ids, flags),
  prune: async (flags) => (await import('./maintenance-commands.ts')).runPrune(flags),
  compact: async (flags) => (await import('./maintenance-commands.ts')).runCompact(flags),
  backup: async (file, flags) => (await import('./backup-command.ts')).runBackup(file, flags),
  restore: async (file, flags) => (await import('./restore-command.ts')).runRestore(file, flags),
  doctor: async (flags) => (await import('./doctor-command.ts')).runDoctor(flags),
};

/** A command with its arguments, as commander reads them, and the meaning of each flag and argument. */
interface CommandRow {
  readonly usage: string;
  readonly summary: string;
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, string>>;
}

/** Adds every command but `start`. */
export function addOperatorCommands(program: Command): void {
  const groups = new Map<string, Command>();
  for (const { usage, summary, arguments: given = {}, options = {} } of commands as readonly CommandRow[]) {
    const [first = '', second = ''] = usage.split(' ');
    const group = groups.get(first);
    const command = (group ?? program)
      .command(group ? usage.slice(first.length + 1) : usage)
      .description(summary);
    const action = actions[group ? `${first} ${second}` : first];
    if (!action) {
      groups.set(first, command);
      continue;
    }
    command
      .option('--data-dir <dir>', 'folder of the embedded database and files (ENVSNAP_DATA_DIR)')
      .option('--database-url <url>', 'PostgreSQL database to use instead of the embedded one (DATABASE_URL)')
      .option('--json', 'print the result as one JSON document')
      .action(action);
    for (const [name, meaning] of Object.entries(given)) command.argument(name, meaning);
    for (const [flag, meaning] of Object.entries(options)) command.option(flag, meaning);
    if (usage.startsWith('quota set')) for (const { flag } of quotaLimits) command.option(`${flag} <number>`);
  }
}
