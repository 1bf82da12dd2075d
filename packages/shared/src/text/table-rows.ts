// Tables that the source holds as text: a row a line, its cells separated by `|`.

/** The cells of each row, without the blanks around them. A line that is indented further goes on with the row above. */
export function tableRows(table: string): string[][] {
  const rows = table.trim().split(/\n {2}(?! )/);
  return rows.map((row) => row.split('|').map((cell) => cell.trim().replace(/\s+/g, ' ')));
}

/** Fields as cells write them: `name: words` gives a list, or the text where `texts` has the name; a name alone is true. */
export function cellFields(cells: readonly string[], texts: ReadonlySet<string>): Record<string, unknown> {
  const fields = cells.map((cell) => {
    const [, name = cell, value] = /^(\w+): (.*)$/.exec(cell) ?? [];
    return [name, value === undefined || (texts.has(name) ? value : value.split(' '))];
  });
  return Object.fromEntries(fields);
}
