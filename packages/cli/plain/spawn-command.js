const { ChildProcess, spawn } = process.getBuiltinModule('node:child_process');

/**
 * Starts a program. Why it cannot be started comes as the event `error`, always: Node.js throws some reasons, such as a link
 * that leads in a circle or too long a list of arguments.
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
