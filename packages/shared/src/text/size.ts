// Sizes in bytes for people.

/** A size: `512 B`, `1.4 KiB`, `20.0 MiB`. */
export function size(bytes: number): string {
  let value = bytes;
  for (const unit of ['B', 'KiB', 'MiB', 'GiB']) {
    if (value < 1024 || unit === 'GiB') return unit === 'B' ? `${value} B` : `${value.toFixed(1)} ${unit}`;
    value /= 1024;
  }
  return `${bytes} B`;
}

/** A count with its noun: `1 snapshot`, `1,204 packages`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`;
}
