// Finds the process of a systemd unit or a container by its control group, from /proc alone.

import { readdirSync, readFileSync } from 'node:fs';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';

/** The main process of a unit: `nginx`, `nginx.service`. Exit code 4 where none runs. */
export function processOfUnit(name: string): number {
  const unit = /\.[a-z]+$/.test(name) ? name : `${name}.service`;
  return firstProcess(`unit ${unit}`, (group) => group.split('/').includes(unit));
}

/** The first process of a container, by its id or at least 12 characters of it. Exit code 4 where none runs. */
export function processOfContainer(id: string): number {
  if (!/^[0-9a-f]{12,64}$/.test(id)) {
    throw new CliError(`"${id}" is not the id of a container`, {
      code: 'invalid_reference',
      hint: 'docker ps --no-trunc shows ids; give at least the first 12 characters.',
    });
  }
  return firstProcess(`container ${id}`, (group) =>
    group.split('/').some((part) => (/[0-9a-f]{64}/.exec(part)?.[0] ?? part).startsWith(id)),
  );
}

/** The first process of a control group: the one whose parent is not in the group. */
function firstProcess(what: string, isMeant: (group: string) => boolean): number {
  if (process.platform !== 'linux') {
    throw new CliError(`${what}: processes can be looked at on Linux only, where /proc shows them`, {
      code: 'no_proc',
      exitCode: exitCodes.failed,
    });
  }
  const members = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) =>
      isMeant(
        textOf(`/proc/${pid}/cgroup`)
          .replace(/^\d+:[^:]*:/gm, '')
          .trim()
          .split('\n')[0] ?? '',
      ),
    );
  const inside = new Set(members);
  const first = members.find((pid) => !inside.has(parentOf(pid)));
  if (first !== undefined) return first;
  throw new CliError(`no process of ${what} runs here`, {
    code: 'process_not_found',
    exitCode: exitCodes.notFound,
  });
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}
