// Reads `.tool-versions` of asdf, `mise.toml` and `rust-toolchain`. Names are those of the version manager.

import { field, recordOf } from '@envsnap/shared/plain-object';

/** Tool to its versions, in order of preference. */
export type ToolList = ReadonlyMap<string, readonly string[]>;

/** Names of mise's configuration files in a folder, in order of precedence. */
export const miseFiles =
  `mise.local.toml .mise.local.toml mise.toml .mise.toml mise/config.toml .mise/config.toml
  .config/mise.toml .config/mise/config.toml`.split(/\s+/);

/** If a tool is listed twice, the first line counts. */
export function toolVersions(text: string | undefined): ToolList {
  const versions = new Map<string, string[]>();
  for (const line of (text ?? '').split('\n')) {
    const [plugin, ...listed] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (plugin && listed.length > 0 && !versions.has(plugin)) versions.set(plugin, listed);
  }
  return versions;
}

/** The table `[tools]`: a version, a list of them, or tables with `version`. Throws where the text is damaged. */
export async function miseTools(text: string): Promise<ToolList> {
  const { parse } = await import('smol-toml');
  const tools = new Map<string, string[]>();
  for (const [tool, value] of Object.entries(recordOf(parse(text).tools))) {
    const versions = [value]
      .flat()
      .map((each: unknown) => field(each, 'version') ?? each)
      .filter((each) => typeof each === 'string' || typeof each === 'number')
      .map(String);
    if (versions.length > 0) tools.set(tool, versions);
  }
  return tools;
}

/** The version in a `rust-toolchain` file, in its old form (one line) or in TOML. */
export function rustToolchain(text: string): { channel?: string; path?: string } {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  const filled = lines.filter(Boolean);
  if (filled.length === 1 && !filled[0]?.startsWith('[')) return { channel: filled[0] ?? '' };
  const channel = /^[ \t]*channel[ \t]*=[ \t]*["']([^"'\n]+)["']/m.exec(text)?.[1];
  const path = /^[ \t]*path[ \t]*=[ \t]*["']([^"'\n]+)["']/m.exec(text)?.[1];
  return { ...(channel && { channel }), ...(path && { path }) };
}
