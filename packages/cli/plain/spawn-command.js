const { ChildProcess, spawn } = process.getBuiltinModule('node:child_process');

/**
 * Starts a program. If it cannot be started, the reason always comes as the event `error`. Node.js throws some of them: a
 * circular link, or too long a list of arguments.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function spawnCommand(file, args, options) {
  try {
    return spawn(file, args, options);
  } catch (error) {
    const child = new ChildProcess();
    process.nextTick(() => child.emit('error', error));
    return child;
  }
}
