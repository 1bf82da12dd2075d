// Judges a variable by the parts of its name, split at separators and at changes of case.

import lists from './secret-words.json' with { type: 'json' };

/** How strongly a name suggests a secret: `strong` hides any value, `weak` only one that could be a key. */
interface NameJudgement {
  readonly strength: 'strong' | 'weak';
  readonly reason: string;
}

/** Parts of a name in lower case: `AWS_secretAccessKey` → aws, secret, access, key. */
export function nameParts(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/(?<![A-Z])([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
}

const wordsOf = (lines: readonly string[]) => new Set(lines.flatMap((line) => line.split(' ')));
const strongParts = wordsOf(lists.strongParts);
/** Names of secrets that are also ordinary words. */
export const plainSecretWords: ReadonlySet<string> = wordsOf(lists.plainSecretWords);
/** Run together with another word: `MYSQLPASSWORD`, `DBPWD`, `GITHUBTOKEN`, `CLIENTSECRET`. */
const strongWithin =
  /password(?!less)|passwd|passphrase|authtok$|(?:root|admin|user|bind|db|my)pw$|(?:secret|token|cookie|apikey|secretkey|accesskey|privatekey)s?$|(?<!^(?:by|com|encom|tres|sur|over|under|fore)|ask)pass$|(?<!^(?:old|init|orig|start|work|cur|last))pwd$/;
/** Parts that together mean a secret: an access key's id, or Vault's secret id, is half of a pair of credentials. */
const { strongPhrases } = lists;
/** Before or after `tokens`, these mean a number of tokens. */
const quantities = new Set(['max', 'min', 'num', 'total', 'limit', 'budget', 'count', 'context', 'per']);
const weakParts = new Set('key keys auth authorization cert certificate pin seed dsn'.split(' '));
/** Words before `key` that show that it is not a secret. */
const openKeys = wordsOf(lists.openKeys);
/** A last part with which the value is about the secret, not the secret itself. */
const descriptiveEnds = wordsOf(lists.descriptiveEnds);

/** `BUNDLE_GEMS__EXAMPLE__COM`: Bundler keeps a host's credentials under its name; `BUNDLE_BUILD__X` and others are settings. */
const bundlerHost =
  /^BUNDLE_(?!(?:BUILD|LOCAL|MIRROR|SSL|GEM)__[A-Z0-9]+$|(?:BUILD|LOCAL|MIRROR)__)[A-Z0-9_]*[A-Z0-9]__[A-Z0-9]+$/;

/** The class of a name; undefined for an ordinary name. */
export function judgeName(name: string): NameJudgement | undefined {
  // The names of git's settings; their values are in `GIT_CONFIG_VALUE_0`.
  if (/^GIT_CONFIG_KEY_\d+$/.test(name)) return undefined;
  const parts = nameParts(name);
  const last = parts.at(-1);
  if (last === undefined) return undefined;
  if (bundlerHost.test(name)) return { strength: 'strong', reason: 'the name is that of a gem server' };
  if (/^OTEL_EXPORTER_OTLP_(?:\w+_)?HEADERS$/.test(name))
    return { strength: 'strong', reason: 'the name says “headers” of an exporter' };
  const words = ` ${parts.join(' ')} `;
  if (/ (?:existing secret|pull secrets?|salt (?:master|minion|syndic)) /.test(words)) return undefined;
  const phrase = strongPhrases.find((each) => words.includes(` ${each} `));
  if (phrase !== undefined && (words.endsWith(` ${phrase} `) || !descriptiveEnds.has(last))) {
    return { strength: 'strong', reason: `the name says “${phrase}”` };
  }
  if (last === 'iv' && parts.length > 1) return { strength: 'strong', reason: 'the name says “iv”' };
  const strong = parts.find((part) => strongParts.has(part) || strongWithin.test(part));
  if (strong !== undefined) {
    const about = parts.indexOf(strong) < parts.length - 1 && descriptiveEnds.has(last);
    const counted = strong === 'tokens' && parts.some((part) => quantities.has(part));
    if (about || counted) return undefined;
    return { strength: 'strong', reason: `the name says “${strong}”` };
  }
  if (parts.includes('public') || parts.includes('pub')) return undefined;
  const weak = parts.findLast((part, index) => weakParts.has(part) && !openKeys.has(parts[index - 1] ?? ''));
  if (weak === undefined || descriptiveEnds.has(last)) return undefined;
  // `KEY_REPEAT`, `AUTH_DOMAIN`: the part must be last, or followed only by a number.
  const weakEnds = weak === last || (/^(?:\d+|b64|base64|json)$/.test(last) && parts.at(-2) === weak);
  return weakEnds ? { strength: 'weak', reason: `the name says “${weak}”` } : undefined;
}

const digestParts = new Set(
  `sha sha1 sha224 sha256 sha384 sha512 shasum sha256sum md5 md5sum hash digest checksum commit rev
  revision ref fingerprint thumbprint integrity etag sum tree guid uuid blake3 cache`.split(/\s+/),
);

/** Whether the name announces a key that anybody may see: `WG_PUBLIC_KEY`, `STRIPE_PUBLISHABLE`. */
export function namesPublicKey(name: string): boolean {
  return / (?:pub(?:lic)?key|pub(?:lic)? key|publishable) /.test(` ${nameParts(name).join(' ')} `);
}

/** Whether the name announces a digest or an id, so that a long hexadecimal value is not a key. */
export function namesDigest(name: string): boolean {
  if (/(?<!session|sess|login|auth|user)_id$/i.test(name)) return true;
  return nameParts(name).some((part) => digestParts.has(part));
}
