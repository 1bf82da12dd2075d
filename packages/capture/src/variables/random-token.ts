// Finds a piece of text that looks random: long, with frequent changes between kinds of characters.

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** A trace id, as the W3C defines it. */
const traceParent = /\b[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}\b/g;
/** Names whose last word is random: `subnet-0a1b2c3d4e5f60718`, `fuzzy-space-train-x5q6rv7j5g4`. */
const drawnName = /(?<![\w-])(?:[a-z]{1,12}-[0-9a-f]{17}|(?:[a-z]{2,20}-){2,8}[a-z\d]{4,12})(?![\w-])/g;
/** Ids that begin with the time, as `01J9ZK4Q2V5T8W1XH3N6RB7CDE`. */
const ulid = /(?<![A-Za-z0-9])0[0-7][0-9A-HJKMNP-TV-Z]{24}(?![A-Za-z0-9])/g;
/** Digests with the name of their algorithm, and git object names, full or short. */
const announcedDigest = /\b(?:sha-?(?:1|224|256|384|512)|md5|blake3|h1)[-:.=][A-Za-z0-9+/_-]{1,200}={0,2}/gi;
const gitHash = /(?<![A-Za-z0-9])(?:[0-9a-f]{40}|[0-9a-f]{7,12})(?![A-Za-z0-9])/g;
/** After a short prefix, such a word is a service's token. */
const prefixedToken = /(?<![A-Za-z0-9])[a-z]{2,8}_[0-9a-f]{40}(?![A-Za-z0-9])/;
const publicMaterial =
  /\/(?:nix|gnu)\/store\/[a-z0-9]{32}-|\bdata:(?:image|font)\/[\w.+-]{1,40};base64,[A-Za-z0-9+/]+={0,2}|(?<![\w.+-])[\w.-]{1,100}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}|-----BEGIN (?:CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY|PGP PUBLIC KEY BLOCK)-----[^-]+(?:-[^-]+)*-----END [A-Z ]+-----|\b(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\S{1,20}|sk-\S{1,40}) AAAA[A-Za-z0-9+/]+={0,2}|\bage1[a-z\d]{58}\b/g;
/** Options of Java's virtual machine, whose names are words run together: `-XX:+HeapDumpOnOutOfMemoryError`. */
const javaOption = /-XX:[+-]?\w{1,80}/g;
/** A single path or a list of them, also in the checkout: a store's folder names are random and harmless. */
const absolutePaths = /^(?:file:\/\/)?(?:~|<checkout>|\.{1,2})?[\\/][^\s]*$|^[A-Za-z]:[\\/]/;
/** Words that may be random: letters, digits, and what base64 adds except its padding. */
const word = /[A-Za-z0-9+/_-]{20,}/g;

/** A word or a number, or a word with a number after it: `SHA384`, `x86`, `Linux`. */
const plainWord = /^(?:[A-Z]?[a-z]{0,20}|[A-Z]{0,10})\d{0,5}$/;

/** Whether any word of the value looks random. `digestExpected`: long hexadecimal words are hashes. */
export function findRandomToken(value: string, digestExpected: boolean): boolean {
  if (value.length < 20) return false;
  if (prefixedToken.test(value)) return true;
  const rest = value
    .replace(publicMaterial, ' ')
    .replace(announcedDigest, ' ')
    .replace(javaOption, ' ')
    .replace(uuid, ' ')
    .replace(traceParent, ' ')
    .replace(ulid, ' ')
    .replace(drawnName, ' ')
    .replace(gitHash, ' ');
  const isPath = absolutePaths.test(value) && (value.match(/[\\/]/g)?.length ?? 0) >= 2;
  if (isPath) return false;
  if (value.split(/[\s,;|]/).some(isAccessKey)) return true;
  for (const [candidate] of rest.matchAll(word)) {
    for (const piece of looksLikePath(candidate) ? candidate.split('/') : [candidate]) {
      if (looksRandom(withoutPadding(piece), digestExpected)) return true;
    }
  }
  return false;
}

/** The text without separators at the start and padding at the end. */
function withoutPadding(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && '_=-'.includes(text.charAt(from))) from += 1;
  while (to > from && '_=-'.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** The form of AWS's secret access keys, which may have enough slashes to look like a path. */
function isAccessKey(text: string): boolean {
  if (!/^[A-Za-z0-9/+]{40}$/.test(text) || /^[0-9a-f]+$/.test(text)) return false;
  return /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text) && changesOfKind(text) >= 13;
}

/** As many slashes as a path has (base64 has one in 64 characters), between words. */
function looksLikePath(text: string): boolean {
  const slashes = text.split('/').length - 1;
  return slashes > 0 && text.length / (slashes + 1) < 24;
}

function looksRandom(text: string, digestExpected: boolean): boolean {
  if (text.length < (digestExpected ? 25 : 20)) return false;
  if (/^(?:0x)?[0-9a-fA-F]+$/.test(text)) {
    const digits = text.replace(/\D/g, '').length;
    return !digestExpected && text.length >= 32 && digits > 0 && digits < text.length && !isRepeated(text);
  }
  if (isRepeated(text)) return false;
  // Base32, the form of seeds for one-time passwords.
  if (/^[A-Z2-7]{24,}$/.test(text) && changesOfKind(text) >= 6) return true;
  const lower = count(text, /[a-z]/g);
  const upper = count(text, /[A-Z]/g);
  const digits = count(text, /\d/g);
  const separators = text.length - lower - upper - digits;
  // Words joined by separators: names, not keys.
  if (text.split(/[-_+/]/).every((piece) => plainWord.test(piece)) || isClassName(text)) return false;
  if (separators / text.length > 0.16) return false;
  const changes = changesOfKind(text) / (text.length - 1);
  if (lower > 1 && upper > 1 && digits > 0) return changes >= 0.33 || (changes >= 0.27 && text.length >= 36);
  if (digits > 0 && (lower > 1 || upper > 1)) {
    return text.length >= 24 && digits / text.length >= 0.12 && changes >= 0.27;
  }
  return lower > 1 && upper > 1 && text.length >= 24 && changes >= 0.42;
}

function count(text: string, kind: RegExp): number {
  return text.match(kind)?.length ?? 0;
}

/** `ServletOAuth2AuthorizedClientFilter`: longer words, each with a capital. */
function isClassName(text: string): boolean {
  const words = text.split(/(?<=[a-z]\d?)(?=[A-Z])/);
  return words.length * 5.5 < text.length && words.every((each) => /^[A-Z]{1,3}[a-z]{1,20}\d?$/.test(each));
}

/** How often the kind of character changes along the text. */
function changesOfKind(text: string): number {
  let changes = 0;
  let previous = kindOf(text.charCodeAt(0));
  for (let index = 1; index < text.length; index += 1) {
    const kind = kindOf(text.charCodeAt(index));
    if (kind !== previous) changes += 1;
    previous = kind;
  }
  return changes;
}

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return 1;
  if (code >= 65 && code <= 90) return 2;
  if (code >= 48 && code <= 57) return 3;
  return 4;
}

/** Whether a text has few different characters for its length: a ruler, a mask, a test value. */
function isRepeated(text: string): boolean {
  return new Set(text).size < Math.min(10, text.length / 3);
}
