// Answers for what no operation serves: 404 for an unknown path, 405 with `Allow` for a known one.

import type { Operation } from '@envsnap/shared';
import type { Request } from 'express';
import { AppError } from '../app-error.ts';
import { contextOf } from './request-context.ts';

/** Knows what the operations serve. */
export function createUnserved(operations: readonly Pick<Operation, 'path' | 'method'>[]) {
  /** Paths without parameters, in lower case, with their methods. */
  const fixed = new Map<string, Set<string>>();
  const patterns = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  for (const { path, method } of operations) {
    const pattern = new RegExp(`^${path.replace(/:[A-Za-z]+/g, '[^/]+')}/?$`, 'i');
    const { methods } = patterns.get(path) ?? { methods: new Set<string>() };
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
    patterns.set(path, { pattern, methods });
    if (!path.includes(':')) fixed.set(path.toLowerCase(), methods);
  }

  function fixedMethods(request: Request): Set<string> | undefined {
    return fixed.get(normalize(request.path));
  }

  /** The templates that a path matches, with their methods; the one without parameters alone when there is one. */
  function matching(request: Request): [route: string, methods: Set<string>][] {
    const path = normalize(request.path);
    const methods = fixed.get(path);
    if (methods) return [[path, methods]];
    return [...patterns]
      .filter(([, { pattern }]) => pattern.test(request.path))
      .map(([route, entry]) => [route, entry.methods]);
  }

  return {
    /**
     * Whether routing would go wrong: a path such as `/machine/keys/current` that exists, but not with this method, must
     * not be taken for a path with an id; and Express would answer OPTIONS itself.
     */
    isUnserved: (request: Request) =>
      request.method === 'OPTIONS' || fixedMethods(request)?.has(request.method) === false,
    /** Throws `route_not_found` or `method_not_allowed`. */
    refuse(request: Request) {
      const routes = matching(request);
      const [first] = routes;
      if (!first) throw new AppError('route_not_found', 'No operation has this path');
      contextOf(request).route = first[0];
      const allow = [...new Set(routes.flatMap(([, methods]) => [...methods]))].sort().join(', ');
      const text = `Method ${request.method} is not allowed here; use ${allow}`;
      throw new AppError('method_not_allowed', text, undefined, { headers: { Allow: allow } });
    },
  };
}

/** A path in lower case, without a slash at its end. */
function normalize(path: string): string {
  const lower = path.toLowerCase();
  return lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower;
}
