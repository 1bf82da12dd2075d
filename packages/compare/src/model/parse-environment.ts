// Reads an environment from a caller: the text of a snapshot, or its value. Everything else is refused.

import { describeIssue, snapshotContent } from '@envsnap/shared';
import type { ComparableEnvironment } from './model.ts';

export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** Most characters of a text that is read: a snapshot of the largest size that the service stores has fewer. */
const maxCharacters = 64 * 1024 * 1024;

/** Reads a snapshot as `envsnap capture --output` writes it or the service answers it, as text or as a value. Fields that a
 * comparison does not use are left out. Throws an {@link EnvironmentError} that begins with `name` and says what is wrong; it
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
    // The parser's message quotes the text, which may be anything.
    throw refuse('it is not JSON');
  }
}
