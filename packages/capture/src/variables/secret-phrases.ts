// Secrets inside of longer values: options of commands, headers, lines of .netrc and .pgpass, addresses without a scheme.

import { judgeName } from './secret-names.ts';

/** Why a value holds a secret somewhere, or undefined. Expressions are bounded, so that long values cost little. */
export function judgePhrases(value: string): string | undefined {
  if (options(value)) return 'the value holds an option with a password or token';
  if (programs.some((program) => program.test(value))) return 'the value is a command with a password';
  if (userAndPassword(value)) return 'the value is a command with user and password';
  if (element.test(value)) return 'the value is XML with a password or token';
  if (header.test(value)) return 'the value is a header with a key';
  if (netrc.test(value) || pgpass(value)) return 'the value is a line of a password file';
  if (addresses.some((address) => address.test(value)))
    return 'the value is an address with a password or token';
  return undefined;
}

/** `--token X`, `-storepass=x`: the option's name decides as a variable's would. */
function options(value: string): boolean {
  for (const [, name = '', given = ''] of value.matchAll(
    /(?:^|[\s"'])--?([A-Za-z][\w-]{1,60})(?:\s{1,3}|=)["']?([^\s"']{1,200})/g,
  )) {
    if (given.startsWith('-') || harmless.test(given)) continue;
    const judged = judgeName(name.replaceAll('-', '_'));
    if (judged?.strength === 'strong' || keyOptions.test(name)) return true;
  }
  return false;
}

const keyOptions =
  /(?:^|[-_])(?:api|access|secret|private|auth|account|license|signing|subscription)[-_]?key$/i;
/** A reference to a variable, a file or another place. */
const harmless =
  /^(?:\$|%\w+%|@|[.~]?\/|file:|env:|https?:\/\/[^@]*$|true$|false$|\d{1,3}$|\*+$)|\.(?:pem|crt|cer|key|json|ya?ml|txt|jks|p12|pfx)$/i;

const programs: readonly RegExp[] = [
  // Options of MySQL's programs without their name: -uroot -psecret. Other programs' -p takes a port.
  /(?:^|\s)-u\s?[^\s-]\S{0,100}\s(?:[^|;&]{0,200}\s)?-p(?!\d{1,5}(?::\d+)?(?:\s|$))[^\s-]\S*/,
  // `login -u bob -p secret`: beside a user, what follows -p is no port.
  /(?:^|\s)(?:-u|--user|--username)[ =][^\s-]\S{0,100}\s(?:[^|;&]{0,200}\s)?-p\s{1,3}(?!\d{1,5}(?::\d+)?(?:\s|$))[^\s-]\S/,
  /\b(?:mysql|mariadb)\w{0,12}\b[^|;&]{0,300}?\s-p[^\s-]\S*/,
  /\bsshpass\b[^|;&]{0,100}?\s-p\s*\S+/,
  /\bredis-cli\b[^|;&]{0,200}?\s-a\s+\S+/,
  /\bsigntool\b[^|;&]{0,200}?\s\/p\s+\S+/,
  /\bexpect\b[^|;&]{0,200}?\bsend\s+["'][^"']+\\r/,
  /(?:^|\s)-?-?(?:passin|passout|pass|password)\s+pass:\S/,
];

/** `-u admin:pw`, of curl and its kind; user and group of a container are not a password. */
function userAndPassword(value: string): boolean {
  const found =
    /(?:^|\s)(?:-u|-a|-U|--user|--auth|--proxy-user)[ =]?["']?([^\s:"'/=-][^\s:"'/=]{0,100}):([^\s"'/]{1,100})/.exec(
      value,
    );
  if (!found || /\b(?:docker|podman|nerdctl|chown|setpriv|kubectl)\b/.test(value)) return false;
  return !(/^\d+$/.test(found[1] ?? '') && /^\d+$/.test(found[2] ?? '')) && !harmless.test(found[2] ?? '');
}

const header =
  /(?:^|[\s"',;{])(?:(?:proxy-)?authorization|set-cookie|cookie|(?:private|job|deploy|access|auth|api|session)-token|(?:[\w-]{0,40}-)?api-?key|x-[\w-]{0,40}(?:key|token|secret|auth)[\w-]{0,20})["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:bearer|basic|token)\s+)?(?!\$|%|[./~]|true|false)[^\s"'}]/i;

const element =
  /<(?:[\w.-]{0,40}:)?[\w.-]{0,40}(?:password|passphrase|secret|token|api-?key|private-?key)>\s{0,20}(?![\s<$%{])[^<]{1,4096}</i;

const netrc = /\bmachine\s+\S{1,255}\s+login\s+\S{1,255}\s+(?:account\s+\S{1,255}\s+)?password\s+\S/;

/** `host:port:database:user:password`, the whole of a line. */
function pgpass(value: string): boolean {
  return value
    .split('\n', 50)
    .some((line) =>
      /^(?!\d+:)[^\s:/]{1,255}:(?:\d{2,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:[^\s]{1,200}$/.test(line),
    );
}

const addresses: readonly RegExp[] = [
  // A key in a query: …?key=abcdef123456.
  /https?:\/\/[^\s?#]{1,300}\?(?:[^\s#]{0,300}&)?key=(?!\$|%|\{)[^\s&#]{8}/i,
  // Oracle writes user and password with a slash.
  /jdbc:oracle:\w{1,20}:[^\s/@:]{1,128}\/[^\s@]{1,256}@/,
  // A token in the place of the user, as git takes it: TOKEN:x-oauth-basic@host:owner/repository.
  /(?:^|\s)[^\s:@/]{1,256}:[^\s@/]{1,256}@[\w.-]{1,253}:[^\s:]/,
  // Tokens in paths: Gemfury, Anaconda.
  /\b(?:fury\.io|gemfury\.com)\/[\w-]{8,128}(?:\/|$)/,
  /\/\/[^\s/]{0,253}conda[^\s/]{0,253}\/(?:[\w.-]{1,64}\/){0,4}t\/[\w-]{4,128}(?:\/|$)/,
  /\/t\/[\w-]{4,128}\/(?:[\w.-]{1,64}\/){0,3}get(?:\/|$)/,
];
