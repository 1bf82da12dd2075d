// Paket (.NET): paket.lock.

import { type PackageList, registrySource } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { forEachLine } from '../../text/lines.ts';

const usualFeeds = /^https:\/\/(?:www\.nuget\.org\/api\/v2|api\.nuget\.org\/v3\/index\.json)$/;

/** paket.lock: packages of all groups; files and repositories from git under their address with the commit. */
export function parsePaketLock(text: string, list: PackageList): void {
  let section = '';
  let remote = '';
  forEachLine(text, (line, number) => {
    const content = line.trim();
    if (content === '') return;
    const indent = line.length - line.trimStart().length;
    if (indent === 0) {
      // Settings (`RESTRICTION: == net6.0`), groups and sections.
      section = content;
      remote = '';
      return;
    }
    const source = /^remote:\s*(.*)$/s.exec(content);
    if (source) {
      remote = source[1] as string;
      return;
    }
    if (section === 'NUGET') {
      if (indent !== 4 || /^\w+:/.test(content)) return;
      const entry = /^(\S+) \(([^)\s]+)\)/.exec(content);
      if (!entry) throw new ParseProblem('a package is not a name and a version', { line: number });
      list.add(entry[1] as string, entry[2] as string, registrySource(remote, usualFeeds));
    } else if (/^(?:GITHUB|GIT|GIST|HTTP|BITBUCKET)$/.test(section)) {
      const entry = /^(\S+ )?\(([^)\s]+)\)/.exec(content);
      if (entry && indent <= 5) list.add(remote || (entry[1] ?? '').trim(), entry[2] as string);
    }
  });
  if (section === '' && text.trim() !== '') throw new ParseProblem('it has no section');
}
