// A snapshot's variables as a dotenv file that Node.js (`--env-file`) and the dotenv package read alike.

import type { ComparableEnvironment } from '../model/model.ts';
import { commentText, exportableVariables } from './exportable-variables.ts';

/** Renders a dotenv file. What cannot be written so that both parsers read it back is commented out with the reason. */
export function exportDotenv(environment: ComparableEnvironment, all = false): string {
  const { set, withheld } = exportableVariables(environment, { all });
  const lines = set.map(([name, value]) => {
    const quoted = isDotenvName(name) ? quoteDotenv(value) : undefined;
    if (quoted !== undefined) return `${name}=${quoted}`;
    const why = isDotenvName(name)
      ? 'its value cannot be written in a dotenv file'
      : 'no name that a dotenv file can hold';
    return `# ${commentText(name)}: ${why}`;
  });
  const left = withheld.map(({ name, reason }) => `# ${commentText(name)}: ${reason}`);
  return [...lines, ...left].map((line) => `${line}\n`).join('');
}

function isDotenvName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/**
 * A value as both parsers read it back, or undefined where no way of writing it does. Single quotes and backticks
 * keep everything between them; in double quotes `\n` becomes a line break; a backslash before the closing quote is
 * taken for an escape by one of them; a carriage return never survives.
 */
export function quoteDotenv(value: string): string | undefined {
  if (/^[A-Za-z0-9_./:@%+,-]*$/.test(value)) return value;
  if (value.includes('\r')) return undefined;
  if (value.endsWith('\\')) return isPlain(value) ? value : undefined;
  if (!value.includes("'")) return `'${value}'`;
  if (!value.includes('`')) return `\`${value}\``;
  if (!value.includes('"') && !value.includes('\\')) return `"${value}"`;
  return undefined;
}

/** True for a value that needs no quotes, although it is not made of plain letters. */
function isPlain(value: string): boolean {
  return value.trim() === value && !/['"`#\n]/.test(value);
}
