// The extensions and the memory limit in PHP's configuration files. PHP itself is not started.

import { type FactReaders, type FactSources, once, setOf } from '../fact-reader.ts';
import { parseIni } from '../ini.ts';

export function phpReaders(sources: FactSources): FactReaders {
  const lines = once(() => readPhpIni(sources));
  return {
    'php.extensions': async () =>
      setOf(
        (await lines()).flatMap(({ name, value }) => (/extension$/.test(name) ? extensionOf(value) : [])),
      ),
    'php.memoryLimit': async () => (await lines()).findLast(({ name }) => name === 'memory_limit')?.value,
  };
}

function extensionOf(value: string): readonly string[] {
  const [, name] =
    /^(?:php_)?([\w-]+)$/.exec(value.replace(/\.(?:so|dll)$/, '').replace(/^.*[\\/]/s, '')) ?? [];
  return name === undefined ? [] : [name];
}

/** php.ini and the folder beside it, where distributions, images and Homebrew keep them; the first that exists. */
async function readPhpIni({ machine, locator }: FactSources): Promise<ReturnType<typeof parseIni>> {
  const { files, env } = machine;
  const { basename, join } = files.paths;
  const php = await locator.locate('php');
  if (php.kind !== 'found') return [];
  const [, version = ''] =
    /^\D*(\d[\d.]*)$/.exec(basename(php.realPath)) ??
    /\/(\d{1,3}\.\d{1,3})[\d.]{0,20}\//.exec(php.realPath) ??
    [];
  const folders = [
    ...(env.PHPRC ? [env.PHPRC] : []),
    `/etc/php/${version}/cli`,
    ...['/usr/local/etc/php', `/etc/php${version.replace('.', '')}`, '/etc'],
    ...['/opt/homebrew', '/usr/local'].map((prefix) => `${prefix}/etc/php/${version}`),
  ];
  for (const folder of folders) {
    const scanned = env.PHP_INI_SCAN_DIR ?? join(folder, folder === '/etc' ? 'php.d' : 'conf.d');
    const more = (await files.names(scanned)).filter((name) => name.endsWith('.ini')).sort();
    const texts = [join(folder, 'php.ini'), ...more.map((name) => join(scanned, name))];
    const lines = (await Promise.all(texts.map(async (file) => parseIni(await files.text(file))))).flat();
    if (lines.length > 0) return lines;
  }
  return [];
}
