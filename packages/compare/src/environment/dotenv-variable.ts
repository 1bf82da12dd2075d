// Which variables come from a dotenv file, by their keys.

/** The file and the variable of a key such as `web/.env.local:API_URL`; undefined for the process's own variables. */
export function dotenvPlace(key: string): { file: string; name: string } | undefined {
  const [, file, name] = /^((?:.*\/)?\.env(?:\.[\w.-]+)?):(.+)$/s.exec(key) ?? [];
  return file === undefined || name === undefined ? undefined : { file, name };
}

export function isDotenvVariable(key: string): boolean {
  return dotenvPlace(key) !== undefined;
}
