// Warnings of one collection: sorted, and bounded in number so that a thousand broken files still fit a snapshot.

import { compareText } from '../sorted-record.ts';
import type { CaptureWarning } from '../warning.ts';

/** Most warnings of one code; further ones are counted in one more. */
const maxPerCode = 50;

/** Collects warnings. */
export interface WarningLog {
  add(warning: CaptureWarning): void;
  /** Warnings by file, line and code, the same in every run. */
  toList(): CaptureWarning[];
}

/** An empty log. */
export function createWarningLog(): WarningLog {
  const warnings: CaptureWarning[] = [];
  return {
    add(warning) {
      warnings.push({ ...warning, message: warning.message.replaceAll('\0', '\u{fffd}').toWellFormed() });
    },
    toList() {
      const sorted = warnings.sort(compareWarnings);
      const counts = new Map<string, number>();
      const kept = sorted.filter((warning) => {
        const count = (counts.get(warning.code) ?? 0) + 1;
        counts.set(warning.code, count);
        return count <= maxPerCode;
      });
      for (const [code, count] of counts) {
        if (count > maxPerCode) {
          kept.push({ code, message: `${count - maxPerCode} more warnings of this kind are left out.` });
        }
      }
      return kept;
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
