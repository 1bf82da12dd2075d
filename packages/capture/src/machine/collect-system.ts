// `metadata.system`, the shell, the locale and the time zone. A fact that cannot be read is absent.

import type { CapturedMachine } from '../system/machine.ts';
import type { HardwareFacts } from '../system/system.ts';
import type { CaptureWarning } from '../warning.ts';
import { askSysctl } from './ask-machine.ts';
import { detectContainer, detectVirtualisation, detectWindowsSubsystem } from './isolation.ts';
import { readLibC } from './libc.ts';

/** The machine in a snapshot's metadata: nothing volatile, no serial number, no user. */
export async function collectMachine(machine: CapturedMachine, wantsHardware: boolean) {
  const [system, architecture, hardware] = await Promise.all([
    collectSystem(machine),
    machineArchitecture(machine),
    collectHardware(machine, wantsHardware),
  ]);
  return { ...system, architecture, hardware };
}

async function collectSystem(machine: CapturedMachine) {
  const facts = machine.operatingSystem();
  const [distribution, libc, container, virtualisation] = await Promise.all([
    readDistribution(machine),
    readLibC(machine),
    detectContainer(machine),
    detectVirtualisation(machine),
  ]);
  const wsl = detectWindowsSubsystem(machine);
  const cpuModel =
    facts.cpuModel && facts.cpuModel !== 'unknown' ? facts.cpuModel.replace(/\s+/g, ' ') : undefined;
  const cpu = {
    ...(cpuModel && { model: cpuModel }),
    ...(facts.cpuCount !== undefined && { count: facts.cpuCount }),
  };
  const system: Record<string, unknown> = {
    ...(distribution && { distribution }),
    ...((distribution?.version ?? facts.release) && { release: distribution?.version ?? facts.release }),
    ...(facts.release && { kernel: facts.release }),
    ...(libc && { libc }),
    ...(Object.keys(cpu).length > 0 && { cpu }),
    ...(facts.memoryTotalBytes !== undefined && { memoryTotalBytes: facts.memoryTotalBytes }),
    ...(container && { container }),
    ...(wsl && { wsl }),
    ...(virtualisation && { virtualisation }),
  };
  const timezone = await readTimeZone(machine);
  return { system, shell: readShell(machine), locale: readLocale(machine), timezone };
}

function readShell(machine: CapturedMachine) {
  const path = machine.platform === 'win32' ? machine.env.ComSpec : machine.env.SHELL;
  if (!path) return undefined;
  const name = machine.files.paths.basename(path).replace(/\.exe$/i, '');
  return { name, path };
}

/** POSIX: the variables in their order of precedence, `C` without any. Windows: the locale that the system gives to programs. */
function readLocale(machine: CapturedMachine): string | undefined {
  if (machine.platform === 'win32') return machine.regionalSettings().locale;
  const { LC_ALL, LC_CTYPE, LANG } = machine.env;
  return LC_ALL || LC_CTYPE || LANG || 'C';
}

/** Names of the same time zone. */
const universalTime = /^(?:Etc\/)?(?:UTC|UCT|GMT|GMT[+-]?0|Greenwich|Universal|Zulu)0?$/;

/** From the variable, else from the file that the C library reads, else from the engine, which is slow. */
async function readTimeZone(machine: CapturedMachine): Promise<string | undefined> {
  const zone =
    machine.env.TZ?.replace(/^:/, '') ||
    (await zoneFromFiles(machine)) ||
    machine.regionalSettings().timeZone;
  return universalTime.test(zone) ? 'UTC' : zone;
}

async function zoneFromFiles(machine: CapturedMachine): Promise<string | undefined> {
  if (machine.platform === 'win32') return undefined;
  const link = await machine.files.realPath('/etc/localtime');
  if (link === undefined) return 'UTC';
  const zone = /\/zoneinfo(?:\.default)?\/(?:posix\/|right\/)?(.+)$/s.exec(link)?.[1];
  return zone ?? (await machine.files.text('/etc/timezone'))?.trim();
}

/** `process.arch` unless the system says that it translates: Rosetta on macOS, WOW64 and x64 emulation on Windows. */
async function machineArchitecture(machine: CapturedMachine): Promise<string> {
  const { arch, env } = machine;
  if (machine.platform === 'win32') {
    // A 32-bit process finds the real architecture here.
    const native = env.PROCESSOR_ARCHITEW6432?.toUpperCase();
    if (native === 'AMD64') return arch === 'ia32' ? 'x64' : arch;
    if (native === 'ARM64' || /^ARMv\d/i.test(env.PROCESSOR_IDENTIFIER ?? '')) return 'arm64';
    return arch;
  }
  // Intel Macs do not know the name and report an error.
  const translated = arch === 'x64' && (await askSysctl(machine, '-n', 'sysctl.proc_translated'));
  return translated && translated.trim() === '1' ? 'arm64' : arch;
}

/** Reads the hardware if requested, and leaves out unknown values; a failure causes a warning. */
export async function collectHardware(
  machine: CapturedMachine,
  wanted: boolean,
): Promise<{ readonly hardware?: Partial<HardwareFacts>; readonly warnings: readonly CaptureWarning[] }> {
  if (!wanted) return { warnings: [] };
  try {
    const facts = Object.entries(await machine.hardware());
    const known = facts.filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    );
    return { hardware: Object.fromEntries(known), warnings: [] };
  } catch (error) {
    const message = `The hardware was left out: the programs that report it failed (${(error as Error).message}).`;
    return { warnings: [{ code: 'hardware_unreadable', message }] };
  }
}

interface Distribution {
  /** Short name, e.g. `debian`, `alpine`, `macos`, `windows`. */
  readonly id: string;
  /** For people, e.g. `Debian GNU/Linux`. */
  readonly name: string;
  /** Release, e.g. `12`, `3.20.1`, `15.1`; rolling distributions have none. */
  readonly version?: string;
  readonly codename?: string;
}

/** Absent if the system's files do not name it. */
async function readDistribution(machine: CapturedMachine): Promise<Distribution | undefined> {
  const { files, platform } = machine;
  if (platform === 'win32') {
    const { version = 'Windows', release } = machine.operatingSystem();
    return { id: 'windows', name: version, ...(release && { version: release }) };
  }
  if (platform === 'darwin') {
    const text = await files.text('/System/Library/CoreServices/SystemVersion.plist');
    const pairs = (text ?? '').matchAll(/<key>(\w+)<\/key>\s*<string>([^<]+)<\/string>/g);
    const values = new Map([...pairs].map(([, key = '', value = '']) => [key, value]));
    const version = values.get('ProductVersion');
    return text
      ? { id: 'macos', name: values.get('ProductName') ?? 'macOS', ...(version && { version }) }
      : undefined;
  }
  const text = (await files.text('/etc/os-release')) ?? (await files.text('/usr/lib/os-release'));
  if (text === undefined) return undefined;
  const fields = shellAssignments(text);
  const id = fields.get('ID') || 'linux';
  const [version, codename] = [fields.get('VERSION_ID'), fields.get('VERSION_CODENAME')];
  return { id, name: fields.get('NAME') || id, ...(version && { version }), ...(codename && { codename }) };
}

/** The `NAME=value` lines of an os-release file; values may be quoted as in a shell. */
function shellAssignments(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [, name = '', raw = ''] of text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)) {
    const value = raw.trim();
    const quoted = /^"(.*)"$/.exec(value) ?? /^'(.*)'$/.exec(value);
    fields.set(name, (quoted?.[1] ?? value).replace(/\\(["$`\\])/g, '$1'));
  }
  return fields;
}
