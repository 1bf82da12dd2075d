// Reads a command's output without the command noticing: nothing from a terminal, but files and pipes.

const fs = process.getBuiltinModule('node:fs');
const net = process.getBuiltinModule('node:net');
const os = process.getBuiltinModule('node:os');
const path = process.getBuiltinModule('node:path');
const { spawn, spawnSync } = process.getBuiltinModule('node:child_process');

/** Number of bytes at the end of each stream that are kept. */
const tailBytes = 64 * 1024;
/** After this many turns of the event loop without anything new, a pipe is empty. */
const idleTurns = 3;
/** How long to wait if the reader has made its pipe non-blocking, in milliseconds. */
const fullPipeMs = 5;

/**
 * One stream of the command: its descriptor for the command, and the part that can be read afterwards.
 *
 * @typedef {object} Seen
 * @property {number} given Descriptor for the command.
 * @property {() => void} started To be called once the command has its descriptors.
 * @property {() => Promise<string | undefined>} finish The end of the output, once all of it was passed on; undefined if it
 *   could not be read.
 * @property {() => void} leave To be called right before this process ends.
 */

/**
 * Creates the command's standard output and error. A terminal stays a terminal. Output to a pipe passes through our own named
 * pipe, because the socket pairs of Node.js cannot be opened as /dev/stderr.
 *
 * @param {readonly number[]} descriptors Of this process, for the command's standard output and error.
 * @returns {Seen[]}
 */
export function watchOutput(descriptors) {
  const kinds = descriptors.map(kindOf);
  const places = [...new Set(kinds.filter(({ kind }) => kind === 'pipe').map(({ place }) => place))];
  const pipes = places.length > 0 ? makePipes(places.length) : undefined;
  /** @type {Map<string, Seen>} */
  const shared = new Map();
  return descriptors.map((descriptor, index) => {
    const { kind, place } = kinds[index];
    const known = shared.get(place);
    // Two streams that lead to one place stay one, so that their lines keep their order.
    if (known) return { ...known, started: nothing, finish: async () => '', leave: nothing };
    const pipe = kind === 'pipe' ? pipes?.[places.indexOf(place)] : undefined;
    const seen =
      pipe !== undefined
        ? throughPipe(descriptor, pipe)
        : kind === 'file'
          ? inFile(descriptor)
          : unseen(descriptor);
    if (kind !== 'other') shared.set(place, seen);
    return seen;
  });
}

const nothing = () => undefined;

/** @param {number} descriptor */
function kindOf(descriptor) {
  const stats = fs.fstatSync(descriptor);
  const place = `${stats.dev}:${stats.ino}`;
  if (stats.isFile()) return { kind: 'file', place };
  return { kind: stats.isFIFO() || stats.isSocket() ? 'pipe' : 'other', place };
}

/**
 * Both ends of new pipes; undefined if there can be none (Windows, no mkfifo). The command then keeps its own.
 *
 * @param {number} count
 */
function makePipes(count) {
  if (process.platform === 'win32') return undefined;
  let folder;
  try {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'envsnap-run-'));
    const names = Array.from({ length: count }, (_, index) => path.join(folder, String(index)));
    if (spawnSync('mkfifo', ['-m', '600', ...names], { stdio: 'ignore' }).status !== 0) return undefined;
    const { O_RDONLY, O_NONBLOCK, O_WRONLY } = fs.constants;
    return names.map((name) => ({
      read: fs.openSync(name, O_RDONLY | O_NONBLOCK),
      write: fs.openSync(name, O_WRONLY),
    }));
  } catch {
    return undefined;
  } finally {
    if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {number} descriptor @returns {Seen} */
function unseen(descriptor) {
  return { given: descriptor, started: nothing, finish: async () => undefined, leave: nothing };
}

/** @param {number} descriptor @returns {Seen} */
function inFile(descriptor) {
  const before = fs.fstatSync(descriptor).size;
  return {
    given: descriptor,
    started: nothing,
    leave: nothing,
    async finish() {
      try {
        // Opened again, because the command's descriptor may be for writing only.
        const file = fs.openSync(`/proc/self/fd/${descriptor}`, 'r');
        const { size } = fs.fstatSync(file);
        const from = Math.max(size < before ? 0 : before, size - tailBytes);
        const bytes = Buffer.alloc(Math.max(0, size - from));
        const length = fs.readSync(file, bytes, 0, bytes.length, from);
        fs.closeSync(file);
        return bytes.toString('utf8', 0, length);
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * @param {number} target Where everything goes.
 * @param {{ read: number, write: number }} pipe
 * @returns {Seen}
 */
function throughPipe(target, { read, write }) {
  const socket = new net.Socket({ fd: read, readable: true, writable: false });
  const tail = createTail();
  let closed = false;
  let chunks = 0;
  let isWriting = false;
  const stop = () => {
    closed = true;
    isWriting = false;
    // The reader is gone. The command notices, as it would without envsnap.
    socket.destroy();
  };
  socket.on('data', (chunk) => {
    tail.push(chunk);
    chunks += 1;
    isWriting = true;
    socket.pause();
    writeAll(target, chunk).then(() => {
      isWriting = false;
      socket.resume();
    }, stop);
  });
  socket.on('end', () => {
    closed = true;
  });
  socket.on('error', stop);
  return {
    given: write,
    started: () => fs.closeSync(write),
    async finish() {
      // The output is in the pipe, and each turn of the loop reads some of it.
      for (let idle = 0, seen = -1; !(closed && !isWriting) && idle < idleTurns; ) {
        idle = seen === chunks && !isWriting ? idle + 1 : 0;
        seen = chunks;
        await new Promise((resolve) => (isWriting ? setTimeout(resolve, 1) : setImmediate(resolve)));
      }
      return tail.text();
    },
    leave: () => {
      if (!closed) passOn(read, target);
    },
  };
}

/**
 * Hands a pipe over to a separate process, because background processes of the command may still write.
 *
 * @param {number} read
 * @param {number} target
 */
function passOn(read, target) {
  spawn('cat', { stdio: [read, target, 'ignore'], detached: true })
    .on('error', () => undefined)
    .unref();
}

/** @param {number} target @param {Buffer} chunk */
async function writeAll(target, chunk) {
  for (let rest = chunk; rest.length > 0; ) {
    const written = await new Promise((resolve, reject) => {
      fs.write(target, rest, (error, length) => {
        if (error?.code === 'EAGAIN') setTimeout(resolve, fullPipeMs, 0);
        else if (error) reject(error);
        else resolve(length);
      });
    });
    rest = rest.subarray(written);
  }
}

function createTail() {
  /** @type {Buffer[]} */
  let chunks = [];
  let length = 0;
  return {
    /** @param {Buffer} chunk */
    push(chunk) {
      chunks.push(chunk);
      length += chunk.length;
      if (length < 2 * tailBytes) return;
      const kept = Buffer.concat(chunks).subarray(-tailBytes);
      chunks = [kept];
      length = kept.length;
    },
    text: () => Buffer.concat(chunks).subarray(-tailBytes).toString('utf8'),
  };
}
