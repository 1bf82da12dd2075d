#!/usr/bin/env node
// Starts envsnap from its package: checks the version of Node.js, then hands over to start.js. Plain JavaScript that old
// versions of Node.js can run; nothing is imported before the check.

const needed = [22, 15];
const running = process.versions.node.split('.').map(Number);

if (running[0] < needed[0] || (running[0] === needed[0] && running[1] < needed[1])) {
  process.stderr.write(
    `envsnap needs Node.js ${needed.join('.')} or newer; this is ${process.versions.node}\n`,
  );
  process.exitCode = 2;
} else {
  startFromFiles();
}

async function startFromFiles() {
  const { readFileSync } = await import('node:fs');
  const { start } = await import('./start.js');
  const here = import.meta.url;
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
    captureThread: () => new URL('capture-thread.js', here),
    load: (file) => import(new URL(`../dist/${file}`, here).href),
  });
}
