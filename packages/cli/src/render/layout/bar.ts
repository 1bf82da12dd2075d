// Horizontal bars out of block characters.

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of a share (0 to 1) of a width in columns; a share above nothing is never empty. */
export function bar(share: number, width: number): string {
  const clamped = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
  const parts = Math.max(clamped > 0 ? 1 : 0, Math.round(clamped * width * 8));
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}
