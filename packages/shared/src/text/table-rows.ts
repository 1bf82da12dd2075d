// Tables that the source holds as text: one row per line, with cells separated by `|`.

/** The cells of each row, without the spaces around them. A line that is indented further continues the row above. */
export function tableRows(table: string): string[][] {
  const rows = table.trim().split(/\n {2}(?! )/);
  return rows.map((row) => row.split('|').map((cell) => cell.trim().replace(/\s+/g, ' ')));
}
