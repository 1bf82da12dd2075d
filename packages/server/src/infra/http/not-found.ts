// Answers for what no operation serves: 404 for an unknown path, 405 with `Allow` for a known one.

import type { Operation } from '@envsnap/shared';
import type { Request } from 'express';
import { AppError } from '../app-error.ts';
import { contextOf } from './request-context.ts';

/** Knows what the operations serve. */
export function createUnserved(operations: readonly Pick<Operation, 'path' | 'method'>[]) {
  const served = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  for (const { path, method } of operations) {
    const pattern = new RegExp(`^${path.replace(/:[A-Za-z]+/g, '[^/]+')}/?$`, 'i');
    const { methods } = served.get(path) ?? { methods: new Set<string>() };
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
    served.set(path, { pattern, methods });
  }

  /** The templates that a path matches, with their methods; the one without parameters alone when there is one. */
  function matching({ path }: Request) {
    const matches = [...served].filter(([, { pattern }]) => pattern.test(path));
    const fixed = matches.filter(([route]) => !route.includes(':'));
    return fixed.length > 0 ? fixed : matches;
  }

  return {
    /**
     * Whether routing would go wrong: a path such as `/machine/keys/current` that exists, but not with this method, must
     * not be taken for a path with an id; and Express would answer OPTIONS itself.
     */
    isUnserved(request: Request) {
      const [first] = matching(request);
      const isFixed = first !== undefined && !first[0].includes(':');
      return request.method === 'OPTIONS' || (isFixed && !first[1].methods.has(request.method));
    },
    /** Throws `route_not_found` or `method_not_allowed`. */
    refuse(request: Request) {
      const routes = matching(request);
      const [first] = routes;
      if (!first) throw new AppError('route_not_found', 'No operation has this path');
      contextOf(request).route = first[0];
      const allow = [...new Set(routes.flatMap(([, { methods }]) => [...methods]))].sort().join(', ');
      const text = `Method ${request.method} is not allowed here; use ${allow}`;
      throw new AppError('method_not_allowed', text, undefined, { headers: { Allow: allow } });
    },
  };
}
