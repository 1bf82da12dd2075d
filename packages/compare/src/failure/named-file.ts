// Finds a file of the work tree in a line of output: by its path, or as a module.

const beforePath = /[\s'"`‘“(=<[]/;
const foreignFolder = /node_modules|site-packages|dist-packages/;

/**
 * Whether a line in lower case names a file: `config/local.json`, `./config/local.json`, `/app/config/local.json`; if it is about
 * modules, also `'./config/local'` and `'config.local'`. One in another folder is another file.
 */
export function namesFile(line: string, path: string): boolean {
  const text = line.replaceAll('\\', '/');
  const file = path.toLowerCase();
  if (occurs(text, file, /^(?![\w/-]|\.\w)/)) return true;
  const module = file.replace(/\.(?:[cm]?[jt]sx?|py|rb|php|json)$/, '');
  if (module === file || !/module|import|require/.test(text)) return false;
  return [module, module.replaceAll('/', '.')].some((each) => occurs(text, each, /^['"`’”]/));
}

function occurs(text: string, path: string, after: RegExp): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    let start = at;
    while (start > 0 && !beforePath.test(text[start - 1] as string)) start -= 1;
    const before = text.slice(start, at);
    const isAbsolute = /^(?:[a-z]:)?\//.test(before) && before.endsWith('/') && !foreignFolder.test(before);
    const isHere = isAbsolute || /^(?:\.{1,2}\/){0,8}$/.test(before);
    if (isHere && after.test(text.slice(at + path.length))) return true;
  }
  return false;
}
