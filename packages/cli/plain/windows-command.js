// Finds a command as Windows does, along PATH and PATHEXT, and says how to start it: a program directly, everything else (such as
// npm.cmd) through cmd.exe, with arguments that arrive unchanged, or else are refused.

const fs = process.getBuiltinModule('node:fs');
const { win32 } = process.getBuiltinModule('node:path');

/**
 * How a command is started.
 *
 * @typedef {object} WindowsCommand
 * @property {string} file
 * @property {readonly string[]} args
 * @property {boolean} windowsVerbatimArguments Whether the arguments are quoted already.
 */

/** Characters that cmd.exe changes even inside quotes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a command line ends at these
const changed = /["%\u0000\r\n]/;
const plainWord = /^[\w./:\\@+-]+$/;

/**
 * Returns how to start a command. A command that is not found is returned unchanged, so that its start fails as usual.
 * Errors: RangeError for arguments that cmd.exe would change.
 *
 * @param {string} file Name or path, as the user wrote it.
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string | undefined>>} env Variables of the command; names in any case.
 * @param {string} [cwd]
 * @returns {WindowsCommand}
 */
export function windowsCommand(file, args, env, cwd = process.cwd()) {
  const found = findWindowsProgram(file, env, cwd);
  if (found === undefined || /\.(?:exe|com)$/i.test(found))
    return { file: found ?? file, args, windowsVerbatimArguments: false };
  const words = [found, ...args].map((word, index) => {
    if (changed.test(word)) throw new RangeError(refusal(word));
    if (index > 0 && plainWord.test(word)) return word;
    // The final reader of the arguments treats a backslash before a quote as an escape.
    return `"${word.replace(/(?<!\\)\\+$/, '$&$&')}"`;
  });
  // Without AutoRun, and with ! unchanged; /s removes the outer quotes, and nothing else.
  const switches = ['/d', '/e:on', '/v:off', '/s', '/c'];
  return {
    // By its path: Windows looks into the working folder before PATH.
    file: process.env.ComSpec ?? `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\cmd.exe`,
    args: [...switches, `"${words.join(' ')}"`],
    windowsVerbatimArguments: true,
  };
}

function refusal(/** @type {string} */ word) {
  return `cmd.exe would change the argument ${JSON.stringify(word)} of this batch file; run the program that it starts (node FILE.js) instead`;
}

/**
 * @param {string} file
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {string} cwd
 */
function findWindowsProgram(file, env, cwd) {
  const extensions = (variableOf(env, 'PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const isWhole = extensions.some((each) => file.toLowerCase().endsWith(each.toLowerCase()));
  const names = isWhole ? [file] : extensions.map((each) => file + each.toLowerCase());
  const folders = /[\\/:]/.test(file) ? [''] : (variableOf(env, 'PATH') ?? '').split(';').filter(Boolean);
  for (const folder of folders) {
    for (const name of names) {
      const place = win32.resolve(cwd, folder.replaceAll('"', ''), name);
      if (isThere(place)) return place;
    }
  }
  return undefined;
}

function isThere(/** @type {string} */ place) {
  try {
    // Programs of the Store are links that only starting them can follow.
    const stats = fs.lstatSync(place);
    return (
      stats.isFile() ||
      (stats.isSymbolicLink() && !fs.statSync(place, { throwIfNoEntry: false })?.isDirectory())
    );
  } catch {
    return false;
  }
}

function variableOf(
  /** @type {Readonly<Record<string, string | undefined>>} */ env,
  /** @type {string} */ name,
) {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}
