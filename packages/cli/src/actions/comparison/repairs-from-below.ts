// In a folder below the project, repairs go up first: package managers would install that folder alone.

import type { Cause, ComparisonReport } from '@envsnap/compare/workspace';
import { pathWord } from '@envsnap/shared/text/visible';
import type { MachineCheck } from '../../documents/machine-documents.ts';

/** `above`: the project relative to the working folder; undefined if they are the same. */
type Above = string | undefined;

export function commandFromBelow(command: string, above: Above): string {
  return above === undefined ? command : `cd ${pathWord(above)} && ${command}`;
}

export function checkFromBelow(check: MachineCheck, above: Above): MachineCheck {
  return {
    ...check,
    installed: check.installed.map((finding) => fromBelow(finding, above)),
    notInstalled: check.notInstalled.map((finding) => fromBelow(finding, above)),
    checkout: check.checkout.map((finding) => fromBelow(finding, above)),
  };
}

/** For a comparison whose B is in this project now. */
export function reportFromBelow(report: ComparisonReport, above: Above): ComparisonReport {
  const move = (cause: Cause) => (changesFiles(cause) ? fromBelow(cause, above) : cause);
  return { ...report, causes: report.causes.map(move) };
}

/** Variables and limits are those of the shell, wherever it is. */
function changesFiles({ section, keys, repair }: Cause): boolean {
  if (repair.side !== 'b') return false;
  const isOfPlatform = section === 'os' || section === 'arch' || section === 'system';
  const isOfDotenvFile = section === 'env' && keys.some((key) => key.includes(':'));
  return repair.kind === 'restore' || (repair.kind === 'configure' && (isOfPlatform || isOfDotenvFile));
}

function fromBelow<
  T extends {
    readonly advice: string | null;
    readonly repair: { readonly commands: readonly string[] } | null;
  },
>(finding: T, above: Above): T {
  const [command, ...others] = finding.repair?.commands ?? [];
  if (command === undefined) return finding;
  const first = commandFromBelow(command, above);
  const advice = finding.advice?.replace(command, () => first) ?? null;
  return { ...finding, advice, repair: { ...finding.repair, commands: [first, ...others] } };
}
