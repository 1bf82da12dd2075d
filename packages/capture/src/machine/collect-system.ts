// `metadata.system`, the shell, the locale and the time zone. A fact that cannot be read is absent.

import type { CapturedMachine } from '../system/machine.ts';
import { machineArchitecture } from './architecture.ts';
import { collectHardware } from './collect-hardware.ts';
import { readDistribution } from './distribution.ts';
import { detectContainer, detectVirtualisation, detectWindowsSubsystem } from './isolation.ts';
import { readLibC } from './libc.ts';

/** What a snapshot's metadata says of the machine; nothing volatile, no serial number, no user. */
interface CollectedSystem {
  readonly system: Record<string, unknown>;
  readonly shell?: { readonly name: string; readonly path: string };
  readonly locale?: string;
  readonly timezone?: string;
}

/** The same with the architecture, and the hardware where it is asked for. */
export async function collectMachine(machine: CapturedMachine, wantsHardware: boolean) {
  const [system, architecture, hardware] = await Promise.all([
    collectSystem(machine),
    machineArchitecture(machine),
    collectHardware(machine, wantsHardware),
  ]);
  return { ...system, architecture, hardware };
}

async function collectSystem(machine: CapturedMachine): Promise<CollectedSystem> {
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
  const shell = readShell(machine);
  const locale = readLocale(machine);
  const timezone = await readTimeZone(machine);
  return {
    system: {
      ...(distribution && { distribution }),
      ...((distribution?.version ?? facts.release) && { release: distribution?.version ?? facts.release }),
      ...(facts.release && { kernel: facts.release }),
      ...(libc && { libc }),
      ...(Object.keys(cpu).length > 0 && { cpu }),
      ...(facts.memoryTotalBytes !== undefined && { memoryTotalBytes: facts.memoryTotalBytes }),
      ...(container && { container }),
      ...(wsl && { wsl }),
      ...(virtualisation && { virtualisation }),
    },
    ...(shell && { shell }),
    ...(locale && { locale }),
    ...(timezone && { timezone }),
  };
}

function readShell(machine: CapturedMachine): CollectedSystem['shell'] {
  const path = machine.platform === 'win32' ? machine.env.ComSpec : machine.env.SHELL;
  if (!path) return undefined;
  const name = machine.files.paths.basename(path).replace(/\.exe$/i, '');
  return { name, path };
}

/** POSIX: the variables in their order of precedence, `C` without any. Windows: what the system gives its programs. */
function readLocale(machine: CapturedMachine): string | undefined {
  if (machine.platform === 'win32') return machine.regionalSettings().locale;
  const { LC_ALL, LC_CTYPE, LANG } = machine.env;
  return LC_ALL || LC_CTYPE || LANG || 'C';
}

/** Names of one and the same time. */
const universalTime = /^(?:Etc\/)?(?:UTC|UCT|GMT|GMT[+-]?0|Greenwich|Universal|Zulu)0?$/;

/** From the variable, or from what the C library reads; the engine is asked last, since that takes it long. */
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
