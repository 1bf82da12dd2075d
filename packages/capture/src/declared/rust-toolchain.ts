// `rust-toolchain` and `rust-toolchain.toml`, as rustup reads them.

/** What a `rust-toolchain` file declares, in its old form (one line) or in TOML. */
export function rustToolchain(text: string): { channel?: string; path?: string } {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  const filled = lines.filter(Boolean);
  if (filled.length === 1 && !filled[0]?.startsWith('[')) return { channel: filled[0] ?? '' };
  const channel = /^[ \t]*channel[ \t]*=[ \t]*["']([^"'\n]+)["']/m.exec(text)?.[1];
  const path = /^[ \t]*path[ \t]*=[ \t]*["']([^"'\n]+)["']/m.exec(text)?.[1];
  return { ...(channel && { channel }), ...(path && { path }) };
}
