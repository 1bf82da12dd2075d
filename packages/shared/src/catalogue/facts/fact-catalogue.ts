// The catalogue of facts: every row, by its name in `metadata.facts`. Nothing else names a fact. docs/specification.md §11.

import configuration from './configuration.json' with { type: 'json' };
import type { FactRow, FactValue } from './fact.ts';
import { factTable } from './fact-table.ts';
import machine from './machine.json' with { type: 'json' };

export const factGroups = {
  process: factTable(machine.process),
  kernel: factTable(machine.kernel),
  language: factTable(machine.language),
  files: factTable(machine.files),
  network: factTable(configuration.network),
  git: factTable(configuration.git),
  tools: factTable(configuration.tools),
  programs: factTable(configuration.programs),
} as const;
export type FactGroup = keyof typeof factGroups;

export const factCatalogue: Readonly<Record<string, FactRow>> = Object.assign(
  {},
  ...Object.values(factGroups),
);

export const factNames: readonly string[] = Object.keys(factCatalogue);

/** Whether a text names a fact of this version of the catalogue; captures of other versions may have others. */
export function isFactName(name: string): boolean {
  return Object.hasOwn(factCatalogue, name);
}

/** The row of a fact; undefined for unknown names. */
export function factRow(name: string): FactRow | undefined {
  return isFactName(name) ? factCatalogue[name] : undefined;
}

/** A fact's value as one text: lists joined by `, `. */
export function factText(value: FactValue): string {
  return typeof value === 'object' ? value.join(', ') : String(value);
}
