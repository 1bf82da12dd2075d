// Files with `name = value` lines in `[sections]`, as npm, pip, conda and git have them.

import { maxLineLength } from '../system/long-lines.ts';

/** Settings by `section` (empty before the first) and name. A repeated name is kept each time. */
interface IniSetting {
  readonly section: string;
  readonly name: string;
  readonly value: string;
}

/** Lines that begin with `#` or `;` are comments. Indented lines continue a value, joined with spaces. */
export function parseIni(text: string | undefined): IniSetting[] {
  const settings: { section: string; name: string; value: string }[] = [];
  let section = '';
  for (const line of (text ?? '').split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.length > maxLineLength || /^[#;]/.test(trimmed)) continue;
    const heading = /^\[([^\]]*)\]$/.exec(trimmed)?.[1];
    if (heading !== undefined) {
      section = heading.trim();
      continue;
    }
    const last = settings.at(-1);
    if (/^\s/.test(line) && last && last.section === section && !/^[\w@.:/-]+(?:\[\])?\s*=/.test(trimmed)) {
      last.value = last.value === '' ? trimmed : `${last.value} ${trimmed}`;
      continue;
    }
    const at = trimmed.indexOf('=');
    const name = (at < 0 ? trimmed : trimmed.slice(0, at)).trim();
    settings.push({ section, name, value: at < 0 ? 'true' : unquoted(trimmed.slice(at + 1).trim()) });
  }
  return settings;
}

/** The last value of a name. Settings of later files come later. */
export function lastValue(settings: readonly IniSetting[], name: string, section = ''): string | undefined {
  return settings.findLast((each) => each.name === name && each.section === section)?.value;
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
}
