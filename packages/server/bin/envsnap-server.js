#!/usr/bin/env node
// Starts the program; checks the Node.js version first, before anything native is loaded.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 15)) {
  process.stderr.write(`envsnap-server needs Node.js 22.15 or newer; this is ${process.versions.node}\n`);
  process.exit(2);
}
const { runCli } = await import('../dist/program/cli.js');
await runCli(process.argv);
