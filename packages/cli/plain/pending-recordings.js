// Runs that have ended but are still being recorded. Commands that need the last run wait for them, and recordings wait for each
// other. Plain JavaScript, because a recording waits for its turn before it loads the bundle.

const fs = process.getBuiltinModule('node:fs');
const path = process.getBuiltinModule('node:path');

import { makeFolder } from './make-folder.js';
import { stateFolder } from './state-folder.js';

/** Most recordings that may continue after their runs have ended. */
const mostPending = 20;
/** Longest wait, in milliseconds. */
const mostWaitMs = 30_000;
const lookMs = 20;
/** No recording takes this long, in milliseconds: an older note is that of a killed process. */
const staleMs = 120_000;

/** Until when nobody waits again, because recordings were still in progress after a full wait. */
let nextWaitAt = 0;

/**
 * Resolves when no recording is in progress, or after 30 seconds: a busy machine takes that long. If recordings are still in
 * progress then, a warning on standard error says so.
 */
export async function settleRecordings(waitMs = mostWaitMs) {
  if (performance.now() < nextWaitAt) return;
  await waitWhile(() => pendingRecordings().length > 0, waitMs);
  const { length } = pendingRecordings();
  if (length === 0) return;
  nextWaitAt = performance.now() + mostWaitMs;
  const runs = length === 1 ? '1 run is' : `${length} runs are`;
  process.stderr.write(
    `Warning: ${runs} still being recorded and not included here. Run this command again in a minute.\n`,
  );
}

/** Resolves when it is the turn of this process: one recording after the other, in the order in which the runs ended. */
export function recordingTurn() {
  return waitWhile(() => ![undefined, String(process.pid)].includes(pendingRecordings()[0]));
}

/**
 * Notes that a process records a run that has ended, and resolves when there are not too many of them.
 *
 * @param {number} pid
 */
export async function leaveRecording(pid) {
  try {
    makeFolder(pendingFolder());
    fs.writeFileSync(noteOf(pid), '', { mode: 0o600 });
  } catch {
    // A folder that cannot be written to holds no runs either.
  }
  await waitWhile(() => pendingRecordings().length > mostPending);
}

/** Removes the note of this process, when its recording is done. */
export function recordingDone() {
  takeAway(process.pid);
}

/** @param {number | string} pid */
function takeAway(pid) {
  try {
    fs.rmSync(noteOf(pid), { force: true });
  } catch {
    // If nothing can be written, there is no note.
  }
}

/**
 * @param {() => boolean} isBusy
 * @param {number} [waitMs]
 */
async function waitWhile(isBusy, waitMs = mostWaitMs) {
  const end = performance.now() + waitMs;
  while (isBusy() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, lookMs));
}

/** Holds one file for each recording that continues after its run, named after its process. */
function pendingFolder() {
  return path.join(stateFolder(), '.pending');
}

/** @param {number | string} pid */
function noteOf(pid) {
  return path.join(pendingFolder(), String(pid));
}

/** Names of the processes that record, those of earlier runs first. */
function pendingRecordings() {
  /** @type {string[]} */
  let names;
  try {
    names = fs.readdirSync(pendingFolder());
  } catch {
    return [];
  }
  return names
    .flatMap((name) => {
      const endedAt = fs.statSync(noteOf(name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (isAlive(Number(name)) && Date.now() - endedAt < staleMs) return [{ name, endedAt }];
      takeAway(name);
      return [];
    })
    .sort((x, y) => x.endedAt - y.endedAt || Number(x.name) - Number(y.name))
    .map(({ name }) => name);
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
