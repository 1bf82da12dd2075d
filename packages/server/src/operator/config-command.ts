// `envsnap-server config`: the settings in effect and where each comes from. Secrets are named, never shown.

import { showSettings } from '../config.ts';
import { defaultByteBudget } from '../infra/http/byte-budget.ts';
import type { OperatorFlags } from './operator-session.ts';
import { columns, print } from './print.ts';

/** Prints every setting. Opens no database. Errors: StartupError for one that does not parse. */
export async function runConfig({ dataDir, databaseUrl, ...flags }: OperatorFlags): Promise<void> {
  const settings = showSettings(process.env, { dataDir, databaseUrl }).map((setting) =>
    setting.name === 'ENVSNAP_MAX_BYTES_IN_FLIGHT'
      ? { ...setting, value: setting.value ?? defaultByteBudget() }
      : setting,
  );
  const lines = settings.map(({ name, value, secret, source }) => [
    name,
    secret ? `(${secret === 'set' ? 'hidden' : secret})` : show(value),
    source,
  ]);
  print(flags, { settings }, columns([['setting', 'value', 'from'], ...lines]));
}

function show(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '-';
  return Array.isArray(value) ? value.join(',') : String(value);
}
