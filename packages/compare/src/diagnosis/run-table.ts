// A table of values: runs as rows, features as columns.

import { createHash } from 'node:crypto';
import type { FeatureInfo, Run } from './model.ts';

/** Codes of a cell. Values are numbered from {@link firstValue}, in the order of their first appearance. */
export const absentCode = 0;
/** The run's value is unknown. */
export const unknownCode = 1;
/** The run has a value that cannot be compared. */
export const opaqueCode = 2;
export const firstValue = 3;
const mostValues = 0xffff - firstValue;

interface FeatureValue {
  readonly text: string;
  /** For the fingerprint of a secret: which key made it. Fingerprints of different keys cannot be compared. */
  readonly fingerprintKey?: string;
}

export interface Feature extends FeatureInfo {
  shown: boolean;
  readonly space: number;
  readonly values: FeatureValue[];
  readonly codes: Map<string, number>;
  lastCode: number;
}

/** Longest value that is stored completely. Of longer values, the beginning and a digest are stored. */
const longestText = 400;
const mostCells = 12_000_000;
/** Default limit on the memory of a table, in bytes. */
const usualBytes = 512 * 1024 ** 2;
/** Memory of a feature, a value and a cell besides their texts, in bytes. */
const costs = { feature: 600, value: 150, cell: 2 };

/** Rows are added one after another: call `set` or `mark` for each cell, then `end`. */
export class RunTable {
  readonly runs: Run[] = [];
  readonly features: Feature[] = [];
  readonly #mostBytes: number;
  #cells = 0;
  #bytes = 0;
  readonly #spaces: { readonly indexes: Map<string, number>; code: number }[] = [];
  readonly #spaceNumbers = new Map<string, number>();
  readonly #rows: { readonly cells: Uint16Array; readonly spaces: readonly number[] }[] = [];
  #row: (number | undefined)[] = [];

  /** `mostBytes` limits the memory of the table, approximately; default 512 MiB. */
  constructor({ mostBytes = usualBytes }: { readonly mostBytes?: number | undefined } = {}) {
    this.#mostBytes = mostBytes;
  }

  /** Whether there is no room for another run, in memory or in time. Call it before you add one. */
  get isFull(): boolean {
    return this.#cells >= mostCells || this.#bytes + costs.cell * this.#cells >= this.#mostBytes;
  }

  /** A family of features that are known or unknown together: the variables, the packages of one file. */
  space(name: string): number {
    const known = this.#spaceNumbers.get(name);
    if (known !== undefined) return known;
    this.#spaceNumbers.set(name, this.#spaces.length);
    return this.#spaces.push({ indexes: new Map(), code: absentCode }) - 1;
  }

  setSpaceUnknown(space: number): void {
    const family = this.#spaces[space];
    if (family) family.code = unknownCode;
  }

  /** The feature with this name in a family; `describe` is called at its first appearance. */
  feature(space: number, name: string, describe: (name: string) => FeatureInfo): number {
    const { indexes } = this.#spaces[space] as { indexes: Map<string, number> };
    const known = indexes.get(name);
    if (known !== undefined) return known;
    const info = describe(name);
    this.#bytes += costs.feature + info.key.length + name.length + (info.entry?.length ?? 0);
    const index =
      this.features.push({ ...info, space, values: [], codes: new Map(), lastCode: firstValue }) - 1;
    indexes.set(name, index);
    return index;
  }

  set(index: number, text: string, fingerprintKey?: string): void {
    const feature = this.features[index] as Feature;
    const { values, codes } = feature;
    const shownText = text.length > longestText ? shortened(text) : text;
    const id = fingerprintKey === undefined ? shownText : `${shownText}\n${fingerprintKey}`;
    const before = values[feature.lastCode - firstValue];
    let code =
      before?.text === shownText && before.fingerprintKey === fingerprintKey
        ? feature.lastCode
        : codes.get(id);
    if (code === undefined && values.length < mostValues) {
      code = firstValue + values.length;
      codes.set(id, code);
      values.push(fingerprintKey === undefined ? { text: shownText } : { text: shownText, fingerprintKey });
      this.#bytes += costs.value + shownText.length;
    }
    if (code !== undefined) feature.lastCode = code;
    this.#row[index] = code ?? opaqueCode;
  }

  /** Marks a cell of the run that is being added as {@link unknownCode} or {@link opaqueCode}. */
  mark(index: number, code: typeof unknownCode | typeof opaqueCode): void {
    this.#row[index] = code;
  }

  end(run: Run): void {
    this.runs.push(run);
    const spaces = this.#spaces.map(({ code }) => code);
    const cells = new Uint16Array(this.features.length);
    for (const [index, { space }] of this.features.entries())
      cells[index] = this.#row[index] ?? spaces[space] ?? absentCode;
    this.#rows.push({ cells, spaces });
    this.#cells += cells.length;
    this.#row = new Array(cells.length);
    for (const family of this.#spaces) family.code = absentCode;
  }

  readColumn(index: number): Uint16Array {
    const { space } = this.features[index] as Feature;
    return Uint16Array.from(this.#rows, ({ cells, spaces }) => cells[index] ?? spaces[space] ?? absentCode);
  }
}

/** The beginning of a long text, its length, and a digest, which only has to distinguish values of one feature. */
function shortened(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${text.slice(0, 60)}… (${text.length} characters, ${digest})`;
}
