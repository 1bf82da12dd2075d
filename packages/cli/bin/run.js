#!/usr/bin/env node
// Starts envsnap: checks the version of Node.js, answers --version, then loads the bundle. Plain JavaScript that old
// versions of Node.js can run; nothing is imported before the check.

const needed = [22, 15];
const running = process.versions.node.split('.').map(Number);

if (running[0] < needed[0] || (running[0] === needed[0] && running[1] < needed[1])) {
  process.stderr.write(
    `envsnap needs Node.js ${needed.join('.')} or newer; this is ${process.versions.node}\n`,
  );
  process.exitCode = 2;
} else {
  start(process.argv.slice(2));
}

async function start(argv) {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) {
    // Answered here, because loading the command framework costs as much as starting Node.js.
    const { readFileSync } = await import('node:fs');
    process.stdout.on('error', () => process.exit(7));
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    process.stdout.write(`envsnap/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
    return;
  }
  const { keepBytecode } = await import('./keep-bytecode.js');
  keepBytecode();
  const { fileURLToPath } = await import('node:url');
  const { main } = await import('../dist/main.js');
  const bundle = new URL('../dist/', import.meta.url);
  await main(argv, fileURLToPath(bundle), (file) => import(new URL(file, bundle).href));
}
