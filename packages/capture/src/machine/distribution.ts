// Name and release of the operating system, as it writes them into its own files.

import type { CapturedMachine } from '../system/machine.ts';

export interface Distribution {
  /** Short name, e.g. `debian`, `alpine`, `macos`, `windows`. */
  readonly id: string;
  /** For people, e.g. `Debian GNU/Linux`. */
  readonly name: string;
  /** Release, e.g. `12`, `3.20.1`, `15.1`; rolling distributions have none. */
  readonly version?: string;
  readonly codename?: string;
}

/** Absent where the system's files do not say. */
export async function readDistribution(machine: CapturedMachine): Promise<Distribution | undefined> {
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
