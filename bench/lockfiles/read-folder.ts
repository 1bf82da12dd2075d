// Reads the dependency files of a folder and ends: the process whose time and memory the suite measures.

import { collectDependencies } from '../../packages/capture/src/dependencies/collect-dependencies.ts';
import { openMachine } from '../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../packages/capture/src/system/node-system.ts';

const [folder = '.'] = process.argv.slice(2);
const { dependencies } = await collectDependencies(openMachine(createSystem()), { folder, manifests: false });
if (Object.keys(dependencies).length === 0) throw new Error('nothing was read');
