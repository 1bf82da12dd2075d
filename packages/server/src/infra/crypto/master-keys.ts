// Owns the operator's master keys: reading them from the setting or the generated file, and their ids.

import { createSecretKey, hash, type KeyObject, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { StartupError } from '../app-error.ts';
import { giveToFolderOwner } from '../ownership.ts';

/** Name of the generated master key's file in the data folder. */
export const masterKeyFile = 'master.key';

interface MasterKey {
  /** 16 hex digits derived from the key, so that a wrong key is noticed by its id. Not secret. */
  readonly id: string;
  /** The operator's name for it; null if it has none. */
  readonly label: string | null;
  readonly key: KeyObject;
}

/** The supplied master keys: the first wraps, all unwrap. */
export interface Keyring {
  readonly primary: MasterKey;
  /** The source of the keys, for messages. */
  readonly source: string;
  readonly keys: ReadonlyMap<string, MasterKey>;
}

const keyBytes = 32;

function createMasterKey(bytes: Buffer, label: string | null): MasterKey {
  const digest = hash('sha256', Buffer.concat([Buffer.from('envsnap master key id'), bytes]), 'hex');
  return { id: digest.slice(0, 16), label, key: createSecretKey(bytes) };
}

/** 32 bytes from 64 hex digits or from base64 (either alphabet, padding optional); undefined for anything else. */
function decodeKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === keyBytes ? bytes : undefined;
}

/**
 * Reads one or several master keys, separated by commas, newest first, each `key` or `label:key`, where a key is 32
 * bytes in base64 or hex. `source` names the setting in errors; the text never appears in one.
 * Errors: StartupError.
 */
export function parseMasterKeys(text: string, source: string): Keyring {
  const keys = new Map<string, MasterKey>();
  for (const [index, entry] of text.split(',').entries()) {
    const where = text.includes(',') ? `key ${index + 1} of ${source}` : source;
    const [, label = null, encoded = ''] = /^(?:([A-Za-z0-9._-]{1,64}):)?(\S*)$/.exec(entry.trim()) ?? [];
    const bytes = decodeKey(encoded);
    if (!bytes)
      throw new StartupError(
        `${where} must be 32 bytes in base64 or hex, such as the output of: openssl rand -base64 32`,
      );
    const masterKey = createMasterKey(bytes, label);
    if (keys.has(masterKey.id)) throw new StartupError(`${where} is given twice`);
    keys.set(masterKey.id, masterKey);
  }
  const [primary] = keys.values();
  if (!primary) throw new StartupError(`${source} contains no key`);
  return { primary, source, keys };
}

/** The generated master key of the data folder; undefined if there is none yet. Errors: StartupError. */
export function readMasterKeyFile(dataDir: string): Keyring | undefined {
  const file = path.join(dataDir, masterKeyFile);
  if (!existsSync(file)) return undefined;
  try {
    return parseMasterKeys(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`cannot read the master key in ${file}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Generates a master key in the data folder, mode 0600, or returns that of a faster process. Errors: StartupError. */
export function createMasterKeyFile(dataDir: string): Keyring {
  placeKeyFile(dataDir, randomKeyText(), true);
  return requireMasterKeyFile(dataDir);
}

/** Writes the key's file into the data folder again, for a restore. Errors: StartupError if the file exists. */
export function restoreMasterKeyFile(dataDir: string, text: string): void {
  placeKeyFile(dataDir, text.trim(), false);
}

function placeKeyFile(dataDir: string, text: string, mayBeThere: boolean): void {
  const file = path.join(dataDir, masterKeyFile);
  try {
    const draft = writeDraft(file, text);
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!mayBeThere || (error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      unlinkSync(draft);
    }
    syncFolder(dataDir);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

/** Adds a new random key before those in the data folder's file, while the server is stopped. Errors: StartupError. */
export function addGeneratedMasterKey(dataDir: string): Keyring {
  return rewriteMasterKeyFile(dataDir, (entries) => [randomKeyText(), ...entries]);
}

/**
 * Leaves only the newest key in the data folder's file, once nothing in the database needs the others. Older backups need them,
 * so each moves to `master.key.ID` beside it, mode 0600. Returns those files. Errors: StartupError.
 */
export function retireMasterKeys(dataDir: string): string[] {
  const file = path.join(dataDir, masterKeyFile);
  const { primary, keys } = requireMasterKeyFile(dataDir);
  const retired: string[] = [];
  for (const { id, key } of keys.values()) {
    if (id === primary.id) continue;
    const target = `${file}.${id}`;
    try {
      renameSync(writeDraft(file, key.export().toString('base64')), target);
    } catch (error) {
      throw cannotWrite(target, error);
    }
    retired.push(target);
  }
  rewriteMasterKeyFile(dataDir, (entries) => entries.slice(0, 1));
  return retired;
}

function rewriteMasterKeyFile(dataDir: string, change: (entries: string[]) => string[]): Keyring {
  const file = path.join(dataDir, masterKeyFile);
  try {
    const entries = readFileSync(file, 'utf8').trim().split(',');
    renameSync(writeDraft(file, change(entries).join(',')), file);
    syncFolder(dataDir);
  } catch (error) {
    throw cannotWrite(file, error);
  }
  return requireMasterKeyFile(dataDir);
}

function randomKeyText(): string {
  return randomBytes(keyBytes).toString('base64');
}

/** Writes the text to a file beside `file`, mode 0600, flushed; returns its name. */
function writeDraft(file: string, text: string): string {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    giveToFolderOwner(draft, descriptor);
    writeSync(descriptor, `${text}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return draft;
}

function cannotWrite(file: string, cause: unknown): StartupError {
  return new StartupError(`cannot write the master key to ${file}: ${(cause as Error).message}`, { cause });
}

function requireMasterKeyFile(dataDir: string): Keyring {
  const keyring = readMasterKeyFile(dataDir);
  if (!keyring)
    throw new StartupError(`the master key file ${path.join(dataDir, masterKeyFile)} is gone: restore it`);
  return keyring;
}

/** Makes a new name survive a power failure; some systems cannot open folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
