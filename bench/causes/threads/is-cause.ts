// Whether a difference is the cause of a thread.

import type { Thread } from '../threads.ts';
import { rpm, rpmDatabase } from './rebuild.ts';

/** One difference may show in several places, any of which counts. */
export function isCauseOf({ cause }: Pick<Thread, 'cause'>, key: string): boolean {
  return Object.keys(cause).some((address) => {
    const [, section = '', name = ''] = /^(\w+)[.:]?(.*)$/s.exec(address) ?? [];
    const places: Record<string, readonly string[]> = {
      os: ['os:os'],
      arch: ['arch:arch'],
      runtimes: [`runtimes:${name}`, `toolchain:${name}`],
      env: [
        `env:${name}`,
        `paths:${name}`,
        ...(name === 'TZ' ? ['system:timezone'] : []),
        ...(/^(?:LANG|LC_)/.test(name) ? ['system:locale'] : []),
      ],
      system: [
        `system:${name}`,
        ...(name === 'timezone' ? ['env:TZ'] : name === 'locale' ? ['env:LANG', 'env:LC_ALL'] : []),
      ],
      dependencies: [`dependencies:${name.startsWith(`${rpm}/`) ? name.replace(rpm, rpmDatabase) : name}`],
      checkout: name === 'shallow' ? ['checkout:shallow'] : ['checkout:changed/run.sh'],
    };
    return (places[section] ?? [`${section}:${name}`]).some(
      (place) => key === place || key.startsWith(`${place} (`),
    );
  });
}
