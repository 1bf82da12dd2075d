// What a difference in facts changes for a run: A's value on one side, nothing on this machine's side.

import type { FactRow } from '@envsnap/shared/catalogue/facts/fact';
import { factCatalogue } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { describe, expect, it } from 'vitest';
import type { Side } from '../../../../packages/cli/src/actions/bisect/bisect-change.ts';
import { planChanges } from '../../../../packages/cli/src/actions/bisect/bisect-changes.ts';
import { newSetting } from '../../../../packages/cli/src/actions/bisect/bisect-setting.ts';

type Facts = Record<string, string | boolean>;

async function plan(a: Facts, here: Facts, env: Record<string, string> = {}) {
  const snapshotWith = (facts: Facts) => ({
    machineName: 'm',
    os: 'linux',
    arch: 'x64',
    envVars: {},
    metadata: { facts },
  });
  const local = snapshotWith(here);
  const sides = { a: snapshotWith(a), b: local, local, bIsLocal: true };
  const { changes, notTried } = await planChanges({ ...sides, checkout: undefined, env });
  /** The changes for a run on one side. */
  const variablesOn = (side: Side) => {
    const setting = newSetting(env);
    for (const change of changes) change.apply(setting, side);
    return { ...setting.env, ...Object.fromEntries(setting.git) };
  };
  return { planned: changes.map(({ id }) => id), notTried, a: variablesOn('a'), b: variablesOn('b') };
}

describe('a difference in facts', () => {
  it('gives a run the value of A', async () => {
    const { a, b } = await plan({ 'git.core.precomposeUnicode': true, 'cargo.target': 'wasm32-wasip1' }, {});
    expect(a).toEqual({ 'core.precomposeunicode': 'true', CARGO_BUILD_TARGET: 'wasm32-wasip1' });
    expect(b).toEqual({});
  });

  it('gives a run the default of a tool if A has no value', async () => {
    const { a, b } = await plan(
      {},
      {
        'npm.registry': '127.0.0.1:9',
        'uv.index': '127.0.0.1:9',
        'npm.strictSsl': false,
        'git.core.autocrlf': 'true',
        'go.proxy': 'off',
      },
    );
    expect(a).toEqual({
      GOPROXY: 'https://proxy.golang.org,direct',
      npm_config_registry: 'https://registry.npmjs.org',
      UV_DEFAULT_INDEX: 'https://pypi.org/simple',
      npm_config_strict_ssl: 'true',
      'core.autocrlf': 'false',
    });
    expect(b).toEqual({});
  });

  it('removes a variable that A lacks, and says so if no variable can undo a setting', async () => {
    const env = { COLUMNS: '80', SSH_AUTH_SOCK: '/run/agent' };
    const ofVariables = await plan({}, { 'terminal.columns': '80', 'process.sshAgent': true }, env);
    expect(ofVariables).toMatchObject({ planned: expect.arrayContaining(['facts.process.sshAgent']), a: {} });
    expect(ofVariables.b).toEqual(env);
    expect(await plan({ 'process.sshAgent': true }, {})).toMatchObject({
      planned: [],
      notTried: [
        { key: 'facts.process.sshAgent', reason: 'the snapshot says that it is set, but not to which value' },
      ],
    });
    const ofFiles = await plan(
      {},
      { 'git.core.precomposeUnicode': true, 'cargo.target': 'wasm32-wasip1', 'yarn.nodeLinker': 'pnp' },
    );
    expect(ofFiles.planned).toEqual([]);
    const reason = 'a file on this machine sets it, and no variable overrides that';
    expect(ofFiles.notTried).toEqual(
      expect.arrayContaining([
        { key: 'facts.git.core.precomposeUnicode', reason: 'git cannot unset it' },
        { key: 'facts.cargo.target', reason },
        { key: 'facts.yarn.nodeLinker', reason },
      ]),
    );
  });

  it('leaves every setting and variable of this machine unchanged on its own side', async () => {
    const rows = Object.entries<FactRow>(factCatalogue).filter(
      ([, { apply }]) => apply?.by === 'variable' || apply?.by === 'git-config',
    );
    const facts = Object.fromEntries(
      rows.map(([name, { kind, unset }]): [string, string | boolean] => [
        name,
        kind === 'flag' ? unset !== 'true' : 'x.example',
      ]),
    );
    expect((await plan(facts, {})).b).toEqual({});
    expect((await plan({}, facts)).b).toEqual({});
    expect((await plan(facts, {})).planned.length).toBeGreaterThan(rows.length / 2);
  });
});
