// The program of the thread on which captures run: one script, with the bytecode of what an earlier capture used. Node.js's own
// compile cache holds no function that is compiled at its first call. No ES module, since their loader takes longer to start.

const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');
const { workerData: folder } = require('node:worker_threads');
const { crc32 } = require('node:zlib');

const filename = path.join(__dirname, '../dist/threads/capture-thread.cjs');
const kept = `${folder}/capture-thread-${process.version}`;
const cachedData = folder && readKept();
const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData });
if (folder && script.cachedDataRejected !== false) process.once('exit', keep);
script.runInThisContext()(require);

/** What stands before bytecode: V8 compares scripts only by their length, and crashes on bytecode that is damaged. */
function stampOf(/** @type {Buffer} */ code) {
  const build = readFileSync(path.join(__dirname, '../dist/build-id'), 'utf8');
  return Buffer.from(`${build}${crc32(code)}\n`.padStart(32));
}

function readKept() {
  try {
    const bytes = readFileSync(kept);
    const code = bytes.subarray(32);
    return stampOf(code).equals(bytes.subarray(0, 32)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** A thread that was stopped has used few of the functions. */
function keep(/** @type {number} */ exitCode) {
  if (exitCode !== 0) return;
  try {
    const code = script.createCachedData();
    writeFileSync(`${kept}.${process.pid}`, Buffer.concat([stampOf(code), code]), { mode: 0o600 });
    renameSync(`${kept}.${process.pid}`, kept);
  } catch {
    // A full disk, a folder of somebody else: the next capture compiles as this one did.
  }
}
