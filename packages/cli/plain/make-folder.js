const fs = process.getBuiltinModule('node:fs');
const path = process.getBuiltinModule('node:path');

/**
 * Creates a folder that only the user may open, with those above it. Node.js's own recursion never ends if a file system refuses
 * with ENOENT, like /proc.
 *
 * @param {string} folder
 */
export function makeFolder(folder) {
  if (fs.existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!fs.existsSync(folder)) throw error;
  }
}
