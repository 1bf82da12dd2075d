// The catalogue of tools: every tool once, and views of it by name.

import type { ToolKind, ToolRow } from './tools/tool-row.ts';
import groups from './tools/tools.json' with { type: 'json' };

export { roleCounts, roleOf, type ToolKind, type ToolRole, type ToolRow } from './tools/tool-row.ts';

interface ToolGroup {
  readonly kind: ToolKind;
  readonly tools: readonly Omit<ToolRow, 'kind'>[];
}

/** All tools, by kind. Names are unique. Cargo changes with its compiler, so it has the role of a language. */
export const tools: readonly ToolRow[] = (groups as readonly ToolGroup[]).flatMap(({ kind, tools: rows }) =>
  rows.map((row) => ({ kind, ...row })),
);

/** Names of all tools, as `runtimeVersions` has them. */
export const toolNames: readonly string[] = tools.map((tool) => tool.name);

const byName = new Map(tools.map((tool) => [tool.name, tool]));
const byAlias = new Map(tools.flatMap((tool) => (tool.aliases ?? []).map((alias) => [alias, tool.name])));

/** The row of a tool by its name in `runtimeVersions`; undefined for tools that a capture does not look for. */
export function toolRow(name: string): ToolRow | undefined {
  return byName.get(name);
}

/** The name in `runtimeVersions` of a tool as files of projects, mise or asdf call it (`nodejs`, `core:go`). */
export function toolNameOf(name: string): string {
  const bare = name.replace(/^(?:core|asdf|aqua|npm|pipx|cargo|ubi|vfox|go|gem):/, '');
  return byAlias.get(bare) ?? bare;
}

/** Its name in a version manager; undefined if the manager has none. */
export function nameInManager(name: string, manager: 'mise' | 'asdf'): string | undefined {
  const known = byName.get(name)?.[manager];
  return known === true ? name : known;
}
