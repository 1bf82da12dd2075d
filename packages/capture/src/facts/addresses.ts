// Addresses of registries, indexes and proxies as facts: host, port and path, never the user or password.

import { withoutTokenFolder, withoutUsers } from '../dependencies/without-credentials.ts';

/**
 * `https://user:secret@npm.example.com/team/` becomes `npm.example.com/team`. If a text is not an address, anything
 * in it that may be a credential is removed. Queries and fragments are removed, because they may contain tokens.
 */
export function addressOf(text: string): string {
  const trimmed = withoutUsers(text.trim().replace(/^["']|["']$/g, ''));
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(trimmed)?.[0] ?? '';
  const [rest = ''] = trimmed.slice(scheme.length).split(/[?#]/);
  const slash = rest.indexOf('/');
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const path = withoutTokenFolder(host, slash < 0 ? '' : rest.slice(slash));
  // A path may contain a token; long words with mixed characters are not names of repositories.
  const safePath = path.replace(/(?<!\/)\/+$/, '').replace(/[A-Za-z0-9_-]{24,}/g, '…');
  return (scheme.toLowerCase() === 'file://' || host === '' ? 'file' : host + safePath).replace(
    /^sparse\+/,
    '',
  );
}
