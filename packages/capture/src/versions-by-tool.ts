// The versions of tools by name, as a snapshot has them.

import type { ToolFinding } from './capture-types.ts';
import { sortedRecord } from './sorted-record.ts';

/** `{ node: '24.1.0', … }`, sorted. */
export function versionsByTool(tools: readonly ToolFinding[]): Record<string, string> {
  return sortedRecord(tools.map(({ name, version }) => [name, version] as const));
}
