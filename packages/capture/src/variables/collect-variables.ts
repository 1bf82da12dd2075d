// The variables of a snapshot: which are recorded, and what replaces a secret value. docs/specification.md §2, §10.

import { limits } from '@envsnap/shared/catalogue/limits';
import { describeVariable, isVolatile } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import type { VariableClass } from '@envsnap/shared/catalogue/variables/variable-class';
import { compileGlob } from '@envsnap/shared/text/glob';
import type { EnvValues, Redaction, SkippedItem } from '../capture-types.ts';
import { type DotenvVariable, readDotenv } from '../dotenv/read-dotenv.ts';
import { detectCi } from '../project/ci.ts';
import { startedByPackageRunner } from '../runtimes/search-path.ts';
import { sortedRecord } from '../sorted-record.ts';
import type { UntrustedTree } from '../system/guarded-reads.ts';
import type { HomeAbbreviation } from '../system/home-path.ts';
import { separateLateFiles } from '../system/late-files.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { CaptureWarning } from '../warning.ts';
import { classifyVariable } from './classify-variable.ts';
import { createFingerprints, type FingerprintKey } from './secret-fingerprint.ts';

const { variableNameLength: maxNameLength, variableValueBytes: maxValueBytes } = limits;

/** Replaces a secret value if there is no key. */
const redactedValue = '[redacted]';

interface VariableOptions {
  readonly envValues: EnvValues;
  readonly envInclude: readonly string[];
  readonly envExclude: readonly string[];
  readonly fingerprintKey?: FingerprintKey | undefined;
  /** Value of `PATH` without what a package runner put in front; see `search-path.ts`. */
  readonly searchPath: { readonly name: string; readonly value: string } | undefined;
  /** Variables of dotenv files, recorded beside those of the environment. */
  readonly dotenv?: readonly DotenvVariable[];
}

/** The variables of the environment and, if requested, of dotenv files that did not change after `startedAt`. */
export async function collectAllVariables(
  machine: CapturedMachine,
  abbreviateHome: HomeAbbreviation,
  {
    folder,
    tree,
    startedAt,
    loadsDotenv,
    ...options
  }: Omit<VariableOptions, 'dotenv'> & {
    readonly folder: string;
    readonly tree: UntrustedTree;
    readonly startedAt: number | undefined;
    readonly loadsDotenv: boolean;
  },
) {
  const dotenv = loadsDotenv ? await readDotenv(machine, folder, tree.holds) : undefined;
  const { known, unknown } = await separateLateFiles(machine, folder, startedAt, {
    section: 'env',
    items: dotenv?.variables ?? [],
    fileOf: ({ key }) => key.split(':')[0] ?? key,
  });
  const collected = await collectVariables(machine, abbreviateHome, { ...options, dotenv: known });
  return {
    ...collected,
    unknown: [...unknown, ...(dotenv?.unknown ?? [])],
    warnings: [...collected.warnings, ...(dotenv?.warnings ?? [])],
  };
}

