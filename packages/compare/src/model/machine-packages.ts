// Compares packages of the operating system. Most are context, shown in one line. docs/specification.md §11.

import { packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import { counted } from '@envsnap/shared/text/size';
import { listAllHint } from '../causes/terminal-hints.ts';
import type { ComparisonNote, Entry } from './model.ts';

export function isMachineContext(entry: Entry): boolean {
  return entry.context === true && entry.file !== undefined && packageDatabaseOf(entry.file) !== undefined;
}

export function machinePackageNotes(dependencies: readonly Entry[]): ComparisonNote[] {
  const differing = dependencies.filter((entry) => entry.status !== 'same' && isMachineContext(entry));
  if (differing.length === 0) return [];
  const many = counted(differing.length, 'other package', 'other packages');
  const verb = differing.length === 1 ? 'differs' : 'differ';
  return [
    {
      code: 'machine_packages',
      message: `${many} of the operating system ${verb}; they rarely matter${listAllHint}.`,
    },
  ];
}
