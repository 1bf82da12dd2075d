// In a folder below the project, repairs go up first: package managers would install that folder alone.

import path from 'node:path';
import type { Cause, ComparisonReport } from '@envsnap/compare/workspace';
import { pathWord } from '@envsnap/shared/text/visible';
import type { MachineCheck } from '../../documents/machine-documents.ts';

/** `above`: the project relative to the working folder; undefined if they are the same. */
type Above = string | undefined;

export function commandFromBelow(command: string, above: Above): string {
  if (above === undefined) return command;
  // `cd ../web && npm ci`, and nothing to change to in `web` itself.
  const [, folder = '.', rest = command] = /^cd ([\w./@-]+) && (.*)$/s.exec(command) ?? [];
  const target = path.relative('.', path.join(above, folder));
  return target === '' ? rest : `cd ${pathWord(target)} && ${rest}`;
}

/** The working folder below the project, with `/`. */
export function folderBelow(above: Above): string | undefined {
  return above && path.relative(above, '.').replaceAll(path.sep, '/');
}

/** What concerns the working folder comes first. */
export function checkFromBelow(check: MachineCheck, above: Above): MachineCheck {
  const within = folderBelow(above) ?? '';
  const isElsewhere = ({ file }: { readonly file: string }) => {
    const folder = `${path.posix.dirname(file)}/`.replace(/^\.\//, '');
    return !`${within}/`.startsWith(folder) && !folder.startsWith(`${within}/`);
  };
  const nearestFirst = <T extends MachineCheck['installed'][number] | MachineCheck['notInstalled'][number]>(
    findings: readonly T[],
  ) =>
    findings
      .toSorted((x, y) => Number(isElsewhere(x)) - Number(isElsewhere(y)))
      .map((finding) => fromBelow(finding, above));
  return {
    ...check,
    installed: nearestFirst(check.installed),
    notInstalled: nearestFirst(check.notInstalled),
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
