import type { ChildProcess, SpawnOptions } from 'node:child_process';

/** Starts a program. Why it cannot be started comes as the event `error`, always. */
export declare function spawnCommand(
  file: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess;
