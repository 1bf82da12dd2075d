// Runs a command as if envsnap were not there: it keeps its terminal, streams, process group, signals and exit code. A second
// process with the same environment captures it, and records the command's result.

const fs = process.getBuiltinModule('node:fs');
const os = process.getBuiltinModule('node:os');
const path = process.getBuiltinModule('node:path');
const { isatty } = process.getBuiltinModule('node:tty');
const { spawn } = process.getBuiltinModule('node:child_process');
const { getSystemErrorMessage } = process.getBuiltinModule('node:util');

import { leaveRecording } from '../plain/pending-recordings.js';
import { spawnCommand } from '../plain/spawn-command.js';
import { windowsCommand } from '../plain/windows-command.js';
import { watchOutput } from './command-output.js';
import { followJobControl } from './job-control.js';
import { watchPane } from './pane-output.js';

/** Signals that are forwarded, each once. Those of job control: job-control.js. */
const handedOn = /** @type {const} */ ([
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGTERM',
  'SIGABRT',
  'SIGALRM',
  'SIGIO',
  'SIGPWR',
  'SIGUSR1',
  'SIGUSR2',
  'SIGVTALRM',
  'SIGXCPU',
  'SIGXFSZ',
]);
/** Signals by which a person or a supervisor ends a run, whose result then says nothing about its environment. */
const endsRun = new Set(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM']);
/** How long a signal to the whole group may take to reach its second process, in milliseconds. */
const groupMs = 100;
/** How long the wait for the message stays silent, in milliseconds. */
const silentMs = 1000;
const late = {
  code: 'recording_slow',
  message: 'the run is still being recorded after 30 seconds',
  hint: 'Later, this explains it: envsnap compare last-passed last-failed',
};
/** Most characters of a pane that are kept. */
const tailLength = 64 * 1024;
const onWindows = process.platform === 'win32';

/**
 * Runs the command and ends this process as it ended.
 *
 * @param {{ flags: Record<string, string | boolean | string[]>, command: string[] }} request
 * @param {readonly string[]} program What starts this program again.
 * @param {number} answerMs Longest wait for the recording's message, in milliseconds.
 */
export async function runCommand({ flags, command: [file = '', ...args] }, program, answerMs = 30_000) {
  const json = flags.json === true;
  const output = watchOutput([json ? 2 : 1, 2]);
  const pane = [1, 2].some((descriptor) => isatty(descriptor)) ? await watchPane() : undefined;
  const startedAt = Date.now();
  const started = performance.now();
  const command = commandOf(file, args);
  const child = spawnCommand(command.file, command.args, {
    stdio: ['inherit', ...output.map(({ given }) => given), ...inheritedDescriptors()],
    windowsVerbatimArguments: command.windowsVerbatimArguments,
  });
  for (const { started } of output) started();
  const ending = new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const signals = handOnSignals(child);
  const recording = startRecording(program, { flags, command: [file, ...args], startedAt }, answerMs);

  const { error, exitCode, signal } = await ending;
  const durationMs = performance.now() - started;
  const code = error ? startFailure(file, error) : (exitCode ?? 128 + os.constants.signals[signal]);
  let stopSaying = () => undefined;
  const exit = () => {
    stopSaying();
    for (const { leave } of output) leave();
    process.exit(code);
  };
  signals.ended(exit);
  const [stdout, stderr] = await Promise.all(output.map(({ finish }) => finish()));
  const isMissing = error?.code === 'ENOENT' && firstLineOf(file) === undefined;
  if (signals.interrupted() || (isMissing && flags.quiet === true && !json)) {
    recording.forget();
    exit();
  }
  // Only the end of the pane's output, as for a pipe.
  const shown = code !== 0 && flags.quiet !== true ? (await pane?.())?.slice(-tailLength) : undefined;
  const waits = json || (code !== 0 && flags.quiet !== true) || !recording.mayGoOn();
  recording.end(
    {
      exitCode: error ? code : exitCode,
      isMissing,
      signal: signal ?? null,
      durationMs,
      stdout: stdout ?? shown,
      stderr,
      screen: waits ? screenOf(json) : null,
    },
    waits,
  );
  if (waits) {
    if (!json && flags.quiet !== true && code !== 0 && isatty(2)) stopSaying = sayThatItFollows();
    const answer = await recording.answer(json);
    stopSaying();
    if (json || flags.quiet !== true) writeWhole(json ? 1 : 2, answer);
  } else {
    // The next command may overwrite the reports of this one.
    if (recording.hasReports) await recording.reportsRead();
    await recording.left();
  }
  exit();
}

/** The program to start. Ends this process if it would get other arguments than the user wrote. */
function commandOf(/** @type {string} */ file, /** @type {string[]} */ args) {
  if (!onWindows) return { file, args, windowsVerbatimArguments: false };
  try {
    return windowsCommand(file, args, process.env);
  } catch (error) {
    process.exit(startFailure(file, /** @type {Error} */ (error)));
  }
}

/**
 * Writes a whole text. A pipe takes a part at a time, and nothing while it is full.
 *
 * @param {number} descriptor
 * @param {string} text
 */
function writeWhole(descriptor, text) {
  const bytes = Buffer.from(text);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let written = 0; written < bytes.length; ) {
    try {
      written += fs.writeSync(descriptor, bytes, written);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      // The reader is gone or the disk is full: the run still ends like the command.
      if (code !== 'EAGAIN') return;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}

/** Says on a terminal that the message follows. Returns what removes that line. */
function sayThatItFollows() {
  let isSaid = false;
  const timer = setTimeout(() => {
    isSaid = true;
    writeWhole(2, 'envsnap: looking for the cause…');
  }, silentMs);
  return () => {
    clearTimeout(timer);
    if (isSaid) writeWhole(2, '\r\x1b[2K');
    isSaid = false;
    return undefined;
  };
}

/** The destination of the message. */
function screenOf(/** @type {boolean} */ json) {
  const { isTTY = false, columns = 0 } = json ? process.stdout : process.stderr;
  return { isTTY, columns };
}

/** Says why a command could not be started, with the exit code that shells use. */
function startFailure(/** @type {string} */ file, /** @type {NodeJS.ErrnoException} */ error) {
  const isMissing = error.code === 'ENOENT';
  const why = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
  const said = `${file}: ${isMissing ? lacking(firstLineOf(file)) : why}`;
  // Text that a terminal or CI service would execute, and invisible characters. `visible` is in the bundle.
  const obeyed =
    /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]|##|@@|\[\[|<(?=CTest|Dart)|(?:section|travis)_/giu;
  fs.writeSync(2, `envsnap: ${said.replace(obeyed, '?')}\n`);
  return isMissing ? 127 : 126;
}

function lacking(/** @type {string | undefined} */ firstLine) {
  if (firstLine === undefined) return 'command not found';
  const interpreter = /^#! *(\S+)/.exec(firstLine)?.[1];
  if (interpreter === undefined) return 'the file exists, but the dynamic loader that it needs does not';
  const flaw = firstLine.endsWith('\r')
    ? ' followed by a carriage return (a Windows line ending)'
    : ', which does not exist';
  return `its first line names ${interpreter}${flaw}`;
}

/** The first line of an existing script whose interpreter is missing. */
function firstLineOf(/** @type {string} */ file) {
  const folders = file.includes('/') ? [''] : (process.env.PATH ?? '').split(path.delimiter);
  for (const folder of folders) {
    try {
      const descriptor = fs.openSync(path.join(folder, file), 'r');
      const bytes = Buffer.alloc(256);
      const length = fs.readSync(descriptor, bytes);
      fs.closeSync(descriptor);
      return bytes.toString('latin1', 0, length).split('\n', 1)[0];
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/**
 * Inherited descriptors above the standard ones, such as those of `make`'s job server: Node.js closes them for its children. They
 * are below the first that it has opened itself.
 */
function inheritedDescriptors() {
  /** @type {number[]} */
  const inherited = [];
  for (let descriptor = 3; ; descriptor += 1) {
    try {
      if (fs.readlinkSync(`/proc/self/fd/${descriptor}`).startsWith('anon_inode:')) return inherited;
    } catch {
      return inherited;
    }
    inherited.push(descriptor);
  }
}

/**
 * Forwards signals to the command. A signal from a terminal (Ctrl-C), or from `kill` to a whole group, has already reached the
 * command; a second process in the group dies from it and so reveals that.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function handOnSignals(child) {
  let interrupted = false;
  /** @type {(() => void) | undefined} */
  let end;
  /** @type {Map<NodeJS.Signals, number>} */
  const toGroup = new Map();
  /** @type {number | undefined} */
  let member;
  const watch = () => {
    // Ends with this process, whose pipe it reads.
    const witness = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    member = witness.pid;
    witness.on('error', () => undefined);
    witness.stdin.on('error', () => undefined);
    witness.once('exit', (_, signal) => {
      if (signal === null) return;
      toGroup.set(signal, performance.now());
      watch();
    });
    witness.unref();
    /** @type {import('node:net').Socket} */ (witness.stdin).unref();
  };
  // After everything is started: a process that is stopped before it has begun blocks its parent, which then could not stop.
  if (!onWindows)
    setImmediate(() => {
      watch();
      followJobControl(child, () => member);
    });
  for (const signal of handedOn) {
    process.on(signal, () => {
      if (end) end();
      if (endsRun.has(signal)) interrupted = true;
      if (onWindows) return;
      setTimeout(() => {
        const reached = toGroup.get(signal);
        toGroup.delete(signal);
        if (reached === undefined || performance.now() - reached > 2 * groupMs) child.kill(signal);
      }, groupMs);
    });
  }
  // A change of the terminal's size goes to the whole group, and no process dies from it.
  if (!onWindows && ![0, 1, 2].some((descriptor) => isatty(descriptor)))
    process.on('SIGWINCH', () => child.kill('SIGWINCH'));
  return {
    interrupted: () => interrupted,
    /** From now on a signal ends this process. */
    ended(/** @type {() => void} */ stop) {
      end = stop;
      process.removeAllListeners('SIGTSTP');
    },
  };
}

/**
 * Starts the process that captures and records, out of the command's group and session.
 *
 * @param {readonly string[]} program
 * @param {{ flags: Record<string, string | boolean | string[]>, command: string[], startedAt: number }} run
 * @param {number} answerMs
 */
function startRecording(program, run, answerMs) {
  const hasReports = run.flags.junit !== undefined || run.flags.ctrf !== undefined;
  const words = [...program.slice(1), 'record-run', ...(hasReports ? ['--at-once'] : [])];
  const recorder = spawn(program[0] ?? '', words, {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
    windowsHide: true,
  });
  recorder.on('error', () => undefined);
  recorder.stdin.on('error', () => undefined);
  recorder.stdin.write(`${JSON.stringify(run)}\n`);
  let text = '';
  /** @type {Promise<void> | undefined} */
  let left;
  recorder.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const reportsRead = new Promise((resolve) => recorder.stdout.once('data', resolve));
  const closed = new Promise((resolve) => recorder.stdout.once('close', resolve));
  return {
    /** The recording fails: nothing is recorded. */
    forget: () => recorder.kill(),
    /** Whether it may continue without us; in some places everything ends with this process. */
    mayGoOn: () => process.pid !== 1 && !isCi(),
    hasReports,
    /** Resolves when it continues alone. */
    left: () => Promise.race([left, closed]),
    /** @param {object} end @param {boolean} answers Whether this process waits for it. */
    end(end, answers) {
      if (!answers && recorder.pid !== undefined) left = leaveRecording(recorder.pid);
      recorder.stdin.end(`${JSON.stringify({ ...end, answers })}\n`);
    },
    /** Resolves when the reports of tests were read; the recording says so with an empty line. */
    reportsRead: () => Promise.race([reportsRead, closed, atMost(answerMs)]),
    /** The recording's message. */
    async answer(/** @type {boolean} */ json) {
      const isLate = await Promise.race([closed.then(() => false), atMost(answerMs).then(() => true)]);
      if (isLate && recorder.pid !== undefined) {
        await leaveRecording(recorder.pid);
        return json ? `${JSON.stringify({ error: late })}\n` : `envsnap: ${late.message}.\n  ${late.hint}\n`;
      }
      // The empty line is missing if the recording failed earlier.
      return text.startsWith('\n') ? text.slice(1) : text;
    },
  };
}

function atMost(/** @type {number} */ ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** CI services that kill the processes that a job leaves running. */
function isCi() {
  const { CI } = process.env;
  return CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0';
}
