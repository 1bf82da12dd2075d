// Puts the metadata of a snapshot together. For the meaning of each key, see docs/specification.md §10, §11.

import type { CapturedMetadata } from '@envsnap/shared';
import { maxUnknownEntries, type UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import { defaultRunName } from '@envsnap/shared/run-outcome';
import type { CaptureOptions, ToolFinding } from './capture-types.ts';
import type { Collected } from './collect-parts.ts';
import { detectCi } from './project/ci.ts';
import type { CaptureWarning } from './warning.ts';

/** Warnings in the snapshot; the report has all of them. */
const maxStoredWarnings = 200;
/** Metadata may have 256 KiB; most warnings are about files, whose paths can be long. */
const maxStoredWarningBytes = 64 * 1024;

/** A capture's report about itself. */
interface CaptureNotes {
  readonly durationMs: number;
  readonly warnings: readonly CaptureWarning[];
  readonly unknown: readonly UnknownEntry[];
}

type Unwarned = Omit<CapturedMetadata, 'capture'> & {
  capture: Omit<CapturedMetadata['capture'], 'warnings'>;
};

/** Every key that the capture fills; undefined if there is nothing to report. The warnings are added last. */
function capturedMetadata(
  collected: Collected,
  options: CaptureOptions,
  notes: CaptureNotes,
): { [Key in keyof Unwarned]-?: Unwarned[Key] | undefined } {
  const {
    about,
    dependencies,
    facts,
    git,
    installed,
    machine,
    policy,
    project,
    runtimes,
    toolchain,
    variables,
  } = collected;
  const { hardware } = about.hardware;
  const ci = detectCi(machine.env);
  return {
    capture: {
      toolVersion: options.toolVersion,
      durationMs: Math.round(notes.durationMs),
      // How the variables were captured; a comparison needs both.
      envValues: collected.reduced ? 'omit' : options.envValues,
      ...(collected.reduced && { reducedEnvironment: true }),
      ...(!collected.loadsDotenv && { dotenv: false }),
      ...(variables.fingerprintKey && { fingerprintKey: variables.fingerprintKey }),
      ...(notes.unknown.length > 0 && { unknown: notes.unknown.slice(0, maxUnknownEntries) }),
    },
    checkout: git.checkout,
    ci,
    contents: unlessEmpty(dependencies.contents),
    direct: unlessEmpty(dependencies.direct),
    drift: unlessEmpty(installed.drift),
    facts: facts.facts,
    git: git.git,
    installed: unlessEmpty(installed.installed),
    locale: about.locale || undefined,
    notInstalled: installed.notInstalled.length > 0 ? installed.notInstalled : undefined,
    outcome: options.outcome && {
      result: options.outcome,
      of: options.outcomeOf || ci?.job || defaultRunName,
    },
    policy: policy.policy,
    project,
    shell: about.shell && { ...about.shell, ...shellVersion(runtimes.tools, about.shell.name) },
    sources: unlessEmpty(dependencies.sources),
    system: { ...about.system, ...(hardware && { hardware }) },
    timezone: about.timezone || undefined,
    toolchain: unlessEmpty(toolchain.toolchain),
    tools: Object.fromEntries(runtimes.tools.map((tool) => [tool.name, originOf(tool)])),
    withoutDevelopment: installed.withoutDevelopment.length > 0 ? installed.withoutDevelopment : undefined,
  };
}

/** The caller's metadata with what was captured, and all warnings; `system` and `tools` are always there. */
export function snapshotMetadata(
  collected: Collected,
  options: CaptureOptions,
  notes: CaptureNotes,
): { readonly metadata: Record<string, unknown>; readonly warnings: readonly CaptureWarning[] } {
  const captured = capturedMetadata(collected, options, notes);
  const isCaptured = (key: string): boolean => Object.hasOwn(captured, key);
  const reserved = Object.keys(options.metadata).filter(isCaptured).sort();
  const warnings = [...notes.warnings, ...reserved.map(reservedKeyWarning)];
  const capture = { ...captured.capture, warnings: storedWarnings(warnings) };
  const own = Object.entries(options.metadata).filter(([key]) => !isCaptured(key));
  const known = Object.entries({ ...captured, capture }).filter(([, value]) => value !== undefined);
  return { metadata: Object.fromEntries([...own, ...known]), warnings };
}

function reservedKeyWarning(key: string): CaptureWarning {
  return {
    code: 'metadata_key_reserved',
    message: `Metadata “${key}” was left out: the capture fills this key itself; choose another name.`,
  };
}

function unlessEmpty<Section extends object>(section: Section): Section | undefined {
  return Object.keys(section).length > 0 ? section : undefined;
}

function originOf({
  path,
  manager,
  selectedBy,
}: ToolFinding): NonNullable<CapturedMetadata['tools']>[string] {
  return { path, ...(manager && { manager }), ...(selectedBy && { selectedBy }) };
}

function shellVersion(tools: readonly ToolFinding[], name: string): { version?: string } {
  const tool = tools.find((each) => each.kind === 'utility' && each.name === name);
  return tool ? { version: tool.version } : {};
}

/** The warnings that fit, and one that says how many were left out. */
function storedWarnings(warnings: readonly CaptureWarning[]): readonly CaptureWarning[] {
  let bytes = 0;
  const fits = (warning: CaptureWarning, index: number) => {
    bytes += Buffer.byteLength(JSON.stringify(warning));
    return index < maxStoredWarnings && bytes <= maxStoredWarningBytes;
  };
  const tooMany = warnings.findIndex((warning, index) => !fits(warning, index));
  if (tooMany < 0) return warnings;
  const omitted = warnings.length - tooMany;
  const cut = { code: 'warnings_cut', message: `${omitted} more warnings were left out of the snapshot.` };
  return [...warnings.slice(0, tooMany), cut];
}
