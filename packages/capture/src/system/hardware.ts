// What only the system's own programs report of the hardware: maker, model, cores, graphics. Asked for by `--hardware` only,
// since systeminformation starts those programs through a shell.

import type { HardwareFacts } from './system.ts';

/** Longest wait for all answers together, in milliseconds. */
const timeoutMs = 15_000;

/** Facts that can be determined; rejects when the system's programs do not answer in 15 s. No serial numbers. */
export async function readHardware(): Promise<HardwareFacts> {
  const { cpu, graphics, system } = (await import('systeminformation')).default;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    const [machine, processor, cards] = await Promise.race([
      Promise.all([system(), cpu(), graphics()]),
      tooLate,
    ]);
    const known = (text: string | undefined) => text?.trim() || undefined;
    return {
      manufacturer: known(machine.manufacturer),
      model: known(machine.model),
      processor: known([processor.manufacturer, processor.brand].filter(Boolean).join(' ')),
      physicalCores: processor.physicalCores || undefined,
      graphics: cards.controllers.map(({ vendor, model, driverVersion }) =>
        [known(vendor), known(model), driverVersion && `(driver ${driverVersion})`].filter(Boolean).join(' '),
      ),
    };
  } finally {
    clearTimeout(timer);
  }
}
