#!/usr/bin/env node
// Starts envsnap from its package: checks the version of Node.js, then hands over to start.js. Plain JavaScript that old
// versions of Node.js can run; nothing is imported before the check.

const needed = [22, 12];
const running = process.versions.node.split('.').map(Number);

if (running[0] < needed[0] || (running[0] === needed[0] && running[1] < needed[1])) {
  process.stderr.write(
    `envsnap needs Node.js ${needed.join('.')} or newer; this is ${process.versions.node}\n`,
  );
  process.exitCode = 2;
} else if (heapMegabytes() < 32) {
  process.stderr.write(
    `envsnap needs 32 MB of memory; NODE_OPTIONS gives it ${heapMegabytes()} (--max-old-space-size)\n`,
  );
  process.exitCode = 2;
} else {
  startFromFiles().catch(explain);
}

/** The heap that NODE_OPTIONS allows. Node.js starts with less than this program needs. */
function heapMegabytes() {
  const [, given] = /--max[-_]old[-_]space[-_]size(?:=| +)(\d+)/.exec(process.env.NODE_OPTIONS || '') || [];
  return Number(given) || Number.POSITIVE_INFINITY;
}

/** If the program cannot be loaded, its files were changed or Node.js is restricted, most often by that variable. */
function explain(error) {
  if (!process.env.NODE_OPTIONS) throw error;
  const [reason] = String(error.message).split('\n', 1);
  process.stderr.write(
    `envsnap cannot start: ${reason}\nNODE_OPTIONS may be the cause: unset it, or use the standalone envsnap executable, which ignores it.\n`,
  );
  process.exitCode = 7;
}

async function startFromFiles() {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const here = import.meta.url;
  const startThread = () => {
    const { SHARE_ENV, Worker } = process.getBuiltinModule('node:worker_threads');
    // Without input, because the thread would create a stream for it.
    const thread = new Worker(new URL('capture-thread.js', here), { env: SHARE_ENV, stdin: true });
    // With --help or invalid flags it only waits.
    thread.unref();
    return thread;
  };
  // The thread of a capture starts while this one loads the command.
  let early = process.argv[2] === 'capture' ? startThread() : undefined;
  const { start } = await import('./start.js');
  const read = (name) => readFileSync(new URL(name, here), 'utf8');
  await start(process.argv.slice(2), {
    command: [process.execPath, ...process.execArgv, process.argv[1]],
    version: () => JSON.parse(read('../package.json')).version,
    main: async () => {
      const { keepBytecode } = await import('./keep-bytecode.js');
      // A server for agents writes nothing.
      if (process.argv[2] !== 'mcp') keepBytecode();
      return import('../dist/main.js');
    },
    manifest: () => JSON.parse(read('../dist/oclif.manifest.json')),
    buildId: () => read('../dist/build-id').trim(),
    captureThread: () => {
      const thread = early ?? startThread();
      early = undefined;
      return thread;
    },
    load: (file) => import(new URL(`../dist/${file}`, here).href),
  });
}
