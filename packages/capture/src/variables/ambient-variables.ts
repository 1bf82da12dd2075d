// Which variables a capture leaves out because they always differ: sessions, windows, sockets, processes, users, runs
// of CI. A view of the catalogue of variables. docs/specification.md §10.

import { describeVariable, isVolatile } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import type { VariableClass } from '@envsnap/shared/catalogue/variables/variable-class';
import { detectCi } from '../project/ci.ts';

const reasons: Partial<Record<VariableClass, string>> = {
  'per-run': 'belongs to one run of a CI job',
  process: 'set by the package runner or process that started the capture',
  session: 'belongs to a shell, terminal or login session',
  terminal: 'belongs to a terminal',
  identity: 'names the user or the machine',
  own: 'setting of envsnap itself',
};

/** Set by npm, pnpm and Yarn for their scripts; without them these are the user's own. */
const setByRunner = /^(?:p?npm_config_.*|COLOR|NODE|EDITOR)$/;

/** Platforms that set their own variable and are not CI services. */
const platformMarks: readonly (readonly [platform: string, mark: string])[] = [
  ['heroku', 'DYNO'],
  ['railway', 'RAILWAY_PROJECT_ID'],
  ['fly', 'FLY_APP_NAME'],
  ['kubernetes', 'KUBERNETES_SERVICE_HOST'],
];

/**
 * Why a variable is left out of a capture by default, or undefined. Names on Windows match in any case. With
 * `byPackageRunner` what the runner sets goes too, so that a capture by way of npx equals one without.
 */
export function createAmbientCheck(
  env: Readonly<Record<string, string | undefined>>,
  onWindows: boolean,
  byPackageRunner: boolean,
): (name: string) => string | undefined {
  const provider = detectCi(env)?.provider;
  const platforms = platformMarks.filter(([, mark]) => env[mark] !== undefined).map(([platform]) => platform);
  const providers = new Set(provider === undefined ? platforms : [...platforms, provider]);
  return (name) => {
    if (byPackageRunner && setByRunner.test(name)) return 'set by the package runner';
    const row = describeVariable(name, { providers, ignoreCase: onWindows });
    return row && isVolatile(row.class) ? reasons[row.class] : undefined;
  };
}
