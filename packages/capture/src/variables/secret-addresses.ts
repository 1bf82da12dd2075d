// Secrets in addresses: users and passwords before the host, and paths that give access to anyone who has them.

import { userInfo } from '../dependencies/without-credentials.ts';

/** Why an address in the value is a secret, or undefined. */
export function judgeAddresses(value: string): string | undefined {
  for (const { 0: found, index } of value.matchAll(userInfo)) {
    const user = found.slice('://'.length, -1);
    const colon = user.indexOf(':');
    // NATS and some tunnels have only a token there.
    const isToken = /\b(?:nats|tls|trojan|hysteria2?)$/i.test(value.slice(Math.max(0, index - 10), index));
    if (colon >= 0 && colon < user.length - 1) return 'the value is a URL with a password';
    if (colon < 0 && (isToken || looksLikeToken(user))) return 'the value is a URL with a token';
  }
  if (hasPassword(value)) return 'the value is an address with a password';
  if (shapes.some((shape) => shape.test(value)) || hasSecretPath(value))
    return 'the value is an address that gives access to anyone who knows it';
  return undefined;
}

/** Whether the user of an address is a token: a keyword, or not a name that a person or a service would have. */
function looksLikeToken(user: string): boolean {
  if (/^(?:x-access-token|x-token-auth|x-oauth-basic|oauth2?|token|apikey|__token__)$/i.test(user))
    return false;
  if (/^[a-f0-9]{16,}$/i.test(user) || /(?:^|_)(?:token|secret|pat|key|gh[opusr])_/i.test(user)) return true;
  // Words of letters, each with a few digits at most: `jane.doe`, `build-bot2`.
  if (/^[A-Za-z]{1,14}\d{0,4}(?:[._+%-][A-Za-z]{1,14}\d{0,4}){0,6}$/.test(user)) return kindChanges(user) > 4;
  return user.length >= 20 || (user.length >= 8 && /\d/.test(user) && !/[.%@]/.test(user));
}

/** How often a text changes between small letters, capitals and digits; a capital before small letters begins a word. */
function kindChanges(text: string): number {
  const kinds = text
    .replace(/[A-Z](?=[a-z])/g, 'a')
    .replace(/[a-z]+/g, 'a')
    .replace(/[A-Z]+/g, 'A');
  return kinds.replace(/\d+/g, '0').replace(/[^aA0]/g, '').length - 1;
}

