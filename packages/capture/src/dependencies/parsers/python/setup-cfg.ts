// setuptools: requirements in setup.cfg.

import type { PackageList } from '../../package-list.ts';
import type { ParseContext } from '../../parse-context.ts';
import { forEachLine } from '../../text/lines.ts';
import { readRequirement } from './python-requirements.ts';

/** setup.cfg: requirements of the package and its extras. Everything else there is settings. */
export function parseSetupCfg(text: string, list: PackageList, context: ParseContext): void {
  let section = '';
  let wanted = false;
  const add = (requirement: string, line: number) => {
    const plain = requirement.replace(/(^|\s)#.*$/s, '').trim();
    // `file: requirements.txt` names a file that counts by itself.
    if (plain === '' || plain.startsWith('file:')) return;
    const found = readRequirement(plain);
    if (found) list.add(found.name, found.version);
    else context.warn('a line is not a requirement that pip understands', line);
  };
  forEachLine(text, (line, number) => {
    if (/^\s*[#;]/.test(line) || line.trim() === '') return;
    const header = /^\[([^\]]+)\]\s*$/.exec(line);
    if (header) {
      section = (header[1] as string).trim();
      wanted = false;
      return;
    }
    if (/^\s/.test(line)) {
      if (wanted) add(line, number);
      return;
    }
    const [, key = '', value = ''] = /^([^=:]+)[=:](.*)$/.exec(line) ?? [];
    wanted =
      section === 'options.extras_require' ||
      (section === 'options' && /^(?:install|setup|tests)[_-]requires?$/.test(key.trim()));
    if (wanted) for (const part of value.split(';')) add(part, number);
  });
}
