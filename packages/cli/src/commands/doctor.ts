// envsnap doctor

import { visible } from '@envsnap/shared/text/visible';
import { projectFolder } from '../actions/capture-machine.ts';
import { checkMachine, unreadCode } from '../actions/comparison/check-machine.ts';
import { loadPolicy } from '../actions/comparison/load-policy.ts';
import { BaseCommand } from '../base-command.ts';
import { probeServer } from '../connection/client.ts';
import { configFile, isConfigExposed, readProfiles } from '../connection/config.ts';
import {
  type Connection,
  type ConnectionFlags,
  findConnection,
  isUnencrypted,
  requireBaseUrl,
} from '../connection/settings.ts';
import type { Check } from '../documents/machine-documents.ts';
import { type CliError, type ExitCode, exitCodes } from '../errors/cli-error.ts';
import { describeError } from '../errors/error-report.ts';
import { connectionFlags } from '../flags.ts';
import { version } from '../program.ts';
import type { Screen } from '../terminal/terminal.ts';

export default class Doctor extends BaseCommand {
  static override summary = 'Check settings, server, key and clock, and say how to fix what is wrong.';
  static override description =
    'If Node.js itself does not start (NODE_OPTIONS names a missing file, OPENSSL_CONF is broken, LD_LIBRARY_PATH leads to an ' +
    'incompatible library), the npm package cannot start either. The executable can: see docs/install.md.';
  static override flags = { ...connectionFlags };

  override async run(): Promise<{ ok: boolean; checks: Check[] }> {
    const { flags } = await this.parse(Doctor);
    const { ok, checks, exitCode } = await examine(flags);
    if (!ok) this.endWith(exitCode);
    this.print(renderDiagnosis(checks, this.screen));
    return { ok, checks };
  }
}

function renderDiagnosis(checks: readonly Check[], screen: Screen): string {
  const marks: Record<Check['state'], string> = {
    ok: screen.paint('green', '✓'),
    warning: screen.paint('yellow', '!'),
    failed: screen.paint('red', '✗'),
    skipped: screen.paint('dim', '-'),
  };
  const width = Math.max(...checks.map((check) => check.name.length));
  return checks
    .flatMap((check) => [
      `${marks[check.state]} ${check.name.padEnd(width)}  ${visible(check.message)}`,
      ...(check.hint === undefined
        ? []
        : [`  ${' '.repeat(width)}  ${screen.paint('dim', visible(check.hint))}`]),
    ])
    .join('\n')
    .concat('\n');
}

const maxClockSkewSeconds = 60;
/** How long before a key expires this warns, in milliseconds: when the webhooks of its project get their event, too. */
const expiryWarningMs = 7 * 24 * 3_600_000;

const initHint = 'envsnap init connects to one.';

/** Runs all checks; a check is skipped if one that it needs has failed. */
async function examine(flags: ConnectionFlags) {
  const config = await checkConfig();
  const program = `envsnap ${version}, Node.js ${process.versions.node}`;
  const checks: Check[] = [{ name: 'program', state: 'ok', message: program }, config];
  let exitCode: ExitCode = config.state === 'failed' ? exitCodes.usage : exitCodes.done;
  const fail = (name: string, error: unknown): void => {
    const { message, hint, exitCode: code } = describeError(error);
    checks.push({ name, state: 'failed', message, ...(hint !== undefined && { hint }) });
    if (exitCode === exitCodes.done) exitCode = code;
  };
  const ofProject = await checkProject().catch((error: unknown) => fail('project', error));
  checks.push(...(ofProject ?? []));
  if (exitCode === exitCodes.done && ofProject?.some((check) => check.state === 'failed'))
    exitCode = exitCodes.different;
  const connection = await findConnection(flags).catch((error: unknown) => fail('settings', error));
  if (connection) {
    checks.push(describeSettings(connection));
    const answered = await checkServer(connection.baseUrl).catch((error: unknown) => fail('server', error));
    if (answered) {
      checks.push(...answered);
      const key = await checkKey(connection).catch((error: unknown) => fail('key', error));
      if (key) checks.push(key);
    } else
      checks.push({ name: 'key', state: 'skipped', message: 'not checked: the server cannot be reached' });
  } else if (!checks.some(({ name }) => name === 'settings')) {
    const baseUrl = flags['base-url'] ?? process.env.ENVSNAP_BASE_URL;
    const source = flags['base-url'] === undefined ? 'ENVSNAP_BASE_URL' : '--base-url';
    // The address can be checked even without a key.
    if (baseUrl) {
      const reach = async () => checkServer(requireBaseUrl(baseUrl, source));
      checks.push(...((await reach().catch((error: unknown) => fail('server', error))) ?? []));
    }
    const name = 'settings';
    const message = baseUrl
      ? 'there is no profile and no API key'
      : `no server is set, and none is needed here. ${initHint}`;
    // A machine needs no server. But if the user names one, it must be reachable.
    checks.push(
      baseUrl ? { name, state: 'failed', message, hint: initHint } : { name, state: 'skipped', message },
    );
    if (baseUrl && exitCode === exitCodes.done) exitCode = exitCodes.usage;
  }
  return { ok: exitCode === exitCodes.done, checks, exitCode };
}

