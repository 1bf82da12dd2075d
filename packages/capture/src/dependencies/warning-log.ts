// Warnings of one collection: sorted, and bounded in number so that a thousand broken files still fit a snapshot.

import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import { compareText } from '../sorted-record.ts';
import type { CaptureWarning } from '../warning.ts';

/** Most warnings of one code; further ones are counted in one more. */
const maxPerCode = 50;

export interface WarningLog {
  add(warning: CaptureWarning): void;
  /** Warnings by file, line and code, the same in every run. */
  toList(): CaptureWarning[];
  /** All files whose content could not be read: their packages are unknown, not absent. */
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
      const kept = [...byCode.values()].flatMap((each) => each.slice(0, maxPerCode)).sort(compareWarnings);
      const more = [...byCode].flatMap(([code, each]) => {
        const message = `${each.length - maxPerCode} more warnings of this kind are left out.`;
        return each.length > maxPerCode ? [{ code, message }] : [];
      });
      return [...kept, ...more];
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
