// Which variables come from a dotenv file, by their keys.

/** The file and the variable of a key such as `web/.env.local:API_URL`; undefined for the process's own variables. */
export function dotenvPlace(key: string): { file: string; name: string } | undefined {
  const found = /(?:^|\/)\.env(?:\.[\w.-]+)?:/.exec(key);
  if (!found) return undefined;
  const end = found.index + found[0].length;
  return end === key.length ? undefined : { file: key.slice(0, end - 1), name: key.slice(end) };
}

export function isDotenvVariable(key: string): boolean {
  return dotenvPlace(key) !== undefined;
}
