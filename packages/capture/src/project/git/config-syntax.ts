// The syntax of git's configuration files. https://git-scm.com/docs/git-config#_syntax

import { maxLineLength } from '../../system/long-lines.ts';

/** Settings of one file in order. Lines may go on after a backslash; values may be quoted in part. */
export function parseGitConfig(text: string): { key: string; value: string }[] {
  const settings: { key: string; value: string }[] = [];
  let section = '';
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    let rest = line.trim();
    if (rest.length > maxLineLength) continue;
    const heading = /^\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)"\s*)?\]\s*/.exec(rest);
    if (heading) {
      const [whole, name = '', subsection] = heading;
      section =
        name.toLowerCase() + (subsection === undefined ? '' : `.${subsection.replace(/\\(.)/g, '$1')}`);
      rest = rest.slice(whole.length);
    }
    const [, name, value] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/s.exec(rest) ?? [];
    if (name !== undefined && section !== '')
      settings.push({
        key: `${section}.${name.toLowerCase()}`,
        value: value === undefined ? 'true' : plainValue(value),
      });
  }
  return settings;
}

/** Without quotes, and without comments outside of quotes. */
function plainValue(value: string): string {
  let plain = '';
  let copiedTo = 0;
  let quoted = false;
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at] as string;
    if (character === '\\' && at + 1 < value.length) {
      at += 1;
      plain += { n: '\n', t: '\t', b: '' }[value[at] as string] ?? value[at];
      copiedTo = plain.length;
    } else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '#' || character === ';')) break;
    else {
      plain += character;
      if (quoted || !/\s/.test(character)) copiedTo = plain.length;
    }
  }
  return plain.slice(0, copiedTo);
}
