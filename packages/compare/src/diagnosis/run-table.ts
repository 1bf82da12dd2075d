// Holds which run has which value of what, in memory that grows with what changes and not with runs times features.
//
// A feature's column is a path in a tree: each run adds one step, named by the code of the value that the run has.
// Features that behave alike share their path, so a thousand packages that never change cost one node a run, and
// features that split the runs alike are found by their common node.

import type { FeatureInfo, Run } from './model.ts';

/** Codes of a run's cell; values are numbered from {@link firstValue} on, in the order of their first appearance. */
export const absentCode = 0;
/** Nothing is known of it in that run. */
export const unknownCode = 1;
/** The run has it, with a value that cannot be compared. */
export const opaqueCode = 2;
export const firstValue = 3;
const notSet = 0xffff;
const mostValues = notSet - firstValue;

export interface FeatureValue {
  readonly text: string;
  /** For the fingerprint of a secret: which key made it. Fingerprints of different keys cannot be compared. */
  readonly fingerprintKey?: string;
}

export interface Feature extends FeatureInfo {
  shown: boolean;
  readonly space: number;
  readonly values: FeatureValue[];
  codes: Map<string, number> | undefined;
  lastCode: number;
}

/** Longest text of a value that is kept; of longer ones the beginning and a digest. */
const longestText = 400;
const fewValues = 6;

const mostCells = 12_000_000;
const usualBytes = 512 * 1024 ** 2;
/** Memory beside its texts of a feature, of a value and of a step in the tree, in bytes. */
const costs = { feature: 400, value: 150, node: 6 };

/** Runs as rows, features as columns. Rows are added one after the other: `begin`, then `set` for each cell, then `end`. */
export class RunTable {
  readonly runs: Run[] = [];
  readonly features: Feature[] = [];

  readonly #mostBytes: number;
  #cells = 0;
  #bytes = 0;
  readonly #spaces: { readonly indexes: Map<string, number>; node: number; code: number }[] = [];
  readonly #spaceNumbers = new Map<string, number>();
  #nodes = new Int32Array(1024);
  #codes = new Uint16Array(1024);
  #parents = new Int32Array(1024);
  #steps = new Uint16Array(1024);
  #nodeCount = 1;

  /** `mostBytes` is the memory that the table may take, about; default 512 MiB. */
  constructor({ mostBytes = usualBytes }: { readonly mostBytes?: number | undefined } = {}) {
    this.#mostBytes = mostBytes;
  }

  /** Whether there is no room for another run, for the memory or for the time that it takes. Ask before adding one. */
  get isFull(): boolean {
    return this.#cells >= mostCells || this.#bytes + costs.node * this.#nodeCount >= this.#mostBytes;
  }

  space(name: string): number {
    const known = this.#spaceNumbers.get(name);
    if (known !== undefined) return known;
    const number = this.#spaces.length;
    this.#spaces.push({ indexes: new Map(), node: this.#absentNode, code: absentCode });
    this.#spaceNumbers.set(name, number);
    return number;
  }
  #absentNode = 0;

  setSpaceUnknown(space: number): void {
    const family = this.#spaces[space];
    if (family) family.code = unknownCode;
  }

  known(space: number, name: string): number | undefined {
    return this.#spaces[space]?.indexes.get(name);
  }

  feature(space: number, name: string, describe: () => FeatureInfo): number {
    const family = this.#spaces[space] as { indexes: Map<string, number>; node: number };
    const known = family.indexes.get(name);
    if (known !== undefined) return known;
    const index = this.features.length;
    const { key, label, direct, entry, order, shown } = describe();
    this.#bytes += costs.feature + key.length + name.length + (entry?.length ?? 0);
    // One shape for all, so that the many accesses in `set` stay fast.
    const more = { space, values: [], codes: undefined, lastCode: firstValue };
    this.features.push({
      key,
      ...(label !== undefined && { label }),
      ...(direct && { direct }),
      ...(entry !== undefined && { entry }),
      order,
      shown,
      ...more,
    });
    family.indexes.set(name, index);
    if (index === this.#nodes.length) {
      this.#nodes = grown(this.#nodes, new Int32Array(index * 2));
      this.#codes = grown(this.#codes, new Uint16Array(index * 2));
    }
    this.#nodes[index] = family.node;
    this.#codes[index] = notSet;
    return index;
  }

