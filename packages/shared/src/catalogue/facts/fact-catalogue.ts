// The catalogue of facts: every row, by its name in `metadata.facts`. Nothing else names a fact. docs/specification.md §11.

import type { FactRow, FactValue } from './fact.ts';
import { fileFacts } from './files.ts';
import { gitFacts } from './git.ts';
import { kernelFacts } from './kernel.ts';
import { languageFacts } from './language.ts';
import { networkFacts } from './network.ts';
import { processFacts } from './process.ts';
import { programFacts } from './programs.ts';
import { toolFacts } from './tools.ts';

/** The rows in groups, each read by one part of the capture. */
export const factGroups = {
  process: processFacts,
  kernel: kernelFacts,
  language: languageFacts,
  files: fileFacts,
  network: networkFacts,
  git: gitFacts,
  tools: toolFacts,
  programs: programFacts,
} as const;

export type FactGroup = keyof typeof factGroups;
type FactNameOf<Group extends FactGroup> = keyof (typeof factGroups)[Group];
type WaysOf<Row> = Row extends { readonly read: infer Origin } ? Origin[keyof Origin] : never;
/** Names of the facts of one group that have a reader of their own in the capture. */
export type OwnReaderName<Group extends FactGroup> = {
  [Name in FactNameOf<Group>]: string extends WaysOf<(typeof factGroups)[Group][Name]>
    ? Name
    : Extract<WaysOf<(typeof factGroups)[Group][Name]>, string> extends never
      ? never
      : Name;
}[FactNameOf<Group>];
/** Name of a fact, e.g. `limits.openFiles`, `git.core.autocrlf`. */
export type FactName = { [Group in FactGroup]: FactNameOf<Group> }[FactGroup];

export const factCatalogue: Readonly<Record<FactName, FactRow>> = {
  ...processFacts,
  ...kernelFacts,
  ...languageFacts,
  ...fileFacts,
  ...networkFacts,
  ...gitFacts,
  ...toolFacts,
  ...programFacts,
};

/** All names, in the order of the catalogue. */
export const factNames = Object.keys(factCatalogue) as readonly FactName[];

/** Whether a text names a fact of this version of the catalogue; captures of other versions may hold others. */
export function isFactName(name: string): name is FactName {
  return Object.hasOwn(factCatalogue, name);
}

/** The row of a fact; undefined for names that this version of the catalogue does not hold. */
export function factRow(name: string): FactRow | undefined {
  return isFactName(name) ? factCatalogue[name] : undefined;
}

/** A fact's value as one text: lists joined by `, `. */
export function factText(value: FactValue): string {
  return typeof value === 'object' ? value.join(', ') : String(value);
}
