// Tables that the source holds as text: a row a line, its cells separated by `|`.

/** The cells of each row, without the blanks around them. A line that is indented further goes on with the row above. */
export function tableRows(table: string): string[][] {
  const rows = table.trim().split(/\n {2}(?! )/);
  return rows.map((row) => row.split('|').map((cell) => cell.trim().replace(/\s+/g, ' ')));
}
