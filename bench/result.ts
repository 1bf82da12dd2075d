// What a suite measures: figures with their baselines, medians of several rounds.

export interface Figure {
  readonly name: string;
  /** Median of the measured rounds. */
  readonly value: number;
  readonly unit: string;
  /** The same for the baseline, when there is one. */
  readonly baseline?: { readonly name: string; readonly value: number };
  /** The intended ratio, as text, e.g. `≥ 0.5`. */
  readonly aim?: string;
}

export interface SuiteResult {
  readonly suite: string;
  readonly rounds: number;
  readonly figures: readonly Figure[];
}

export interface Machine {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
}

/** The middle value; the mean of the two middle ones for an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Results as a Markdown table. */
export function renderTable(results: readonly SuiteResult[], machine: Machine): string {
  const lines = [
    `Measured on ${machine.cores} cores (${machine.cpu}), ${machine.memoryGiB} GiB, Node.js ${machine.node}; medians.`,
    '',
    '| suite | what | envsnap | baseline | ratio | aim |',
    '|---|---|---|---|---|---|',
  ];
  for (const { suite, figures } of results)
    for (const { name, value, unit, baseline, aim } of figures) {
      const against = baseline ? `${format(baseline.value)} ${unit} (${baseline.name})` : '';
      const ratio = baseline ? (value / baseline.value).toFixed(2) : '';
      lines.push(`| ${suite} | ${name} | ${format(value)} ${unit} | ${against} | ${ratio} | ${aim ?? ''} |`);
    }
  return lines.join('\n');
}

function format(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
