// Tests of the ordinary run that are reliability tests as well: run here so that the page shows all of it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Check, every, type Figure } from '../check.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const suites: Record<string, readonly string[]> = {
  'addresses that deliveries must not reach': [
    'test/server/webhooks/ssrf.test.ts',
    'test/server/webhooks/target-guard.test.ts',
  ],
  'ciphertext that was changed or moved': [
    'test/server/infra/crypto/envelope.test.ts',
    'test/server/infra/crypto/sealed-stream.test.ts',
    'test/server/infra/crypto/keyring.test.ts',
  ],
  'migrations, killed ones too': [
    'test/server/infra/db/migrate.test.ts',
    'test/server/infra/db/migrate-killed.test.ts',
  ],
  'windows of the rate limit against an exact log': ['test/server/usage/sliding-window.test.ts'],
  'full disks, damage, unread logs, silence': [
    'test/e2e/server-faults.test.ts',
    'test/server/operator/backup-faults.test.ts',
  ],
  'generated requests of every kind': [
    'test/server/api/fuzz.test.ts',
    'test/server/api/hostile-input.test.ts',
  ],
};

export const ordinary: Check = {
  name: 'suites',
  what: 'the tests of addresses, ciphers, migrations, windows, faults and generated requests',
  async run({ world }) {
    const figures: Figure[] = [];
    for (const [what, files] of Object.entries(suites)) {
      const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
      const report = path.join(world.folder(), 'report.json');
      const args = [vitest, 'run', '--reporter=json', `--outputFile=${report}`, ...files];
      const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' });
      await once(child, 'exit');
      const { numPassedTests, numTotalTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
      figures.push(every(what, numPassedTests, numTotalTests - numPendingTests));
    }
    return figures;
  },
};
