// Whether a role may call an operation, and the refusal when it may not. docs/specification.md §1.

import type { Operation, Role } from '@envsnap/shared';
import { AppError } from '../app-error.ts';

/** Throws `role_forbidden`, which names the roles that may call, unless the operation is open to the role. */
export function checkRole({ access }: Operation, role: Role | undefined): void {
  if (typeof access === 'string' || (role && access.includes(role))) return;
  throw new AppError('role_forbidden', `Forbidden: requires one of [${access.join(', ')}]`);
}