/** `user:password@host` without a scheme, and Oracle's `user/password@database`. */
function hasPassword(value: string): boolean {
  for (const [, user = '', password = '', host = ''] of value.matchAll(beforeHost)) {
    const isVersion =
      /^(?:[~^<>=v*]{0,3}\d{1,6}(?!\d{0,5}(?:\.\d{1,6}){3}(?!\d))|sha\d|md5|npm:|(?:[jwae]ar|pom|zip|tgz|klib)$)/.test(
        host,
      );
    if (
      !isVersion &&
      !/^(?:npm|jsr|workspace|patch|git|file|link|mailto|pkg|docker|oci|xmpp|acct|s?ftp|ssh|scp|rsync)$/.test(
        user,
      )
    ) {
      if (password !== '' && !/^(?:\$|\{|<|\*+$)/.test(password)) return true;
    }
  }
  for (const [, host = ''] of value.matchAll(oracle)) {
    if (!branch.test(host)) return true;
  }
  return false;
}

const beforeHost =
  /(?<![^\s"'=,(:])(?:\/\/)?([^\s:@/"'=,(]{1,128}):([^\s:@/"']{1,256})@([\w.[-][^\s]{0,100})/g;
const oracle = /(?<![^\s"'=])[A-Za-z][\w$#]{0,30}\/[^\s/@:"'=]{1,128}@(\/{0,2}[\w.-]{1,100})/g;
/** The part after `@` in the name of a package or an action. */
const branch =
  /^(?:v?\d[\w.-]*|[0-9a-f]{7,40}|sha\d+|main|master|trunk|develop|dev|latest|next|stable|beta|alpha|canary|nightly|lts|head|(?:release|feature|feat|fix|hotfix|bugfix|chore|pr)[\w.-]*)$/i;

const shapes: readonly RegExp[] = [
  // A key in a query, and InfluxDB's user and password.
  /https?:\/\/[^\s?#]{1,300}\?(?:[^\s#]{0,300}&)?key=(?!\$|%|\{)[^\s&#]{8}/i,
  /[?&]u=[^\s&]{1,100}&p=[^\s&]/,
  // Notification services, in the form of Apprise and Shoutrrr.
  /\b(?:gotifys?|slack|discord|tgram|telegram|(?:ms|wx)?teams|pover|pushover|pbul|pushbullet|ntfys?|mmosts?|mattermost|rockets?|rocketchat|matrixs?|zulip|ifttt|opsgenie|barks?|gchat|googlechat|lark|feishu|dingtalk|wecombot|guilded|signals?):\/\/[^\s/]{1,253}\/[\w.-]{8}/,
  // A pair of a user and a password of small and capital letters and digits, where an image would not have its tag.
  /(?<![^\s"'])(?!(?:sha\d{1,3}|SHA\d{1,3}|md5|MD5):)\w[\w.@$+-]{0,63}:(?=[^\s\d]{0,60}\d)(?=[^\sa-z]{0,60}[a-z])(?=[^\sA-Z]{0,60}[A-Z])[\w!#$%^*+~]{8,64}(?![^\s"'])/,
  // An OAuth response, or a sign-in ticket.
  /[?&](?:code|ticket)=(?=[^\s&#\d]{0,100}\d)[^\s&#]{10}/,
  // Oracle separates user and password by a slash; Go's MySQL form has no scheme.
  /jdbc:oracle:\w{1,20}:[^\s/@:]{1,128}\/[^\s@]{1,256}@/,
  /^[^\s:@/]{1,128}:[^\s@]{1,256}@(?:tcp|unix)\(/,
  // Tokens in paths: Telegram, Gemfury, Anaconda.
  /\/bot\d{3,20}:\w/,
  /\b(?:fury\.io|gemfury\.com)\/[\w-]{8,128}(?:\/|$)/,
  /\/\/[^\s/]{0,253}conda[^\s/]{0,253}\/(?:[\w.-]{1,64}\/){0,4}t\/[\w-]{4,128}(?:\/|$)/,
  /\/t\/[\w-]{4,128}\/(?:[\w.-]{1,64}\/){0,3}get(?:\/|$)/,
];

/** An address, or only the path of a hook. */
const webAddress = /(?:https?:\/\/([^\s/?#"'<>]{1,255})|^(?=\/(?:web)?hooks?\/))\/([^\s?#"'<>]{1,2000})/gi;
const inviting =
  /hook|(?<![a-z])(?:triggers?|heartbeats?|ping|cron\w{0,5}|deploy|receiver|inputs?|integrations?|invoke|incoming|services|tokens?|keys?|secrets?|private|invites?|magic|push|notify|join|callbacks?)(?![a-z])|nosnch|snitch|ntfy/i;

/** A webhook and similar: the part of the path after this word gives access. */
function hasSecretPath(value: string): boolean {
  for (const [, host = '', path = ''] of value.matchAll(webAddress)) {
    let invited = inviting.test(host);
    for (const segment of path.split('/')) {
      const word = inviting.exec(segment)?.[0];
      invited ||= word !== undefined;
      if (invited && isDrawn(word === undefined ? segment : segment.replace(word, ''))) return true;
    }
  }
  return false;
}

/** Whether part of a path is random: an id of a hook, not a word, a version, a number or the name of a commit. */
function isDrawn(segment: string): boolean {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(segment)) return true;
  const piece = segment.split(/[-_.]/).reduce((a, b) => (b.length > a.length ? b : a), '');
  if (piece.length < 6 || /^[0-9a-f]{40}$/.test(piece)) return false;
  return kindChanges(piece) >= 2 && /\d/.test(piece);
}
