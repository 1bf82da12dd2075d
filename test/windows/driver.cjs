// Run by the Node.js for Windows: starts programs there one after the other and writes down how each ended, since Wine
// hands no pipes over to its programs. driver.cjs JOBS.json RESULTS.json

const { spawnSync } = require('node:child_process');
const { readFileSync, writeFileSync } = require('node:fs');

const [, , jobs, results] = process.argv;
const ended = JSON.parse(readFileSync(jobs, 'utf8')).map(({ args, cwd, env }) => {
  const options = { cwd, env: { ...process.env, ...env }, encoding: 'utf8', timeout: 60_000 };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status, stdout, stderr };
});
writeFileSync(results, JSON.stringify(ended));
