// The operator's commands: names, flags and help. Each command's work is in its own file.

import { tableRows } from '@envsnap/shared/text/table-rows';
import type { Command } from 'commander';
import { quotaLimits } from './quota-limits.ts';

/** Each command with its arguments and summary, followed by its flags and arguments with their meaning. */
const commands = tableRows(`
  migrate | update the database to this program's schema; the server does this when it starts
    | --status | only show which migrations are applied and which are pending
  keys | manage master keys, which wrap the key of every project, and API keys
  keys status | show the master keys that the database needs, and which one is used
  keys rotate | wrap the key of every project with a new master key: the first key in ENVSNAP_ENCRYPTION_KEY, which all running servers
      must already have. If the current one was generated, stop the server first; this command then generates the new one
  keys reset-owner <PROJECT_ID> | replace the owner's key of a project and print the new one once; the old key and its sessions
      end
  keys revoke <KEY> | revoke a key of any project, except an owner's, by its id or first 11 characters
  people | find the keys of a person in all projects, and revoke them
  people list [NAME] | list all keys by the name they were given, or only those whose name contains NAME
  people remove <NAME> | revoke every key with this name, except owners', and end its console sessions
    | --yes | confirm
  project | manage the projects on the server
  project list | list all projects with their contents, oldest first
  project show <PROJECT_ID> | show a project with its keys and webhooks
  project delete <PROJECT_ID> | permanently delete a project and everything in it
    | --yes | confirm the deletion
  config | show the settings in effect and the source of each; secrets are hidden
  audit [PROJECT_ID] | show the audit log of one project, of all projects, or of the server (deleted projects, backups, master keys)
    | --all | show the entries of every project and of the server
    | --action <action> | show only entries with this action, such as project.deleted
    | --from <time> | show only entries from this time on, such as 2026-02-01 or 2026-02-01T08:00:00Z (UTC)
    | --to <time> | show only entries up to this time
    | --limit <number> | show this many of the newest entries (default 100)
    | --follow | print new entries as they arrive, one JSON document per line; with --from, older ones first
  quota | show and change the quotas and rate limits of projects
  quota get <PROJECT_ID> | show the limits of a project and what it uses
  quota set [PROJECT_ID...] | change the limits of projects, from the next request on
    | --all | change the limits of every project on the server
  prune | delete old logs and data that is no longer needed; the server does this every hour
    | --request-log-days <days> | days to keep logged requests (ENVSNAP_REQUEST_LOG_DAYS, default 90)
    | --delivery-log-days <days> | days to keep logged deliveries (ENVSNAP_DELIVERY_LOG_DAYS, default 30)
  compact | return the space of deleted rows to the disk (embedded database); rewrites the database while other writers wait
  backup | write the database and its files to one file, without the master key; the server can keep running
    | <FILE> | file to create, or a folder in which to create one named by its time
    | --include-master-key | include the generated master key: anyone with the file can then read everything
    | --files | include the contents of files (default with the disk store)
    | --keep <count> | keep this many backups in the folder: remove the oldest once the new one is complete
    | --no-files | leave out the contents of files (default with a bucket)
  restore | restore a backup of either database into an empty data folder or an empty PostgreSQL database
    | <FILE> | file that backup wrote
  doctor | look for problems with settings, database, keys, quotas and files
    | --fix | correct counters and remove stored bytes that nothing refers to
`);

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

/** Adds every command but `start`. */
export function addOperatorCommands(program: Command): void {
  const groups = new Map<string, Command>();
  for (const [words = '', says = '', ...particulars] of commands) {
    const [first = '', second = ''] = words.split(' ');
    const group = groups.get(first);
    const command = (group ?? program)
      .command(group ? words.slice(first.length + 1) : words)
      .description(says);
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
    for (let at = 0; at < particulars.length; at += 2) {
      const [name = '', meaning] = particulars.slice(at);
      if (name.startsWith('<')) command.argument(name, meaning);
      else command.option(name, meaning);
    }
    if (words.startsWith('quota set')) for (const { flag } of quotaLimits) command.option(`${flag} <number>`);
  }
}
