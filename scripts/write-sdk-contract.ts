// Writes the SDK's contract: run it after a change to an operation or one of its schemas.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sdkContract } from './sdk-contract.ts';

const folder = path.resolve(import.meta.dirname, '../packages/sdk/src/contract');
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(sdkContract())) writeFileSync(path.join(folder, name), text);
