// Lists of names kept short: the first few, and how many more.

const namesShown = 4;

export function nameList(names: readonly string[]): string {
  const left = names.length - namesShown;
  return left > 1 ? `${names.slice(0, namesShown).join(', ')} and ${left} more` : names.join(', ');
}
