// A snapshot's variables as a dotenv file that Node.js (`--env-file`), the dotenv package, Docker Compose and a shell that
// sources it read alike: nothing in a value is ever expanded or run.

import type { ComparableEnvironment } from '../model/model.ts';
import { commentText, exportableVariables } from './exportable-variables.ts';

export function exportDotenv(environment: ComparableEnvironment, all = false): string {
  const { set, withheld } = exportableVariables(environment, { all });
  const lines = set.map(([name, value]) => {
    const quoted = isDotenvName(name) ? quoteDotenv(value) : undefined;
    if (quoted !== undefined) return `${name}=${quoted}`;
    const why = isDotenvName(name)
      ? 'its value cannot be written in a dotenv file'
      : 'a dotenv file cannot hold this name';
    return `# ${commentText(name)}: ${why}`;
  });
  const left = withheld.map(({ name, reason }) => `# ${commentText(name)}: ${reason}`);
  return [...lines, ...left].map((line) => `${line}\n`).join('');
}

function isDotenvName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** A value written so that all readers agree on it, or undefined where there is no such way. Between single quotes nothing is
 * special to any of them, but for a backslash at the end, which one takes for an escape. In double quotes shells and Compose
 * expand `$`, and shells run what stands in backticks. A carriage return never survives. */
export function quoteDotenv(value: string): string | undefined {
  if (/^[A-Za-z0-9_./:@%+,-]*$/.test(value)) return value;
  if (value.includes('\r')) return undefined;
  if (!value.includes("'")) return value.endsWith('\\') ? undefined : `'${value}'`;
  return /["$`\\!]/.test(value) ? undefined : `"${value}"`;
}
