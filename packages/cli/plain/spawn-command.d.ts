import type { ChildProcess, SpawnOptions } from 'node:child_process';

/** Starts a program. If it cannot be started, the reason always comes as the event `error`. */
export declare function spawnCommand(
  file: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess;
