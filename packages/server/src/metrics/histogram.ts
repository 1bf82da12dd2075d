// A histogram for what happens many times in each request: the library's own looks its labels up at every observation, which
// costs more than counting.

import type { Metric, Registry } from 'prom-client';

/** Seconds that were observed, in the series of one label's value. */
export interface Series {
  observe(seconds: number): void;
}

interface HistogramOptions<Value extends string> {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly values: readonly Value[];
  /** Upper bounds in seconds, ascending. */
  readonly buckets: readonly number[];
}

/** Adds a histogram to the registry; returns its series by the values of its label. */
export function addHistogram<Value extends string>(
  registry: Registry,
  { name, help, label, values, buckets }: HistogramOptions<Value>,
): Record<Value, Series> {
  const series = values.map((value) => ({
    value,
    // The last one is for what is above every bound.
    counts: new Float64Array(buckets.length + 1),
    sum: 0,
  }));

  function samplesOf({ value, counts, sum }: (typeof series)[number]) {
    let total = 0;
    const samples = [...buckets, Number.POSITIVE_INFINITY].map((bound, index) => {
      total += counts[index] ?? 0;
      const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound);
      return { metricName: `${name}_bucket`, labels: { [label]: value, le }, value: total };
    });
    const labels = { [label]: value };
    return [
      ...samples,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  }

  const get = async () => ({
    name,
    help,
    type: 'histogram',
    values: series.flatMap(samplesOf),
    aggregator: 'sum',
  });
  // What the registry asks of a metric is its name and `get`.
  registry.registerMetric({ name, get } as unknown as Metric);
  return Object.fromEntries(
    series.map((one) => [
      one.value,
      {
        observe(seconds: number) {
          let index = 0;
          while (index < buckets.length && seconds > (buckets[index] as number)) index += 1;
          one.counts[index] = (one.counts[index] as number) + 1;
          one.sum += seconds;
        },
      },
    ]),
  ) as Record<Value, Series>;
}
