// Runs the files of the bundle with the bytecode that V8 made of them in an earlier run, so that their functions are not
// parsed and compiled again. Node.js's own compile cache holds no function that is compiled at its first call.

// Importing these as ES modules would read every export of them, some of which load more.
const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = process.getBuiltinModule('node:fs');
const { createRequire } = process.getBuiltinModule('node:module');
const path = process.getBuiltinModule('node:path');
const { fileURLToPath } = process.getBuiltinModule('node:url');
const { Script } = process.getBuiltinModule('node:vm');
const { crc32 } = process.getBuiltinModule('node:zlib');

const checksumBytes = 4;

/** Days after which what another version of the bundle left is removed. */
const keptDays = 30;

/**
 * Calls after which V8 makes optimised code of a function: some times more than it would wait, because most runs end before
 * such code has paid for itself. See docs/decisions/0147.
 */
const patience = { maglev: 2000, 'maglev-osr': 500, turbofan: 9000, osr: 1500 };
/** Runs that capture or compare; the others are over before V8 optimises anything. */
const longRuns = new Set(['capture', 'check', 'compare']);
/** The last version of Node.js that is known to have these flags: V8 complains of those that it does not know. */
const lastKnownNode = 26;

/** Runs the program of the bundle with its arguments. */
export async function runBundle(/** @type {string[]} */ argv) {
  if (longRuns.has(kindOfRun(argv))) optimiseLate();
  const bundle = fileURLToPath(new URL('../dist/', import.meta.url));
  const load = createLoader(bundle, await codeFolder(bundle, argv), kindOfRun(argv));
  await load('main.js').main(argv, bundle, load);
}

/**
 * Changes this process for good: V8 takes bytecode only where it was made under the same flags. That holds for Node.js's own
 * modules too, so those that a capture needs are loaded before.
 */
function optimiseLate() {
  if (Number.parseInt(process.versions.node, 10) > lastKnownNode) return;
  for (const name of ['node:crypto', 'node:child_process']) process.getBuiltinModule(name);
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const [name, calls] of Object.entries(patience))
    setFlagsFromString(`--invocation-count-for-${name}=${calls}`);
  // Most runs would just have begun to mark what they need no longer when they end.
  setFlagsFromString('--no-incremental-marking');
}

/**
 * Beside the bundle in a checkout, where a build replaces it too; for an installed program among the user's caches.
 * Undefined where somebody else may have put files there.
 *
 * @param {string} bundle
 * @param {string[]} argv
 */
async function codeFolder(bundle, argv) {
  if (existsSync(path.join(bundle, '../src'))) return path.join(bundle, 'code');
  const { cacheFolder } = await import('./cache-folder.js');
  const folder = path.join(cacheFolder(), 'code');
  return isTrusted(folder, argv) ? folder : undefined;
}

/**
 * V8 runs bytecode as it finds it. So none is taken from a repository (CI jobs keep their caches in the checkout, where a
 * commit may have left some), from a folder that this run may capture, or from one that others can write to.
 *
 * @param {string} folder
 * @param {string[]} argv
 */
function isTrusted(folder, argv) {
  try {
    let place = folder;
    while (!existsSync(place)) place = path.dirname(place);
    const { uid, mode } = statSync(place);
    if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) return false;
    const real = path.join(realpathSync(place), path.relative(place, folder));
    const captured = argv.flatMap((word, index) =>
      word === '--dir' ? [argv[index + 1] ?? '.'] : word.startsWith('--dir=') ? [word.slice(6)] : [],
    );
    for (const each of ['.', ...captured]) {
      if (existsSync(each) && `${real}${path.sep}`.startsWith(path.join(realpathSync(each), path.sep)))
        return false;
    }
    for (let above = real; above !== path.dirname(above); above = path.dirname(above)) {
      if (existsSync(path.join(above, '.git'))) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** The command or its topic, or whose help it is: runs of one kind use the same functions. */
function kindOfRun(/** @type {string[]} */ argv) {
  const [word = 'help'] = argv;
  if (!/^[a-z]{1,20}$/.test(word)) return 'help';
  return argv.includes('--help') || argv.includes('-h') ? 'help-of-command' : word;
}

/**
 * Makes the function that runs a file of the bundle once, given relative to its folder, and answers what it exports. `code`
 * is the folder for the bytecode, undefined for none.
 *
 * @param {string} bundle
 * @param {string | undefined} code
 * @param {string} kind
 * @returns {(file: string) => any}
 */
function createLoader(bundle, code, kind) {
  const folder = code && path.join(code, `${engine()}-${buildId(bundle)}`, kind);
  const requireBuiltin = createRequire(import.meta.url);
  const modules = new Map();
  const fresh = new Map();

  /** @param {string} file */
  function load(file) {
    const known = modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const filename = path.join(bundle, file);
    const cache = folder && path.join(folder, `${file.replaceAll(path.sep, '-')}.bin`);
    const cachedData = cache && readBytecode(cache);
    const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData });
    if (cache && (!cachedData || script.cachedDataRejected)) fresh.set(cache, script);
    const inner = (/** @type {string} */ name) =>
      name.startsWith('.') ? load(path.join(path.dirname(file), name)) : requireBuiltin(name);
    script.runInThisContext()(module.exports, inner, module);
    return module.exports;
  }

  process.on('exit', (exitCode) => {
    // A run that failed has used few of the functions.
    if (folder && fresh.size > 0 && exitCode < 2) keep(folder, fresh);
  });
  return (file) => load(path.normalize(file));
}

/** What V8 made its bytecode with: it takes none of another version or of some other flags. */
function engine() {
  const name = `${process.version}-${process.arch}`;
  if (process.execArgv.length === 0 && !process.env.NODE_OPTIONS) return name;
  return `${name}-${process.getBuiltinModule('node:v8').cachedDataVersionTag()}`;
}

/** @param {string} bundle */
function buildId(bundle) {
  return readFileSync(path.join(bundle, 'build-id'), 'latin1').trim();
}

/**
 * The bytecode in a file; undefined where there is none, or a damaged one, which would crash V8.
 *
 * @param {string} file
 */
function readBytecode(file) {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch {
    return undefined;
  }
  const bytecode = bytes.subarray(0, -checksumBytes);
  const isWhole = bytes.length > checksumBytes && bytes.readUInt32LE(bytecode.length) === crc32(bytecode);
  return isWhole ? bytecode : undefined;
}

/** @param {Buffer} bytecode */
function withChecksum(bytecode) {
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32LE(crc32(bytecode));
  return Buffer.concat([bytecode, checksum]);
}

/**
 * A failure is of no consequence: the next run compiles again.
 *
 * @param {string} folder
 * @param {Map<string, Script>} scripts
 */
function keep(folder, scripts) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [file, script] of scripts) {
      const temporary = `${file}.${process.pid}.tmp`;
      writeFileSync(temporary, withChecksum(script.createCachedData()), { mode: 0o600, flag: 'wx' });
      renameSync(temporary, file);
    }
    removeOld(path.resolve(folder, '../..'));
  } catch {
    // The folder cannot be written to, or the disk is full.
  }
}

/** @param {string} code */
function removeOld(code) {
  const oldest = Date.now() - keptDays * 86_400_000;
  for (const name of readdirSync(code)) {
    const other = path.join(code, name);
    if (statSync(other).mtimeMs < oldest) rmSync(other, { recursive: true, force: true });
  }
}
