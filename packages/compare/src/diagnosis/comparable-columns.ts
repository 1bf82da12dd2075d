// Makes columns comparable: fingerprints cannot be compared with those of other keys, or with readable values.

import { type Feature, firstValue, opaqueCode } from './run-table.ts';

/** Marks every value in the column that cannot be compared as {@link opaqueCode}. Keeps the fingerprints of the key
 * that most runs used. Returns the same column if all values can be compared. */
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
  // A readable value certainly differs from a fingerprinted one only if the capture judged that it is not a secret.
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