  set(index: number, text: string, fingerprintKey?: string): void {
    const feature = this.features[index] as Feature;
    const known = feature.values.length;
    const kept = text.length > longestText ? shortened(text) : text;
    this.#codes[index] = codeOf(feature, kept, fingerprintKey);
    if (feature.values.length > known) this.#bytes += costs.value + kept.length;
  }

  mark(index: number, code: typeof unknownCode | typeof opaqueCode): void {
    this.#codes[index] = code;
  }

  end(run: Run): void {
    this.runs.push(run);
    const children = new Map<number, number>();
    const child = (node: number, code: number): number => {
      const step = node * 0x10000 + code;
      let next = children.get(step);
      if (next === undefined) {
        next = this.#addNode(node, code);
        children.set(step, next);
      }
      return next;
    };
    let lastNode = -1;
    let lastCode = -1;
    let lastChild = -1;
    const count = this.features.length;
    for (let index = 0; index < count; index += 1) {
      const own = this.#codes[index] as number;
      const code =
        own === notSet
          ? (this.#spaces[(this.features[index] as Feature).space] as { code: number }).code
          : own;
      this.#codes[index] = notSet;
      const node = this.#nodes[index] as number;
      if (node !== lastNode || code !== lastCode) {
        lastNode = node;
        lastCode = code;
        lastChild = child(node, code);
      }
      this.#nodes[index] = lastChild;
    }
    for (const family of this.#spaces) {
      family.node = child(family.node, family.code);
      family.code = absentCode;
    }
    this.#absentNode = child(this.#absentNode, absentCode);
    this.#cells += count;
  }

  /** The column's node of a feature: equal for features that behave alike. */
  columnOf(index: number): number {
    return this.#nodes[index] as number;
  }

  readColumn(column: number): Uint16Array {
    const codes = new Uint16Array(this.runs.length);
    let node = column;
    for (let run = codes.length - 1; run >= 0; run -= 1) {
      codes[run] = this.#steps[node] as number;
      node = this.#parents[node] as number;
    }
    return codes;
  }

  #addNode(parent: number, code: number): number {
    const node = this.#nodeCount;
    if (node === this.#parents.length) {
      this.#parents = grown(this.#parents, new Int32Array(node * 2));
      this.#steps = grown(this.#steps, new Uint16Array(node * 2));
    }
    this.#parents[node] = parent;
    this.#steps[node] = code;
    this.#nodeCount += 1;
    return node;
  }
}

function codeOf(feature: Feature, text: string, fingerprintKey: string | undefined): number {
  const { values } = feature;
  const last = values[feature.lastCode - firstValue];
  if (last !== undefined && last.text === text && last.fingerprintKey === fingerprintKey)
    return feature.lastCode;
  let code: number | undefined;
  const id = fingerprintKey === undefined ? text : `${text}\n${fingerprintKey}`;
  if (feature.codes) code = feature.codes.get(id);
  else {
    const place = values.findIndex((each) => each.text === text && each.fingerprintKey === fingerprintKey);
    if (place >= 0) code = firstValue + place;
  }
  if (code === undefined) {
    if (values.length === mostValues) return opaqueCode;
    code = firstValue + values.length;
    values.push(fingerprintKey === undefined ? { text } : { text, fingerprintKey });
    feature.codes?.set(id, code);
    if (!feature.codes && values.length > fewValues) {
      feature.codes = new Map(values.map((each, place) => [idOf(each), firstValue + place]));
    }
  }
  feature.lastCode = code;
  return code;
}

function idOf({ text, fingerprintKey }: FeatureValue): string {
  return fingerprintKey === undefined ? text : `${text}\n${fingerprintKey}`;
}

/** The beginning of a long text, its length, and a digest that only has to tell values of one feature apart. */
function shortened(text: string): string {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  return `${text.slice(0, 60)}… (${text.length} characters, ${(high >>> 0).toString(16)}${(low >>> 0).toString(16)})`;
}

function grown<Numbers extends Int32Array | Uint16Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
