// The start of the program, in the package and in the executable: prints --version, and loads the bundle for everything else.

/**
 * How the program is packed: files beside this one, or assets inside an executable.
 *
 * @typedef {object} Packed
 * @property {readonly string[]} command What starts this program again.
 * @property {() => string} version
 * @property {() => Promise<typeof import('../src/main.ts')>} main Loads the bundle's entry.
 * @property {() => object} manifest Reads what help and lookup know of the commands.
 * @property {() => import('node:worker_threads').Worker} [captureThread] A thread that waits for what it is to capture.
 * @property {() => string} buildId Reads which build this is: builds of one version differ in a checkout.
 * @property {import('../src/bundled-plugin.ts').LoadCommand} load
 */

/** Lower than that of commands. */
const recordingPriority = 10;

/**
 * Runs the program to its end.
 *
 * @param {readonly string[]} argv
 * @param {Packed} packed
 */
export async function start(argv, packed) {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) {
    // Printed here, because loading the command framework costs as much as starting Node.js.
    process.stdout.on('error', () => process.exit(7));
    process.stdout.write(
      `envsnap/${packed.version()} ${process.platform}-${process.arch} node-${process.version}\n`,
    );
    return;
  }
  if (argv[0] === 'record-run') {
    // A recording has a low priority, so that it takes no time from its command.
    process.getBuiltinModule('node:os').setPriority(recordingPriority);
    const { recordingTurn } = await import('../plain/pending-recordings.js');
    if (argv[1] !== '--at-once') await recordingTurn();
  }
  // `envsnap --json run` means `envsnap run --json`.
  const place = argv.findIndex((word) => word !== '--' && word !== '--json');
  if (argv[place] === 'run') {
    const { readRunWords } = await import('./run-words.js');
    const json = argv.slice(0, place).filter((word) => word !== '--');
    const request = readRunWords([...json, ...argv.slice(place + 1)]);
    if (request) {
      const { runCommand } = await import('./run-command.js');
      await runCommand(request, packed.command);
      return;
    }
  }
  const { main } = await packed.main();
  await main(argv, packed);
}
