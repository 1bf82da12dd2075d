// Settings that switch a protection off. Advice never asks a side to give up a protection.

import type { Entry } from '../model/model.ts';
import type { Repair } from './repair.ts';

interface Protection {
  readonly key: RegExp;
  readonly off: RegExp;
  readonly instead: string;
}

const trust =
  'instead of switching checks off, trust the certificate authority (NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, the package ca-certificates)';

const protections: readonly Protection[] = [
  { key: /^NODE_TLS_REJECT_UNAUTHORIZED$|^PYTHONHTTPSVERIFY$/, off: /^0$/, instead: trust },
  {
    key: /^npm_config_strict_ssl$|^npm\.strictSsl$|^git\.http\.sslVerify$/i,
    off: /^(?:false|0|no)$/i,
    instead: trust,
  },
  { key: /^GIT_SSL_NO_VERIFY$|^PIP_TRUSTED_HOST$|^UV_INSECURE_HOST$|^GOINSECURE$/, off: /./, instead: trust },
  {
    key: /^git\.protocol\.fileAllow$|^GIT_ALLOW_PROTOCOL$/,
    off: /always|file/,
    instead: 'instead of allowing the file protocol everywhere, name the submodule or remote by https or ssh',
  },
  {
    key: /^git\.safe\.directory$/,
    off: /\*/,
    instead: 'instead of trusting every folder, run “chown” on this one, or name it as safe.directory,',
  },
];

export function alternativeToWeakening(entry: Entry, wanted: 'a' | 'b'): Repair | undefined {
  const protection = protections.find(({ key }) => key.test(entry.key));
  if (!protection) return undefined;
  const isThere = entry.status !== (wanted === 'a' ? 'added' : 'removed');
  const value = entry[wanted];
  // Variables whose values are not shown may hold anything.
  if (!isThere || (value !== null && !protection.off.test(value))) return undefined;
  return { side: wanted === 'a' ? 'b' : 'a', kind: 'configure', what: protection.instead, commands: [] };
}
