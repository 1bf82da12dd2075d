// The extensions and the memory limit in PHP's configuration files. PHP itself is not started.

import { type FactReaders, type FactSources, once, setOf } from '../fact-reader.ts';
import { parseIni } from '../ini.ts';

type Setting = ReturnType<typeof parseIni>[number];

export function phpReaders(sources: FactSources): FactReaders {
  const ini = once(() => readPhpIni(sources));
  return {
    'php.extensions': async () => setOf((await ini()).lines.flatMap(extensionOf)),
    'php.memoryLimit': async () => (await ini()).lines.findLast(({ name }) => name === 'memory_limit')?.value,
  };
}

/** Extensions that every distribution builds into PHP, and those that the official images add. */
const builtIn =
  'core date filter hash json libxml openssl pcntl pcre random reflection session sodium spl standard zlib';
const inImages =
  'ctype curl dom fileinfo ftp iconv mbstring mysqlnd pdo pdo_sqlite phar posix readline simplexml sqlite3 tokenizer xml xmlreader xmlwriter';

/** The extensions that PHP has, in lower case; undefined for a build that may include others. */
export async function phpExtensions(
  sources: Pick<FactSources, 'machine' | 'locator'>,
): Promise<ReadonlySet<string> | undefined> {
  const { folder, lines } = await readPhpIni(sources);
  const added = /^\/etc\/php\/?\d/.test(folder) ? '' : folder === '/usr/local/etc/php' ? inImages : undefined;
  if (added === undefined) return undefined;
  const loaded = lines.flatMap(extensionOf).map((name) => name.toLowerCase());
  return new Set([...loaded, ...`${builtIn} ${added}`.split(' ')]);
}

function extensionOf({ name: setting, value }: Setting): readonly string[] {
  if (!/extension$/.test(setting)) return [];
  const [, name] =
    /^(?:php_)?([\w-]+)$/.exec(value.replace(/\.(?:so|dll)$/, '').replace(/^.*[\\/]/s, '')) ?? [];
  return name === undefined ? [] : [name];
}

/** php.ini and the folder beside it, as distributions, images and Homebrew have them; the first that exists. */
async function readPhpIni({ machine, locator }: Pick<FactSources, 'machine' | 'locator'>) {
  const { files, env } = machine;
  const { basename, join } = files.paths;
  const php = await locator.locate('php');
  if (php.kind !== 'found') return { folder: '', lines: [] };
  const [, version = ''] =
    /^\D*(\d[\d.]*)$/.exec(basename(php.realPath)) ??
    /\/(\d{1,3}\.\d{1,3})[\d.]{0,20}\//.exec(php.realPath) ??
    [];
  const folders = [
    ...(env.PHPRC ? [env.PHPRC] : []),
    `/etc/php/${version}/cli`,
    '/usr/local/etc/php',
    `/etc/php${version.replace('.', '')}`,
    '/etc',
    ...['/opt/homebrew', '/usr/local'].map((prefix) => `${prefix}/etc/php/${version}`),
  ];
  for (const folder of folders) {
    const scanned = env.PHP_INI_SCAN_DIR ?? join(folder, folder === '/etc' ? 'php.d' : 'conf.d');
    const more = (await files.names(scanned)).filter((name) => name.endsWith('.ini')).sort();
    const texts = [join(folder, 'php.ini'), ...more.map((name) => join(scanned, name))];
    const lines = (await Promise.all(texts.map(async (file) => parseIni(await files.text(file))))).flat();
    if (lines.length > 0) return { folder, lines };
  }
  return { folder: '', lines: [] };
}
