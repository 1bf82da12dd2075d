// Proxies that configuration files set, and certificate files that tools trust. Variables are captured separately.

import { entriesOf } from '@envsnap/shared/plain-object';
import { readGitSettings } from '../project/git/config.ts';
import { addressOf } from './addresses.ts';
import { at, readYaml, textOf } from './config-files.ts';
import { configPlaces } from './config-places.ts';
import { contentLines, type FactSources, setOf } from './fact-reader.ts';
import { lastValue, parseIni } from './ini.ts';
import { readCargo } from './tools/build.ts';
import { systemBundles } from './trust.ts';
import { readRegistryValue } from './windows-registry.ts';

/** Proxies: `git proxy.example.com:3128`. Bundles: `npm ~/corp.pem`, one for each tool; the nearest file wins. */
export async function readRoutes(sources: FactSources) {
  const { machine, folder } = sources;
  const { files, platform } = machine;
  const places = configPlaces(sources);
  const proxies: string[] = [];
  const bundles = new Map<string, string>();
  const proxy = (program: string, ...values: (string | undefined)[]): void => {
    for (const value of values)
      if (value && !/^(?:null|false|DIRECT)$/.test(value)) proxies.push(`${program} ${addressOf(value)}`);
  };
  const bundle = (tool: string, value: string | undefined): void => {
    if (value) bundles.set(tool, systemBundles.includes(value) ? 'system' : value);
  };
  const linesOf = async (file: string) => contentLines(await files.text(file));

  const git = await readGitSettings(machine, folder);
  for (const [key, values] of git) if (/^https?(?:\..*)?\.proxy$/s.test(key)) proxy('git', values.at(-1));
  bundle('git', git.get('http.sslcainfo')?.at(-1) ?? git.get('http.sslcapath')?.at(-1));
  for (const file of await places.npm()) {
    const settings = parseIni(await files.text(file));
    proxy('npm', lastValue(settings, 'proxy') ?? lastValue(settings, 'http-proxy'));
    proxy('npm', lastValue(settings, 'https-proxy'));
    bundle('npm', lastValue(settings, 'cafile'));
  }
  for (const file of places.pip()) {
    const settings = parseIni(await files.text(file));
    proxy('pip', lastValue(settings, 'proxy', 'global'));
    bundle('pip', lastValue(settings, 'cert', 'global'));
  }
  for (const settings of await readCargo(sources)) bundle('cargo', textOf(at(settings, 'http', 'cainfo')));
  const verify = textOf((await readYaml(files, places.home('.condarc'))).get('ssl_verify'));
  if (verify && /[\\/]/.test(verify)) bundle('conda', verify);
  for (const line of await linesOf(places.home('.curlrc'))) {
    proxy('curl', /^(?:-x|(?:--?)?proxy)(?:\s*[=:]\s*|\s+)"?([^"\s]+)/.exec(line)?.[1]);
    bundle('curl', /^(?:--)?(?:cacert|capath)(?:\s*[=:]\s*|\s+)"?([^"\s]+)/.exec(line)?.[1]);
  }
  for (const file of ['/etc/wgetrc', places.home('.wgetrc')])
    for (const line of await linesOf(file)) proxy('wget', /^https?_proxy\s*=\s*(\S+)/i.exec(line)?.[1]);
  for (const line of await linesOf(places.home('.gradle', 'gradle.properties')))
    proxy('gradle', /^systemProp\.https?\.proxyHost\s*[=:]\s*(\S+)/.exec(line)?.[1]);
  const maven = (await files.text(places.home('.m2', 'settings.xml'))) ?? '';
  for (const rest of maven.split('<proxy>').slice(1)) {
    const [text = ''] = rest.split('</proxy>', 1);
    const host = /<host>\s*([^<\s]+)/.exec(text)?.[1];
    const port = /<port>\s*([^<\s]+)/.exec(text)?.[1];
    if (!/<active>\s*false/.test(text)) proxy('maven', [host, port].filter(Boolean).join(':'));
  }
  const docker = (await files.json(places.home('.docker', 'config.json')))?.proxies;
  for (const [, value] of entriesOf(docker, 'default'))
    if (typeof value === 'string' && value.includes('://')) proxy('docker', value);
  const apt = (await files.names('/etc/apt/apt.conf.d')).map((name) => `/etc/apt/apt.conf.d/${name}`);
  for (const file of platform === 'linux' ? [...apt, '/etc/apt/apt.conf'] : []) {
    const text = (await files.text(file)) ?? '';
    for (const [, value] of text.matchAll(/^[ \t]*Acquire::https?::Proxy[ \t]+"([^"\n]+)"/gim))
      proxy('apt', value);
  }
  if (platform === 'win32') {
    const key = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings';
    if (Number(await readRegistryValue(machine, key, 'ProxyEnable')) === 1)
      proxy('windows', await readRegistryValue(machine, key, 'ProxyServer'));
  }
  return { proxies: setOf(proxies), bundles: setOf([...bundles].map(([tool, path]) => `${tool} ${path}`)) };
}
