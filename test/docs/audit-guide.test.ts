// The guide of the audit log names every action, and none that does not exist.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { auditActionNames } from '@envsnap/shared/catalogue/audit-actions';
import { expect, it } from 'vitest';

it('has all actions in its table', () => {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/guides/audit.md'), 'utf8');
  const rows = [...guide.matchAll(/^\| [^|`]+ \| (`\w+\.\w+`.*) \|$/gm)].map(([, actions = '']) => actions);
  const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, action]) => action));
  expect(named.sort()).toEqual([...auditActionNames].sort());
});
