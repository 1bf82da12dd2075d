import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  type Flags,
  isBootstrapExposed,
  listUnknownSettings,
  loadConfig,
} from '../../packages/server/src/config.ts';
import { StartupError } from '../../packages/server/src/infra/app-error.ts';
import { temporaryFolder } from '../support/databases.ts';
import { readTestData } from '../support/test-data.ts';

const { defaults, settings, loaded, refused } = readTestData<{
  defaults: object;
  settings: Record<string, string>;
  loaded: object;
  refused: [string, string][];
}>(import.meta);

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function refusal(env: Record<string, string>, flags: Flags = {}): string {
  try {
    loadConfig(env, flags);
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError);
    return (error as Error).message;
  }
  throw new Error('it was accepted');
}

test('without any setting the documented defaults hold', () => {
  expect(loadConfig({})).toEqual({ ...defaults, dataDir: path.resolve('envsnap-data') });
});

test('every setting of the interface page is read', () => {
  const config = loadConfig(settings);
  expect(config).toMatchObject(loaded);
  expect(config.webhooks.allow).toHaveLength(2);
  expect(config.trustProxy).toHaveLength(1);
  expect(config.corsOrigins).toEqual(['https://app.example.com', 'http://localhost:3000']);
});

test('flags win over the environment, and an empty variable counts as not set', () => {
  const config = loadConfig(
    { ENVSNAP_PORT: '1', ENVSNAP_HOST: '', ENVSNAP_DATA_DIR: '/a', DATABASE_URL: '  ' },
    { port: '2', dataDir: '/b', host: undefined },
  );
  expect(config).toMatchObject({ port: 2, host: '127.0.0.1', dataDir: '/b', databaseUrl: undefined });
});

test.each(refused)(
  '%s=%s is refused in one line that names the setting and says what is allowed',
  (name, value) => {
    const message = refusal({ [name]: value });
    expect(message.startsWith(`${name} must be `)).toBe(true);
    expect(message).not.toContain('\n');
    expect(message).not.toContain('undefined');
    expect(message).not.toContain('hunter2');
  },
);

test('a refused flag is named as the flag', () => {
  expect(refusal({}, { port: 'http' })).toBe('--port must be a whole number from 0 to 65535');
});

test('bootstrap by token needs a token, of 16 characters at least', () => {
  expect(refusal({ ENVSNAP_BOOTSTRAP: 'token' })).toContain('ENVSNAP_BOOTSTRAP_TOKEN');
  for (const mode of ['token', 'open']) {
    const short = refusal({ ENVSNAP_BOOTSTRAP: mode, ENVSNAP_BOOTSTRAP_TOKEN: 'fifteen letters' });
    expect(short).toContain('ENVSNAP_BOOTSTRAP_TOKEN must be at least 16 characters');
    expect(short).not.toContain('fifteen');
  }
});

test('secrets may come from files or from variables, but not from both', () => {
  const file = path.join(folder, 'secret');
  writeFileSync(file, 'from the file\n');
  expect(loadConfig({ ENVSNAP_ENCRYPTION_KEY_FILE: file }).encryptionKey).toBe('from the file');
  expect(refusal({ ENVSNAP_ENCRYPTION_KEY_FILE: file, ENVSNAP_ENCRYPTION_KEY: 'x' })).toContain('both set');
  expect(refusal({ ENVSNAP_ENCRYPTION_KEY_FILE: path.join(folder, 'absent') })).toContain(
    'ENVSNAP_ENCRYPTION_KEY_FILE names a file that cannot be read',
  );
  expect(refusal({ DATABASE_URL_FILE: file })).toMatch(/^the content of DATABASE_URL_FILE must be/);
});

test('the drain is 0 on loopback and 5 seconds elsewhere, unless it is set', () => {
  expect(loadConfig({ ENVSNAP_HOST: '::1' }).drainSeconds).toBe(0);
  expect(loadConfig({ ENVSNAP_HOST: '0.0.0.0' }).drainSeconds).toBe(5);
  expect(loadConfig({ ENVSNAP_HOST: '0.0.0.0', ENVSNAP_DRAIN_SECONDS: '0' }).drainSeconds).toBe(0);
  expect(loadConfig({ ENVSNAP_DRAIN_SECONDS: '7' }).drainSeconds).toBe(7);
});

test('variables that look like settings but are none are reported', () => {
  const env = {
    ENVSNAP_HOTS: 'x',
    ENVSNAP_PORT: '1',
    ENVSNAP_ENCRYPTION_KEY_FILE: 'f',
    ENVSNAP_EMPTY: '',
    HOME: 'h',
  };
  expect(listUnknownSettings({ ...env, ENVSNAP_A: '1' })).toEqual(['ENVSNAP_A', 'ENVSNAP_HOTS']);
});

test.each([
  [{ ENVSNAP_HOST: '0.0.0.0' }, true],
  [{ ENVSNAP_HOST: '::' }, true],
  [{ ENVSNAP_HOST: '0.0.0.0', ENVSNAP_BOOTSTRAP: 'closed' }, false],
  [{ ENVSNAP_HOST: '0.0.0.0', ENVSNAP_BOOTSTRAP: 'token', ENVSNAP_BOOTSTRAP_TOKEN: 't'.repeat(32) }, false],
  [{ ENVSNAP_HOST: '127.0.0.2' }, false],
  [{}, false],
])('whether strangers may make projects, with %j: %s', (env, exposed) => {
  expect(isBootstrapExposed(loadConfig(env))).toBe(exposed);
});

test('what Kubernetes sets beside a Service named envsnap is no setting', () => {
  const env = {
    ENVSNAP_PORT: 'tcp://10.0.0.1:4780',
    ENVSNAP_SERVICE_HOST: '10.0.0.1',
    ENVSNAP_SERVICE_PORT: '4780',
    ENVSNAP_SERVICE_PORT_HTTP: '4780',
    ENVSNAP_PORT_4780_TCP: 'tcp://10.0.0.1:4780',
    ENVSNAP_PORT_4780_TCP_ADDR: '10.0.0.1',
  };
  expect(loadConfig(env).port).toBe(4780);
  expect(loadConfig(env, { port: '5000' }).port).toBe(5000);
  expect(listUnknownSettings(env)).toEqual([]);
  expect(refusal({ ENVSNAP_PORT: 'http://10.0.0.1' })).toContain('ENVSNAP_PORT must be');
});
