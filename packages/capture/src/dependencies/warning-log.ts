// The warnings of one collection: sorted, and limited in number so that they fit into a snapshot.

import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import { compareText } from '../sorted-record.ts';
import type { CaptureWarning } from '../warning.ts';

/** Maximum number of warnings with one code; one more gives the number of the others. */
const maxPerCode = 50;

export interface WarningLog {
  add(warning: CaptureWarning): void;
  /** Warnings by file, line and code, so that every run has the same order. */
  toList(): CaptureWarning[];
  /** All files that could not be read: their packages are unknown, not absent. */
  unknown(): UnknownEntry[];
}

export function createWarningLog(): WarningLog {
  const warnings: CaptureWarning[] = [];
  return {
    add(warning) {
      warnings.push({ ...warning, message: warning.message.replaceAll('\0', '\u{fffd}').toWellFormed() });
    },
    unknown: () =>
      warnings.flatMap(({ file, reason }) =>
        file !== undefined && reason !== undefined ? [{ section: 'dependencies', key: file, reason }] : [],
      ),
    toList() {
      const byCode = Map.groupBy(warnings.sort(compareWarnings), ({ code }) => code);
      const shown = [...byCode.values()].flatMap((each) => each.slice(0, maxPerCode)).sort(compareWarnings);
      const more = [...byCode].flatMap(([code, each]) => {
        const message = `${each.length - maxPerCode} more warnings of this kind are left out.`;
        return each.length > maxPerCode ? [{ code, message }] : [];
      });
      return [...shown, ...more];
    },
  };
}

function compareWarnings(a: CaptureWarning, b: CaptureWarning): number {
  return (
    compareText(a.file ?? '', b.file ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}
