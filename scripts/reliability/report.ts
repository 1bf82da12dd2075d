// The results of a run as Markdown, and their place on the published page.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Figure } from './check.ts';

/** The results of one check. */
export interface Result {
  readonly check: string;
  readonly seconds: number;
  /** Why it was not run; undefined if it was. */
  readonly skipped?: string | undefined;
  readonly figures: readonly Figure[];
}

/** A run with everything that its figures depend on. */
export interface Report {
  readonly seed: number;
  /** The factor by which the published numbers of tries were multiplied. */
  readonly factor: number;
  readonly version: string;
  readonly machine: {
    readonly node: string;
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly system: string;
  };
  readonly results: readonly Result[];
}

const page = path.resolve(import.meta.dirname, '../../docs/reliability.md');

/** The report as a sentence and a table. */
export function render({ seed, factor, version, machine, results }: Report): string {
  const { cores, cpu, memoryGiB, system, node } = machine;
  const lines = [
    `envsnap-server ${version}, seed ${seed}, rounds × ${factor}; ${cores} cores (${cpu}), ${memoryGiB} GiB, ${system}, Node.js ${node}.`,
    '',
    '| check | what | goal | measured | |',
    '|---|---|---|---|---|',
  ];
  for (const { check, skipped, figures } of results) {
    if (skipped !== undefined) lines.push(`| ${check} | not run: ${skipped} | | | |`);
    for (const { what, asked, measured, reached } of figures) {
      const text = measured.replaceAll('|', '\\|').replaceAll('\n', ' ');
      lines.push(`| ${check} | ${what} | ${asked} | ${text} | ${reached ? '' : '**not reached**'} |`);
    }
  }
  return lines.join('\n');
}

/** Puts a report on the published page, in place of the last one. */
export function publish(report: Report): void {
  const [before, , after] = readFileSync(page, 'utf8').split(/<!-- results (?:begin|end) -->/);
  writeFileSync(page, `${before}<!-- results begin -->\n\n${render(report)}\n\n<!-- results end -->${after}`);
}