/** Records the variables of the machine's environment. */
export async function collectVariables(
  machine: CapturedMachine,
  abbreviateHome: HomeAbbreviation,
  options: VariableOptions,
) {
  const onWindows = machine.platform === 'win32';
  const ambient = createAmbientCheck(machine.env, onWindows, startedByPackageRunner(machine.env));
  const included = nameMatcher(options.envInclude, onWindows);
  const excluded = nameMatcher(options.envExclude, onWindows);
  const usedNames = new Map<string, string>();
  const redactions: Redaction[] = [];
  const skipped: SkippedItem[] = [];
  const warnings: CaptureWarning[] = [];
  // Loaded on use, because without a key there are no fingerprints.
  const fingerprints = options.fingerprintKey ? await createFingerprints(options.fingerprintKey) : undefined;
  const skip = (name: string, reason: string): void => {
    skipped.push({ part: 'variables', name, reason });
  };

  for (const [rawName, rawValue] of options.envValues === 'omit' ? [] : Object.entries(machine.env)) {
    if (rawValue === undefined || rawName === '') continue;
    const name = rawName.toWellFormed();
    const reason = leftOut([name]);
    if (reason) {
      skip(shortened(name), reason);
      continue;
    }
    const value = name === options.searchPath?.name ? options.searchPath.value : rawValue.toWellFormed();
    const unfit = unfitness(name, value);
    if (unfit) {
      skip(shortened(name), unfit);
      warnings.push({
        code: 'variable_skipped',
        message: `Variable ${shortened(name)} was left out: ${unfit}.`,
      });
      continue;
    }
    usedNames.set(name, recordedValue(name, name, value));
  }
  for (const { key, name, value } of options.dotenv ?? []) {
    const reason = leftOut([key, name], () => undefined) ?? unfitness(key, value);
    if (reason) skip(shortened(key), reason);
    else usedNames.set(key, recordedValue(key, name, value));
  }
  redactions.sort((a, b) => (a.name < b.name ? -1 : 1));
  skipped.sort((a, b) => (a.name < b.name ? -1 : 1));
  warnings.sort((a, b) => (a.message < b.message ? -1 : 1));
  return {
    envVars: sortedRecord(usedNames),
    redactions,
    skipped,
    warnings,
    /** Whether two captures' fingerprints can be compared. */
    ...(fingerprints && options.envValues !== 'omit' && { fingerprintKey: fingerprints.keyId }),
  };

  /** `names`: the name in the snapshot, and the plain name if that differs. */
  function leftOut(names: readonly [string, ...string[]], byNature = ambient): string | undefined {
    if (names.some(excluded)) return 'excluded by --env-exclude';
    if (options.envInclude.length > 0) return names.some(included) ? undefined : 'not among --env-include';
    return byNature(names[0]);
  }

  /** `key`: the name in the snapshot. A variable of a dotenv file is judged only by its `name`. */
  function recordedValue(key: string, name: string, value: string): string {
    if (options.envValues === 'none') return '';
    // Judged in its recorded form: a home folder of random letters is not a secret.
    const abbreviated = abbreviateHome(value);
    if (options.envValues === 'all') return abbreviated;
    const { decision, reason } = classifyVariable(name, abbreviated);
    if (decision === 'plain') return abbreviated;
    redactions.push({ name: key, reason, replacedBy: fingerprints ? 'fingerprint' : 'placeholder' });
    return fingerprints?.of(key, value) ?? redactedValue;
  }
}

function unfitness(name: string, value: string): string | undefined {
  if (name.length > maxNameLength) return `its name is longer than ${maxNameLength} characters`;
  if (Buffer.byteLength(value) > maxValueBytes) return 'its value is longer than 128 KiB';
  if (name.includes('\0') || value.includes('\0')) return 'it holds a NUL character';
  return undefined;
}

function shortened(name: string): string {
  return name.length > 80 ? `${name.slice(0, 77)}...` : name;
}

/** A test for names; several patterns match if any of them does. With `ignoreCase` as on Windows. */
function nameMatcher(patterns: readonly string[], ignoreCase: boolean): (name: string) => boolean {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const tests = patterns.map((pattern) => compileGlob(fold(pattern), { syntax: 'names' }));
  return (name) => tests.some((test) => test(fold(name)));
}

const reasons: Partial<Record<VariableClass, string>> = {
  'per-run': 'belongs to one run of a CI job',
  process: 'set by the package runner or process that started the capture',
  session: 'belongs to a shell, terminal or login session',
  terminal: 'belongs to a terminal',
  identity: 'names the user or the machine',
  own: 'setting of envsnap itself',
};

/** Set by npm, pnpm and Yarn for their scripts; otherwise these are the user's own. */
const setByRunner = /^(?:p?npm_config_.*|COLOR|NODE|EDITOR)$/;

/** Platforms that set their own variable and are not CI services. */
const platformMarks: readonly (readonly [platform: string, mark: string])[] = [
  ['heroku', 'DYNO'],
  ['railway', 'RAILWAY_PROJECT_ID'],
  ['fly', 'FLY_APP_NAME'],
  ['kubernetes', 'KUBERNETES_SERVICE_HOST'],
];

/**
 * Why a variable is left out of a capture by default, or undefined. On Windows, case is ignored. With `byPackageRunner`, the
 * runner's variables are left out too, so that a capture through npx equals one without it.
 */
function createAmbientCheck(
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
