// Reads the facts of a fake machine as a capture does.

import { collectFacts } from '../../../packages/capture/src/facts/collect-facts.ts';
import { createMounts } from '../../../packages/capture/src/facts/mounts.ts';
import { readSearchPath } from '../../../packages/capture/src/runtimes/search-path.ts';
import { createToolLocator } from '../../../packages/capture/src/runtimes/tool-locator.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { untrustedTree } from '../../../packages/capture/src/system/untrusted-tree.ts';
import { createFakeSystem, type FakeMachine } from '../../support/fake-system.ts';

/** The facts, what is unknown, and the machine with its record of started programs. */
export async function readFacts(described: FakeMachine, folder = '/srv/app') {
  const system = createFakeSystem(described);
  const machine = openMachine(system);
  const tree = await untrustedTree(machine, folder);
  const searchPath = await readSearchPath(machine, folder, tree);
  const searchFolders = searchPath.folders;
  const locator = await createToolLocator(machine, searchPath, folder, tree);
  const mounts = createMounts(machine);
  return { ...(await collectFacts({ machine, folder, searchFolders, locator, mounts })), system };
}
