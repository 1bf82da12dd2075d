// Answers for what no operation serves: 404 for an unknown path, 405 with `Allow` for a known one.

import type { Operation } from '@envsnap/shared';
import type { RequestHandler } from 'express';
import { AppError } from '../app-error.ts';

/** Creates the handler behind all routes, from the operations that are mounted before it. */
export function createNotFoundHandler(
  operations: readonly Pick<Operation, 'path' | 'method'>[],
): RequestHandler {
  const methodsByPath = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  for (const { path, method } of operations) {
    const pattern = new RegExp(`^${path.replace(/:[A-Za-z]+/g, '[^/]+')}/?$`, 'i');
    const entry = methodsByPath.get(path) ?? { pattern, methods: new Set<string>() };
    entry.methods.add(method);
    if (method === 'GET') entry.methods.add('HEAD');
    methodsByPath.set(path, entry);
  }
  const paths = [...methodsByPath.values()];
  return (request) => {
    const allowed = new Set<string>();
    for (const { pattern, methods } of paths) {
      if (pattern.test(request.path)) for (const method of methods) allowed.add(method);
    }
    if (allowed.size === 0) throw new AppError('route_not_found', 'No operation has this path');
    const allow = [...allowed].sort().join(', ');
    throw new AppError(
      'method_not_allowed',
      `Method ${request.method} is not allowed here; use ${allow}`,
      undefined,
      {
        headers: { Allow: allow },
      },
    );
  };
}