/** This machine against what the project asks for: likely causes even without a second machine. */
async function checkProject(): Promise<Check[]> {
  const { check, examined } = await checkMachine(
    await projectFolder({ dir: undefined, workspace: undefined }),
    await loadPolicy('.', undefined),
  );
  const { declared, installed, notInstalled, checkout } = check;
  const found = (
    name: string,
    state: Check['state'],
    [first, ...others]: readonly { readonly message: string; readonly advice: string | null }[],
  ): Check[] => {
    if (!first) return [];
    const message = `${first.message}${others.length > 0 ? `, and ${others.length} more` : ''}`;
    return [{ name, state, message, ...(first.advice !== null && { hint: first.advice }) }];
  };
  const files = Map.groupBy(installed, ({ file }) => file);
  const asLocked = files.size + notInstalled.length > 0 ? [] : examined;
  const unread = check.notes.filter(({ code }) => code === unreadCode);
  return [
    ...unread.map(({ message }) => ({ name: 'project', state: 'warning' as const, message })),
    ...declared.flatMap((each) => found('declared', each.present === null ? 'warning' : 'failed', [each])),
    ...[...files.values()].flatMap((drifted) => found('installed', 'failed', drifted)),
    ...notInstalled.flatMap((each) => found('installed', 'warning', [each])),
    ...found('checkout', checkout.some(({ counts }) => counts) ? 'failed' : 'warning', [
      ...checkout.filter(({ counts }) => counts),
      ...checkout.filter(({ counts }) => !counts),
    ]),
    ...(asLocked.length > 0
      ? [{ name: 'installed', state: 'ok' as const, message: `packages match ${named(asLocked)}` }]
      : []),
  ];
}

/** `package-lock.json and 3 more`. */
function named([first, ...more]: readonly string[]): string {
  return more.length === 0 ? `${first}` : `${first} and ${more.length} more`;
}

async function checkConfig(): Promise<Check> {
  const name = 'config';
  const file = configFile();
  try {
    const { byName, current } = await readProfiles();
    if (byName.size === 0) return { name, state: 'ok', message: `no profiles in ${file}` };
    const message = `${byName.size === 1 ? 'one profile' : `${byName.size} profiles`} in ${file}, current: ${current ?? 'none'}`;
    if (!(await isConfigExposed())) return { name, state: 'ok', message };
    const exposed = `${file} can be read by other users of this machine`;
    return { name, state: 'warning', message: exposed, hint: `chmod 600 ${file}` };
  } catch (error) {
    const { message, hint } = error as CliError;
    return { name, state: 'failed', message, ...(hint === undefined ? {} : { hint }) };
  }
}

function describeSettings(connection: Connection): Check {
  const { baseUrl, baseUrlSource, apiKeySource, profileName } = connection;
  const source = (from: string) => (from === 'profile' ? `profile ${profileName}` : from);
  const message = `${baseUrl} (from ${source(baseUrlSource)}), key from ${source(apiKeySource)}`;
  if (!isUnencrypted(baseUrl)) return { name: 'settings', state: 'ok', message };
  const hint =
    'The address is plain http: the key and the snapshots cross the network unencrypted. Use https.';
  return { name: 'settings', state: 'warning', message, hint };
}

/** Asks the server for its health, and compares its clock and version with those here. */
async function checkServer(baseUrl: string): Promise<Check[]> {
  const { version: serverVersion, date, tookMs } = await probeServer(baseUrl);
  return [
    { name: 'server', state: 'ok', message: `responds in ${tookMs} ms, version ${serverVersion}` },
    ...checkVersion(serverVersion),
    ...checkClock(date),
  ];
}

function checkVersion(serverVersion: string): Check[] {
  const [ours, theirs] = [version, serverVersion].map((text) => Number.parseInt(text, 10));
  if (Number.isNaN(theirs) || ours === theirs) return [];
  const message = `envsnap is ${version}, the server ${serverVersion}`;
  return [{ name: 'version', state: 'warning', message, hint: 'Use the same major version on both sides.' }];
}

function checkClock(date: string | null): Check[] {
  const serverMs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(serverMs)) return [];
  const skewSeconds = Math.round((Date.now() - serverMs) / 1000);
  if (Math.abs(skewSeconds) <= maxClockSkewSeconds)
    return [{ name: 'clock', state: 'ok', message: 'agrees with the server within a minute' }];
  const direction = skewSeconds > 0 ? 'ahead of' : 'behind';
  const message = `the clock here is ${Math.abs(skewSeconds)} s ${direction} the server's`;
  const hint = 'Signatures of webhooks are refused when clocks differ by more than 5 minutes.';
  return [{ name: 'clock', state: 'warning', message, hint }];
}

async function checkKey(connection: Connection): Promise<Check> {
  const { createClient } = await import('../connection/client.ts');
  const key = await createClient(connection).keys.current();
  const message = `${key.role} of project "${key.projectName}" (${key.projectId})`;
  const expiresMs = key.expiresAt ? Date.parse(key.expiresAt) : Number.POSITIVE_INFINITY;
  if (expiresMs - Date.now() > expiryWarningMs) return { name: 'key', state: 'ok', message };
  const hint = 'Ask an owner or admin for a new one: envsnap key create --expires 90d.';
  return { name: 'key', state: 'warning', message: `${message}, expires at ${key.expiresAt}`, hint };
}
