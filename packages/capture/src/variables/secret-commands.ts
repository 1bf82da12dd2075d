// Finds secrets in commands and in lines of password files, where the position marks the secret instead of a name.

import { isHarmless } from './secret-assignments.ts';

/** Why a value has a secret in such a position, or undefined. Expressions are bounded, so that long values cost little. */
export function judgeCommands(value: string): string | undefined {
  if (programs.some((program) => program.test(value)) || hasLoginOptions(value) || hasUserAndPassword(value))
    return 'the value is a command with a password';
  // `cn=admin,dc=example:password`, and the secret of a DNS key.
  if (
    /(?:^|[\s"'])(?:cn|uid)=[^\s:]{1,200},(?:dc|o|ou)=[\w-]{1,63}:[^\s:]/i.test(value) ||
    dnsKey.test(value)
  )
    return 'the value is a name and a password';
  if (keyFile.test(value)) return 'the value is a file of keys with its password';
  if (cookie.test(value)) return 'the value is a header with a key';
  if (netrc.test(value) || isPgpass(value)) return 'the value is a line of a password file';
  return undefined;
}

const programs: readonly RegExp[] = [
  /\b(?:mysql|mariadb)\w{0,12}\b[^|;&]{0,300}?\s-p[^\s-]\S*/,
  /\bsshpass\b[^|;&]{0,100}?\s-p\s*\S+/,
  /\bunlock-keychain\b[^|;&]{0,100}?\s-p\s*\S+/,
  /\bredis(?:-cli)?\b[^|;&]{0,200}?\s-a\s+\S+/,
  /\bsigntool\b[^|;&]{0,200}?\s\/p\s+\S+/,
  /\b(?:openssl|nuget|choco)\b[^|;&]{0,200}?\s-k\s+[^\s$-]/,
  /\/u:\S{1,100}\s[^|;&]{0,200}?\/p:[^\s$%]/,
  // Archivers take the password in the option.
  /(?<![\w.-])(?:7z\w{0,2}|p7zip|rar|unrar|zip|unzip|arj)\s[^|;&]{0,200}?(?:-h?p[^\s$-]|-P\s{0,3}[^\s$-])/,
  /(?:^|\s)-p(?!rint0)(?=[A-Z]\S{0,60}\d)/,
  /\b(?:expect|spawn)\b[^|&]{0,200}?\bsend\s+["'][^"']+\\r/,
  /(?:^|\s)-?-?(?:passin|passout|pass|password)\s+pass:\S/,
  // Oracle's programs, lftp, Samba and the clients of SQL.
  /\b(?:sqlplus|sqlldr|expdp|impdp|exp|imp|rman)\s(?:[^|;&]{0,100}\s)?[A-Za-z][\w$#]{0,30}\/[^\s/]/,
  /\b(?:lftp|open)\b[^|;&]{0,100}?\s-u\s+[^\s,]{1,100},[^\s$]/,
  /(?:^|\s)(?:-U|--user)[ =]?[\w.\\/-]{1,60}%[^\s%]/,
  /\bidentified\s+by\s+["']?[^\s"'$]/i,
  /\buser\s+\S{1,60}\s+using\s+\S/i,
  /\bsnmp\w{0,12}\s[^|;&]{0,200}?(?:-[cAX]|--community)\s{1,3}[^\s$-]/,
  /\bldap\w{1,20}\s[^|;&]{0,200}?-w\s{1,3}[^\s$-]/,
  /\b(?:echo|printf)\s+[^\s$|][^|]{0,200}\|\s{0,3}(?:kinit|sudo\s+-S|cryptsetup|(?:ch|smb)?passwd|[^|]{1,200}\b(?:join|login|unlock)\b|[^|]{1,200}--(?:(?:pass\w{0,8}|pw|token)-(?:on-|from-)?stdin|with-token))/,
  /(?:\s-p|-stdin|\b(?:cryptsetup|kinit|sudo\s+-S|(?:ch|smb)?passwd|login|unlock))\s[^|;&]{0,100}<<<\s{0,3}["']?[^\s"'$]/,
  /(?:credentials?|basic_?auth)\((?:["'][^"']{0,100}["'],\s{0,3}){1,3}["'][^"'$]{1,100}["']/i,
  // A mailbox session.
  /\blogin\s+["']?[\w.+-]{1,64}@[\w.-]{1,200}["']?\s+(?=\S{0,60}\d)[^\s$-]/i,
  // `-p abc123xyz9`, if the option has no other meaning for the program.
  /^(?![^\n]{0,200}\b(?:mkdir|cp|cargo|gradlew?|mvnw?|patch|tar|screen|git|rsync|install|python\d?|pytest|uv|npx|turbo|tmux|grep|ssh|scp|docker|podman|lsof|kill|ps|nx|yarn|pnpm|dotnet|tsc|hugo)\b)[^\n]{0,200}?\s-[pwP]\s{1,3}(?=[A-Za-z_!#%^*+]{0,40}\d)(?=[\d_!#%^*+]{0,40}[A-Za-z])[\w!#%^*+]{6,100}(?:\s|$)/,
  // Lines of SNMP's, Redis's and sendmail's files.
  /\br[ow]community6?\s+[^\s$]|\bcommunity["']?\s{0,3}=\s{0,3}["'][^\s$"']|\bsetuser\b[^|;&]{0,200}?\s>[^\s$]|\bAuthInfo:[^|]{0,200}?"P[:=][^\s$]/i,
  /\b[Nn]ick[Ss]erv\s+identify\s+\S|\bradtest\s+\S{1,100}\s+[^\s$-]|\brootpw\s+(?:--plaintext\s+)?[^\s$-]/,
  /\b(?:secrets?|SecureString)\b[^|;&]{0,200}?\s--(?:value|body|secret-string)[ =][^\s$@-]/i,
  /issecret=true[^\]]{0,100}\]\S|::add-mask::\S/i,
  /SecureString\s+["'][^"'$]/,
  /\b(?:add_?user|change_password|http-basic[\w.-]{0,100}|auth-user-pass)\s+[\w.@-]{1,100}\s+[^\s$-]/,
  /\bhtpasswd\s+-\w{0,8}b\w{0,8}\s+(?:\S{1,200}\s+){1,3}[^\s$]/,
  /\bnet\s+use\s+(?:\S{1,10}\s+)?\\\\\S{1,200}\s+[^\s/$%*]|\s\/rp\s+[^\s$%*]/i,
  /\balias\s+set\s+\S{1,60}\s+https?:\/\/\S{1,200}\s+\S{1,100}\s+\S/,
  // Arguments of a login other than options: `cargo login x1y2…`, `doctl auth init -t x1y2…`.
  /\b(?:login|auth|authtoken|activate|authorize[\w-]{0,12})\s+(?:--[\w-]{1,20}[ =]\S{1,60}\s+){0,2}(?:[a-z]{2,12}\s+)?(?:-[tkp]\s+)?(?:[a-z]\.)?(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Za-z])[\w-]{8,200}(?:\s|$)/,
  /(?:^|\s)-t\s+[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?:\s|$)/i,
];

/**
 * `-u bob -p secret`, `-uroot -psecret`: beside a user, the text after -p is a password, unless it is a port, address or setting.
 */
function hasLoginOptions(value: string): boolean {
  // Maven's -U and -P are about updates and profiles. MySQL's -p asks for the password if a blank follows.
  return !/\bmvnw?\b/.test(value) && loginOptions.test(value.replace(asks, ' '));
}

const asks = /\b(?:mysql|mariadb)[\w-]{0,20}\s[^|;&]{0,300}?\s-p(?=\s)/g;

const loginOptions =
  /(?:^|\s)(?:-[uU]|-user|--user|--username)[ =]?[^\s-]\S{0,100}\s(?:[^|;&]{0,200}\s)?-[pP](?:w|\s{1,3})?(?!(?:[\d.]{1,15}:){0,2}\d{1,5}(?:\s|$))[^\s=-][^\s=]{0,100}(?:\s|$)/;

/** `-u admin:pw`, as for curl; user and group of a container are not a password. */
function hasUserAndPassword(value: string): boolean {
  const [found, user = '', password = ''] =
    /(?:^|\s)(?:-u|-a|-U|--user|--auth|--proxy-user|--creds|--src-creds|--dest-creds)[ =]?["']?([^\s:"'/=-][^\s:"'/=]{0,100}):([^\s"'/]{1,100})/.exec(
      value,
    ) ?? [];
  if (found === undefined || /\b(?:docker|podman|nerdctl|chown|setpriv|kubectl)\b/.test(value)) return false;
  return !(/^\d+$/.test(user) && /^\d+$/.test(password)) && !isHarmless(password);
}

const dnsKey = /(?<![\w-])hmac-\w{3,6}:[\w.-]{1,100}:[\w+/]{8}/;

/** A file of keys and the password that opens it: `client.p12:hunter2`; not two files, and not a mount. */
const keyFile =
  /\.(?:p12|pfx|jks|kdbx?|keystore|pem|key):(?!r[ow]\b|[zZ]$)[^\s:/\\"',]{3,100}(?=["'\s,]|$)(?<!\.[a-z]\w{1,4})/;

const cookie = /(?:^|[\s"'])(?:set-)?cookie["']?\s{0,3}[:=]\s{0,3}["']?[\w-]{1,60}=[^\s;"']/i;

const netrc = /\blogin\s+\S{1,255}\s+(?:account\s+\S{1,255}\s+)?password\s+\S/;

/** `host:port:database:user:password` or `host:port user:password`, as a whole line. */
function isPgpass(value: string): boolean {
  return value
    .split('\n', 50)
    .some((line) =>
      /^(?!\d+:)[^\s:/]{1,255}:(?:\d{2,5}|\*)(?::[^\s:]{1,100}:[^\s:]{1,100}:[^\s]{1,200}|\s{1,9}[\w.@+-]{1,100}:(?!\d{1,5}$)[^\s:/]{3,200})$/.test(
        line,
      ),
    );
}
