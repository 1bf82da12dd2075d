// Which implementation of a basic tool a program is, told by its file: its name, its folder, marks within it.

import type { CapturedMachine } from '../system/machine.ts';
import type { MachineFiles } from '../system/machine-files.ts';
import type { FactReading, FactSources } from './fact-reader.ts';

export type BasicTool = 'sh' | 'awk' | 'sed' | 'grep' | 'tar' | 'find' | 'date' | 'make';

/** Names of programs that are an implementation by themselves. */
const byName: Readonly<Record<string, string>> = {
  busybox: 'BusyBox',
  toybox: 'toybox',
  dash: 'dash',
  bash: 'bash',
  zsh: 'zsh',
  ksh: 'ksh',
  mksh: 'mksh',
  yash: 'yash',
  gawk: 'GNU',
  mawk: 'mawk',
  'original-awk': 'original-awk',
  bwk: 'original-awk',
  nawk: 'original-awk',
  gsed: 'GNU',
  ggrep: 'GNU',
  gtar: 'GNU',
  gfind: 'GNU',
  gdate: 'GNU',
  gmake: 'GNU',
  bsdtar: 'BSD',
  bsdgrep: 'BSD',
  bmake: 'BSD',
  coreutils: 'GNU',
  'uu-coreutils': 'uutils',
};

/** Marks in the binaries, most telling first. */
const marks: readonly (readonly [flavour: string, mark: RegExp])[] = [
  ['BusyBox', /BusyBox v\d/],
  ['toybox', /toybox \d|Toybox/],
  ['uutils', /uutils|uucore/],
  ['mawk', /mawk \d|mawk: /],
  ['GNU', /GNU |gnu\.org|GPL/],
  ['BSD', /\$(?:NetBSD|OpenBSD|FreeBSD)|bsdtar|libarchive/],
];
/** Bytes of a program that are looked at; the basic tools are smaller. */
const maxProgramBytes = 2 * 1024 * 1024;

/** The flavour of the program that a name on the search path leads to. */
export async function readFlavour(
  { machine, searchFolders }: FactSources,
  name: BasicTool,
): Promise<FactReading> {
  const { paths } = machine.files;
  // Scripts name /bin/sh, whatever the search path says.
  const candidates = name === 'sh' ? ['/bin/sh'] : searchFolders.map((folder) => paths.join(folder, name));
  if (machine.platform === 'win32') return windowsFlavour(machine.files, searchFolders, name);
  for (const path of candidates) {
    const real = await machine.files.realPath(path);
    const status = real === undefined ? undefined : await machine.files.status(real);
    if (real === undefined || status?.kind !== 'file' || !status.executable) continue;
    const known = byName[paths.basename(real)];
    if (known) return known;
    if (machine.platform === 'darwin') return /^\/(?:usr\/)?s?bin\//.test(real) ? macFlavour(name) : 'other';
    return flavourOfFile(machine, real, name);
  }
  return undefined;
}

async function flavourOfFile(machine: CapturedMachine, path: string, name: BasicTool): Promise<string> {
  try {
    const bytes = Buffer.from(await machine.readFileStart(path, maxProgramBytes));
    if (bytes[0] === 0x23 && bytes[1] === 0x21) return 'a script';
    const text = bytes.toString('latin1');
    const found = marks.find(([, mark]) => mark.test(text))?.[0];
    if (found === 'GNU' && name === 'sh') return 'bash';
    return found ?? 'other';
  } catch {
    return 'unreadable';
  }
}

/** macOS ships the tools of FreeBSD, a bash of its own as sh, Brian Kernighan's awk and GNU make 3.81. */
function macFlavour(name: BasicTool): string {
  if (name === 'sh') return 'bash';
  if (name === 'awk') return 'original-awk';
  return name === 'make' ? 'GNU' : 'BSD';
}

async function windowsFlavour(
  files: MachineFiles,
  searchFolders: readonly string[],
  name: BasicTool,
): Promise<FactReading> {
  for (const folder of searchFolders) {
    if (!(await files.isFile(files.paths.join(folder, `${name}.exe`)))) continue;
    if (/\\windows\\system32$/i.test(folder)) return name === 'tar' ? 'BSD' : 'Windows';
    return /\\(?:git|msys64|cygwin64?)\\/i.test(`${folder}\\`) ? 'GNU' : 'other';
  }
  return undefined;
}
