// Recognises the implementation of a basic tool by its file: its name, its folder, and marks in its content.

import type { CapturedMachine } from '../system/machine.ts';
import type { MachineFiles } from '../system/machine-files.ts';
import { type FactReading, type FactSources, UnknownFact } from './fact-reader.ts';
import flavours from './flavours.json' with { type: 'json' };

export type BasicTool = 'sh' | 'awk' | 'sed' | 'grep' | 'tar' | 'find' | 'date' | 'make' | 'ld';

/** Implementations that have a program of the same name. */
const byName = new Map(
  Object.entries(flavours.names).flatMap(([flavour, names]) => names.map((name) => [name, flavour])),
);

/** Marks in the binaries, the most specific first; `#` is a digit. Plain text, which is searched much faster. */
const { marks } = flavours;
/** Maximum bytes of a program that are searched; the basic tools are smaller. */
const maxProgramBytes = 2 * 1024 * 1024;

/** The implementation of the program that the search path has under a name. */
export async function readFlavour(
  { machine, searchFolders }: FactSources,
  name: BasicTool,
): Promise<FactReading> {
  const { paths } = machine.files;
  if (searchFolders.length === 0 && name !== 'sh') return new UnknownFact('no search path is set');
  // Scripts start /bin/sh, regardless of the search path.
  const candidates = name === 'sh' ? ['/bin/sh'] : searchFolders.map((folder) => paths.join(folder, name));
  if (machine.platform === 'win32') return windowsFlavour(machine.files, searchFolders, name);
  for (const path of candidates) {
    const real = await machine.files.realPath(path);
    const status = real === undefined ? undefined : await machine.files.status(real);
    if (real === undefined || status?.kind !== 'file' || !status.executable) continue;
    const known = byName.get(paths.basename(real).replace(/^[\w]+-[\w]+-[\w-]+-(?=ld\b)/, ''));
    if (known) return known;
    if (machine.platform === 'darwin') return /^\/(?:usr\/)?s?bin\//.test(real) ? macFlavour(name) : 'other';
    const flavour = await machine.fileCache.of(`flavour of ${name}`, real, (onlyNow) =>
      flavourOfFile(machine, real, name, onlyNow),
    );
    return flavour === 'other' || flavour === 'unreadable'
      ? new UnknownFact('envsnap does not know this program')
      : flavour;
  }
  return undefined;
}

async function flavourOfFile(
  machine: CapturedMachine,
  path: string,
  name: BasicTool,
  onlyNow: () => void,
): Promise<string> {
  try {
    const bytes = Buffer.from(await machine.readFile(path, { length: maxProgramBytes }));
    if (bytes.toString('latin1', 0, 2) === '#!') return 'a script';
    const found = marks.find((row) => row.marks.some((mark) => holds(bytes, mark)))?.flavour;
    if (found === 'GNU' && name === 'sh') return 'bash';
    return found ?? 'other';
  } catch {
    // Only another user may be able to read it.
    onlyNow();
    return 'unreadable';
  }
}

function holds(bytes: Buffer, mark: string): boolean {
  const text = mark.replace('#', '');
  for (let at = bytes.indexOf(text, 0, 'latin1'); at >= 0; at = bytes.indexOf(text, at + 1, 'latin1')) {
    const after = bytes[at + text.length] ?? 0;
    if (text === mark || (after >= 0x30 && after <= 0x39)) return true;
  }
  return false;
}

/** macOS comes with FreeBSD's tools, bash as sh, Brian Kernighan's awk, and GNU make 3.81. */
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
