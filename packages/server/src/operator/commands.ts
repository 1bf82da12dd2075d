// The operator's commands: names, flags and help. What they do is in the file of each.

import type { Command } from 'commander';
import { quotaLimits } from './quota-limits.ts';

/** Adds every command but `start`. Each loads its own code, so that none costs another's start. */
export function addOperatorCommands(program: Command): void {
  common(program.command('migrate'))
    .description('bring the database to the schema of this program; the server does so at its start')
    .option('--status', 'only say what is applied and what is pending')
    .action(async (flags) => (await import('./migrate-command.ts')).runMigrate(flags));

  const keys = program
    .command('keys')
    .description('master keys, which wrap the key of every project; and API keys');
  common(keys.command('status'))
    .description('show the master keys that the database needs, and which one is used')
    .action(async (flags) => (await import('./keys-command.ts')).runKeysStatus(flags));
  common(keys.command('rotate'))
    .description(
      'wrap the key of every project with the newest master key: the first of ENVSNAP_ENCRYPTION_KEY, while servers run that know it; ' +
        'or, where the key was generated, a new one, while the server is stopped',
    )
    .action(async (flags) => (await import('./keys-command.ts')).runKeysRotate(flags));

  common(keys.command('reset-owner'))
    .argument('<PROJECT_ID>')
    .description(
      "replace the owner's key of a project and print the new one, this once; the old one ends, and its sessions with it",
    )
    .action(async (id, flags) => (await import('./owner-key-command.ts')).runKeysResetOwner(id, flags));

  common(keys.command('revoke'))
    .argument('<KEY_ID>')
    .description("revoke a key of any project at once, with its console sessions; not an owner's")
    .action(async (id, flags) => (await import('./revoke-key-command.ts')).runKeysRevoke(id, flags));

  const project = program.command('project').description('the projects on the server');
  common(project.command('list'))
    .description('list every project with what it holds, the oldest first')
    .action(async (flags) => (await import('./project-command.ts')).runProjectList(flags));
  common(project.command('show'))
    .argument('<PROJECT_ID>')
    .description('show a project with its keys and webhooks')
    .action(async (id, flags) => (await import('./project-command.ts')).runProjectShow(id, flags));
  common(project.command('delete'))
    .argument('<PROJECT_ID>')
    .description('delete a project with everything in it, for good')
    .option('--yes', 'really do it')
    .action(async (id, flags) => (await import('./delete-project-command.ts')).runProjectDelete(id, flags));

  common(program.command('config'))
    .description('show the settings in effect and where each comes from; secrets are hidden')
    .action(async (flags) => (await import('./config-command.ts')).runConfig(flags));

  common(program.command('audit'))
    .argument('[PROJECT_ID]')
    .description(
      "show the audit log of a project, of all, or the server's own: deleted projects, backups, master keys",
    )
    .option('--all', "every project's entries and the server's own")
    .option('--action <action>', 'only this action, such as project.deleted')
    .option('--from <time>', 'only from this time on, such as 2026-02-01 or 2026-02-01T08:00:00Z (UTC)')
    .option('--to <time>', 'only up to this time')
    .option('--limit <number>', 'how many of the newest entries (default 100)')
    .option(
      '--follow',
      'print new entries as they come, one JSON document a line; with --from, older ones first',
    )
    .action(async (id, flags) => (await import('./audit-command.ts')).runAudit(id, flags));

  const quota = program.command('quota').description('quotas and rate limits of a project');
  common(quota.command('get'))
    .argument('<PROJECT_ID>')
    .description('show the limits of a project and what it uses')
    .action(async (id, flags) => (await import('./quota-command.ts')).runQuotaGet(id, flags));
  const set = common(quota.command('set'))
    .argument('<PROJECT_ID>')
    .description('change limits of a project; they count from the next request on');
  for (const { flag } of Object.values(quotaLimits)) set.option(`${flag} <number>`);
  set.action(async (id, flags) => (await import('./quota-command.ts')).runQuotaSet(id, flags));

  common(program.command('prune'))
    .description('delete old logs and what nothing needs any more; the server does so every hour')
    .option('--request-log-days <days>', 'age of logged requests (ENVSNAP_REQUEST_LOG_DAYS, default 90)')
    .option('--delivery-log-days <days>', 'age of logged deliveries (ENVSNAP_DELIVERY_LOG_DAYS, default 30)')
    .action(async (flags) => (await import('./prune-command.ts')).runPrune(flags));

  common(program.command('compact'))
    .description(
      'give the space of deleted rows back to the disk (embedded database); writes everything that is left anew, and whoever else writes waits',
    )
    .action(async (flags) => (await import('./compact-command.ts')).runCompact(flags));

  common(program.command('backup'))
    .argument('<FILE>', 'file to make, or the folder to make one in, named by its time')
    .description(
      'write the database and its files to one file, while the server runs; without the master key',
    )
    .option(
      '--include-master-key',
      'include the generated master key: the file alone is then enough to read everything',
    )
    .option('--files', 'include the bytes of files (default with the disk store)')
    .option(
      '--keep <count>',
      'keep this many backups of the folder: remove the oldest once the new one is whole',
    )
    .option('--no-files', 'leave the bytes of files out (default with a bucket)')
    .action(async (file, flags) => (await import('./backup-command.ts')).runBackup(file, flags));

  common(program.command('restore'))
    .argument('<FILE>', 'file that backup made')
    .description(
      'put a backup into an empty data folder, or an empty PostgreSQL database; the two can be changed',
    )
    .action(async (file, flags) => (await import('./restore-command.ts')).runRestore(file, flags));

  common(program.command('doctor'))
    .description('look for anything wrong with settings, database, keys, quotas and files')
    .option('--fix', 'correct counters and remove stored bytes that nothing refers to')
    .action(async (flags) => (await import('./doctor-command.ts')).runDoctor(flags));
}

function common(command: Command): Command {
  return command
    .option('--data-dir <dir>', 'folder of the embedded database and files (ENVSNAP_DATA_DIR)')
    .option('--database-url <url>', 'PostgreSQL instead of the embedded database (DATABASE_URL)')
    .option('--json', 'print the result as one JSON document');
}
