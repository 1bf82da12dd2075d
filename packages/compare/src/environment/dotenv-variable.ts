// Which variables come from a dotenv file, by their keys.

/** Whether a key of the variables names one that a dotenv file sets: `.env.local:DATABASE_URL`. */
export function isDotenvVariable(key: string): boolean {
  const colon = key.lastIndexOf(':');
  return colon > 0 && isDotenvFile(key.slice(0, colon));
}

function isDotenvFile(path: string): boolean {
  return /(?:^|\/)\.env(?:\.[\w.-]+)?$/.test(path);
}
