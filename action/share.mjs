// Makes a page of the comparison that opens without a key, and puts its address into the comment.

import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { input, notice, runEnvsnap, workFolder, writeOutputs } from './program.mjs';

/** Shares the comparison with this job's environment, or with the snapshot that holds it. Never fails the job. */
export function share(program, snapshotId) {
  const folder = workFolder();
  const { a, snapshotA } = JSON.parse(readFileSync(path.join(folder, 'comparison.json'), 'utf8'));
  // By its id, because `latest:MACHINE` may be another snapshot by now.
  const { exitCode, stdout } = runEnvsnap(
    program,
    ['share', '--json'],
    [
      ['dir', input('dir')],
      ['expires', input('share') === 'true' ? '' : input('share')],
    ],
    [snapshotA ?? (input('baseline') || a.label), snapshotId ?? 'local'],
  );
  if (exitCode !== 0)
    return notice(`No share: envsnap share ended with ${exitCode}; the log above says why.`);
  const { url: given, expiresAt } = JSON.parse(stdout);
  // A `)` would end the Markdown link.
  const url = new URL(given).href.replaceAll(')', '%29');
  writeOutputs({ 'share-url': url });
  const until = expiresAt.slice(0, 10);
  appendFileSync(
    path.join(folder, 'comment.md'),
    `\n[The whole comparison](${url}) opens without an account until ${until}.\n`,
  );
}
