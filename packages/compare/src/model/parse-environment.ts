// Parses an environment from a caller: the text or value of a snapshot. Refuses everything else.

import { describeIssue, snapshotContent } from '@envsnap/shared';
import type { ComparableEnvironment } from './model.ts';

export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** Maximum characters of a text: more than the largest snapshot that the service stores. */
const maxCharacters = 64 * 1024 * 1024;

/** Parses a snapshot, as text or as a value, from `envsnap capture --output` or from the service. Leaves out fields
 * that a comparison does not use. Throws an {@link EnvironmentError} that begins with `name`, says what is wrong, and
 * quotes nothing of the text. */
export function parseEnvironment(textOrValue: unknown, name = 'the environment'): ComparableEnvironment {
  const refuse = (reason: string) => new EnvironmentError(`${name} is not a snapshot: ${reason}`);
  const value = typeof textOrValue === 'string' ? parseText(textOrValue, refuse) : textOrValue;
  const parsed = snapshotContent.safeParse(value, { error: describeIssue });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue && issue.path.length > 0 ? issue.path.join('.') : 'it';
    throw refuse(`${where} ${issue?.message ?? 'does not have the fields of one'}`);
  }
  const { id, createdAt } = value as { id?: unknown; createdAt?: unknown };
  return {
    ...parsed.data,
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof createdAt === 'string' ? { createdAt } : {}),
  };
}

function parseText(text: string, refuse: (reason: string) => EnvironmentError): unknown {
  if (text.length > maxCharacters) throw refuse('it is larger than 64 MiB');
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's message would quote the text, which may contain anything.
    throw refuse('it is not JSON');
  }
}
