import { describe, expect, it } from 'vitest';
import { collectFiles } from '../../collect-files.ts';

describe('Cargo.lock', () => {
  it.each([
    ['a text without an end', '[[package]]\nname = "a\n', 4],
    ['a package without a version', '[[package]]\nname = "a"\nversion = "1"\n\n[[package]]\nname = "b"\n', 7],
  ])('reports %s with its line', async (_, text, line) => {
    const { warnings } = await collectFiles({ 'Cargo.lock': `version = 4\n\n${text}` });
    expect(warnings).toEqual([expect.objectContaining({ file: 'Cargo.lock', line })]);
  });
});

describe('Cargo.toml', () => {
  const member = `[package]
name = "member"
[dependencies]
serde = "1"
rand = { version = "0.8", features = ["std"] }
renamed = { package = "real", version = "2" }
forked = { git = "https://host.invalid/o/forked", rev = "abc" }
local = { path = "../local" }
shared = { workspace = true }
dotted.workspace = true
[target.'cfg(unix)'.dependencies]
libc = "0.2"
[dev-dependencies]
serde = "1.0.1"
`;
  const root =
    '[workspace]\nmembers = ["member"]\n[workspace.dependencies]\nshared = "3.1"\ndotted = { version = "4" }\n';

  it('takes inherited requirements from the workspace above, where no Cargo.lock governs', async () => {
    const { dependencies, warnings } = await collectFiles({
      'Cargo.toml': root,
      'crates/member/Cargo.toml': member,
    });
    expect(warnings).toEqual([]);
    expect({ ...dependencies['crates/member/Cargo.toml'] }).toEqual({
      serde: '1, 1.0.1',
      rand: '0.8',
      real: '2',
      forked: 'git+https://host.invalid/o/forked#abc',
      local: 'path:../local',
      shared: '3.1',
      dotted: '4',
      libc: '0.2',
    });
    expect({ ...dependencies['Cargo.toml'] }).toEqual({ shared: '3.1', dotted: '4' });
  });

  it('is left out below the folder of a Cargo.lock', async () => {
    const { dependencies } = await collectFiles({
      'Cargo.lock': 'version = 4\n',
      'Cargo.toml': root,
      'crates/member/Cargo.toml': member,
    });
    expect(Object.keys(dependencies)).toEqual(['Cargo.lock']);
  });
});
