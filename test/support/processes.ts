// Finds processes that outlive their test: they would write into the folder that it removes.

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Processes whose variables name the folder, for example as `HOME` or `TMPDIR`; none if the system has no `/proc`. */
function processesOf(folder: string): number[] {
  const environment = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8');
    } catch {
      // It has ended, or is another user's.
      return '';
    }
  };
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid && environment(pid).includes(folder));
  } catch {
    return [];
  }
}

/** Resolves when no process of the folder is running; ends those that still run after 20 seconds. */
export async function processesEnded(folder: string): Promise<void> {
  const end = performance.now() + 20_000;
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    if (performance.now() > end) for (const pid of left) kill(pid);
    await sleep(25);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}
