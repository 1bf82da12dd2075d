import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { StartupError } from '../../../../packages/server/src/infra/app-error.ts';
import {
  createMasterKeyFile,
  parseMasterKeys,
  readMasterKeyFile,
} from '../../../../packages/server/src/infra/crypto/master-keys.ts';
import { temporaryFolder } from '../../../support/databases.ts';

const folders: string[] = [];
function folder(): string {
  const made = temporaryFolder();
  folders.push(made);
  return made;
}
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});

function refusal(text: string): string {
  try {
    parseMasterKeys(text, 'ENVSNAP_ENCRYPTION_KEY');
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError);
    return (error as Error).message;
  }
  throw new Error('it was accepted');
}

test('a key is the same in hex, base64, base64url and without padding', () => {
  const bytes = randomBytes(32);
  const ids = [bytes.toString('hex'), bytes.toString('hex').toUpperCase(), bytes.toString('base64')]
    .concat(
      bytes.toString('base64url'),
      bytes.toString('base64').replace('=', ''),
      ` ${bytes.toString('hex')} `,
    )
    .map((text) => parseMasterKeys(text, 's').primary.id);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^[0-9a-f]{16}$/);
});

test('several keys keep their order and labels, the first is primary', () => {
  const [newer, older] = [randomBytes(32).toString('base64'), randomBytes(32).toString('hex')];
  const keyring = parseMasterKeys(`2026:${newer}, 2025:${older}`, 's');
  expect([...keyring.keys.values()].map(({ label }) => label)).toEqual(['2026', '2025']);
  expect(keyring.primary.label).toBe('2026');
});

test('what is not a key is refused without being repeated', () => {
  const good = randomBytes(32).toString('base64');
  const short = randomBytes(31).toString('base64');
  for (const text of ['', 'changeme', short, randomBytes(33).toString('hex'), `${good},`, `${good},x y`]) {
    const message = refusal(text);
    expect(message).toContain('ENVSNAP_ENCRYPTION_KEY must be 32 bytes');
    if (text.length > 4) expect(message).not.toContain(text);
  }
  expect(refusal(`${good},${short}`)).toContain('key 2 of ENVSNAP_ENCRYPTION_KEY');
  expect(refusal(`a:${good},b:${good}`)).toContain('twice');
});

test('a generated key is a private file, made once', () => {
  const dataDir = folder();
  expect(readMasterKeyFile(dataDir)).toBeUndefined();
  const made = createMasterKeyFile(dataDir);
  const file = path.join(dataDir, 'master.key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const content = readFileSync(file, 'utf8');
  expect(createMasterKeyFile(dataDir).primary.id).toBe(made.primary.id);
  expect(readMasterKeyFile(dataDir)?.primary.id).toBe(made.primary.id);
  expect(readFileSync(file, 'utf8')).toBe(content);
  expect(readdirSync(dataDir)).toEqual(['master.key']);
});

test('a damaged key file and a folder that is not there stop the start', () => {
  const dataDir = folder();
  writeFileSync(path.join(dataDir, 'master.key'), 'half a k');
  expect(() => readMasterKeyFile(dataDir)).toThrow(StartupError);
  expect(() => createMasterKeyFile(path.join(dataDir, 'absent'))).toThrow(StartupError);
});
