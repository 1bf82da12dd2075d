// Removes users, passwords and tokens from the addresses in a text.

/** Query parameters that select a revision. All others are removed, because they may contain tokens. */
const revisionParameters = new Set('branch tag rev ref sha commit dir subdirectory path v'.split(' '));

/** `user:password@host:path`, a form that git accepts. */
const scpCredentials = /(^|[\s+])[^\s/@:+]+:[^\s/@:+]+@(?=[\w.-]+:)/g;

/** A user name, `user:password` or token before a host. The password may contain any character. */
export const userInfo =
  /:\/\/(?:[^\s/?#"'<>]+@|[^\s/?#@:["'<>]*:(?!\d{0,5}(?:[\s/?#"'<>]|$)|\d{1,5}[\\,;|&)`]|\$\{)(?:[^\s@"'<>:]|:[^\s@"'<>:/])*@)/g;

/** Removes users, passwords and tokens before hosts from a text. */
export function withoutUsers(text: string): string {
  // `git@` and similar names are not secret; such URLs need them.
  return text.replace(userInfo, (found, offset: number) =>
    /ssh/i.test(text.slice(Math.max(0, offset - 8), offset)) && !found.includes(':', 1) ? found : '://',
  );
}

/** Removes user names, passwords, tokens, and query parameters that may be tokens from every address in a text. */
export function withoutCredentials(text: string): string {
  return withoutUsers(text.replace(scpCredentials, '$1')).replace(
    /:\/\/((?:(?!:\/\/)[^\s/?#])*)((?:(?!:\/\/)[^\s?#])*)(\?[^\s#]*)?/g,
    (_, host: string, path: string, query = '') => {
      const harmless = query
        .slice(1)
        .split('&')
        .filter((each: string) => revisionParameters.has(each.replace(/=.*$/s, '')) && !each.includes('://'));
      return `://${host}${withoutTokenFolder(host, path)}${harmless.length > 0 ? `?${harmless.join('&')}` : ''}`;
    },
  );
}

/** Hosts with a token in the path, and the part that is the token. */
const tokenFolders: readonly (readonly [host: RegExp, folder: RegExp])[] = [
  // Anaconda's `/t/TOKEN/` opens a private channel, also on self-hosted servers.
  [/./, /^\/t\/[^/]+(?=\/|$)/],
  [/(?:^|\.)(?:fury\.(?:io|site)|gemfury\.com)$/i, /^\/[\w-]{8,}(?=\/|$)/],
  [/(?:^|\.)cloudsmith\.io$/i, /^\/(?!public\/|basic\/)[\w-]{8,}(?=\/)/],
];

export function withoutTokenFolder(host: string, path: string): string {
  const token = tokenFolders.find(([hosts, folder]) => hosts.test(host) && folder.test(path));
  return token ? path.replace(token[1], '') : path;
}
