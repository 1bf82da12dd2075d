// Makes columns comparable: fingerprints by different keys, or beside readable values, say nothing about each other.

import { type Feature, firstValue, opaqueCode } from './run-table.ts';

/** The column with every value that cannot be compared with the others as {@link opaqueCode}. The fingerprints of the key that
 * most runs used stay. Answers the same column when all can be compared. */
export function comparableColumn(
  feature: Feature,
  codes: Uint16Array,
): { codes: Uint16Array; dropped: boolean } {
  const keys = new Set(feature.values.map((value) => value.fingerprintKey));
  if (keys.size <= 1) return { codes, dropped: false };
  const runsOf = new Map<string | undefined, number>();
  for (const code of codes) {
    if (code < firstValue) continue;
    const key = keyOf(feature, code);
    runsOf.set(key, (runsOf.get(key) ?? 0) + 1);
  }
  // A readable value beside fingerprints is another value for certain only where the capture judged it not to be a secret.
  const keepReadable = feature.shown;
  const fingerprinted = [...runsOf].filter(([key]) => key !== undefined).sort((x, y) => y[1] - x[1]);
  const [kept] = fingerprinted[0] ?? [undefined];
  const keepFingerprints = keepReadable || !runsOf.has(undefined);
  const comparable = codes.map((code) => {
    if (code < firstValue) return code;
    const key = keyOf(feature, code);
    const keeps = key === undefined ? true : keepFingerprints && key === kept;
    return keeps ? code : opaqueCode;
  });
  return { codes: comparable, dropped: comparable.some((code, run) => code !== codes[run]) };
}

function keyOf(feature: Feature, code: number): string | undefined {
  return feature.values[code - firstValue]?.fingerprintKey;
}
