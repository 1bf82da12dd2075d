// Whether a package that is made for one platform is for this one: `os`, `cpu` and `libc` of a package.json.

import { libcKindOf } from '../machine/libc.ts';
import type { CapturedMachine } from '../system/machine.ts';

/** The form in lock files: a list of values, each optionally after `!`. Anything else is ignored. */
interface PlatformRequirement {
  readonly os?: unknown;
  readonly cpu?: unknown;
  readonly libc?: unknown;
}

/** A test for packages; a package that names no platform is for all of them. */
export type PlatformTest = (requirement: PlatformRequirement) => boolean;

export async function platformTest(machine: CapturedMachine): Promise<PlatformTest> {
  const libc = await libcKindOf(machine);
  return (requirement) =>
    allows(requirement.os, machine.platform) &&
    allows(requirement.cpu, machine.arch) &&
    (machine.platform !== 'linux' || libc === undefined || allows(requirement.libc, libc));
}

export function namesPlatform({ os, cpu, libc }: PlatformRequirement): boolean {
  return [os, cpu, libc].some((listed) => valuesOf(listed).length > 0);
}

function valuesOf(listed: unknown): string[] {
  const values: unknown[] = Array.isArray(listed) ? listed : [listed];
  return values.filter((value): value is string => typeof value === 'string');
}

function allows(listed: unknown, own: string): boolean {
  const values = valuesOf(listed);
  if (values.includes(`!${own}`)) return false;
  const allowed = values.filter((value) => !value.startsWith('!'));
  return allowed.length === 0 || allowed.includes(own) || allowed.includes('any');
}

const platformName =
  /(?:^|[/-])(linux|darwin|win32|freebsd|android)(musl)?-(x64|arm64|ia32|arm|riscv64|ppc64|s390x)(?:-(gnu|musl|msvc))?$/;

/** The platform in a name such as `@esbuild/linux-x64`, if the lock file does not have it. */
export function platformOfName(name: string): PlatformRequirement {
  const [, os, musl, cpu, abi = musl] = platformName.exec(name) ?? [];
  return {
    ...(os !== undefined && { os: [os] }),
    ...(cpu !== undefined && { cpu: [cpu] }),
    ...(abi !== undefined && abi !== 'msvc' && { libc: [abi === 'gnu' ? 'glibc' : 'musl'] }),
  };
}
