import { describe, expect, it } from 'vitest';
import { collectHardware } from '../../packages/capture/src/machine/collect-system.ts';
import { openMachine } from '../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../packages/capture/src/system/node-system.ts';
import { createFakeSystem } from '../support/fake-system.ts';

describe('the hardware', () => {
  it('is asked for only when it is wanted', async () => {
    expect(await collectHardware(openMachine(createFakeSystem()), false)).toEqual({ warnings: [] });
  });

  it('leaves out what is not known', async () => {
    const system = createFakeSystem({
      hardware: {
        manufacturer: 'Lenovo',
        model: undefined,
        processor: 'AMD Ryzen 7',
        physicalCores: 8,
        graphics: [],
      },
    });
    expect(await collectHardware(openMachine(system), true)).toEqual({
      hardware: { manufacturer: 'Lenovo', processor: 'AMD Ryzen 7', physicalCores: 8 },
      warnings: [],
    });
  });

  it('that does not answer costs a warning', async () => {
    const { hardware, warnings } = await collectHardware(openMachine(createFakeSystem()), true);
    expect(hardware).toBeUndefined();
    expect(warnings).toEqual([expect.objectContaining({ code: 'hardware_unreadable' })]);
  });

  it('of this machine has at least a processor, and no serial number', async () => {
    const { hardware, warnings } = await collectHardware(openMachine(createSystem()), true);
    expect(warnings).toEqual([]);
    expect(hardware?.processor).toEqual(expect.any(String));
    expect(JSON.stringify(hardware)).not.toMatch(/serial|uuid/i);
  });
});
