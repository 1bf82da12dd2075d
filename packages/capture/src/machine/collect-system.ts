// `metadata.system`, the shell, the locale and the time zone. A fact that cannot be read is absent.

import type { MachineFiles } from '../system/machine-files.ts';
import type { System } from '../system/system.ts';
import { readDistribution } from './distribution.ts';
import { detectContainer, detectVirtualisation, detectWindowsSubsystem } from './isolation.ts';
import { readLibC } from './libc.ts';

/** What a snapshot's metadata says of the machine; nothing volatile, no serial number, no user. */
export interface CollectedSystem {
  readonly system: Record<string, unknown>;
  readonly shell?: { readonly name: string; readonly path: string };
  readonly locale?: string;
  readonly timezone?: string;
}

export async function collectSystem(system: System, files: MachineFiles): Promise<CollectedSystem> {
  const facts = system.operatingSystem();
  const [distribution, libc, container, virtualisation] = await Promise.all([
    readDistribution(system, files),
    readLibC(system, files),
    detectContainer(system, files),
    detectVirtualisation(system, files),
  ]);
  const wsl = detectWindowsSubsystem(system);
  const cpuModel =
    facts.cpuModel && facts.cpuModel !== 'unknown' ? facts.cpuModel.replace(/\s+/g, ' ') : undefined;
  const cpu = {
    ...(cpuModel && { model: cpuModel }),
    ...(facts.cpuCount !== undefined && { count: facts.cpuCount }),
  };
  const shell = readShell(system, files);
  const locale = readLocale(system);
  const timezone = await readTimeZone(system, files);
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

function readShell(system: System, files: MachineFiles): CollectedSystem['shell'] {
  const path = system.platform === 'win32' ? system.env.ComSpec : system.env.SHELL;
  if (!path) return undefined;
  const name = files.paths.basename(path).replace(/\.exe$/i, '');
  return { name, path };
}

/** POSIX: the variables in their order of precedence, `C` without any. Windows: what the system gives its programs. */
function readLocale(system: System): string | undefined {
  if (system.platform === 'win32') return system.regionalSettings().locale;
  const { LC_ALL, LC_CTYPE, LANG } = system.env;
  return LC_ALL || LC_CTYPE || LANG || 'C';
}

/** Names of one and the same time. */
const universalTime = /^(?:Etc\/)?(?:UTC|UCT|GMT|GMT[+-]?0|Greenwich|Universal|Zulu)0?$/;

/** From the variable, or from what the C library reads; the engine is asked last, since that takes it long. */
async function readTimeZone(system: System, files: MachineFiles): Promise<string | undefined> {
  const zone =
    system.env.TZ?.replace(/^:/, '') ||
    (await zoneFromFiles(system, files)) ||
    system.regionalSettings().timeZone;
  return universalTime.test(zone) ? 'UTC' : zone;
}

async function zoneFromFiles(system: System, files: MachineFiles): Promise<string | undefined> {
  if (system.platform === 'win32') return undefined;
  const link = await files.realPath('/etc/localtime');
  if (link === undefined) return 'UTC';
  const zone = /\/zoneinfo(?:\.default)?\/(?:posix\/|right\/)?(.+)$/.exec(link)?.[1];
  return zone ?? (await files.text('/etc/timezone'))?.trim();
}
