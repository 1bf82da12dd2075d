// Proxies that configuration files set, whatever program reads them. Variables are captured as variables.

import { isPlainObject } from '@envsnap/shared/plain-object';
import { readGitSettings } from '../project/git/config.ts';
import type { MachineFiles } from '../system/machine-files.ts';
import { addressOf } from './addresses.ts';
import { configPlaces } from './config-places.ts';
import { contentLines, type FactSources } from './fact-reader.ts';
import { lastValue, parseIni } from './ini.ts';
import { readRegistryValue } from './windows-registry.ts';

/** `git proxy.example.com:3128`, one for each program and proxy. */
export async function readProxies(sources: FactSources): Promise<string[]> {
  const { machine, folder } = sources;
  const places = configPlaces(sources);
  const home = (...parts: string[]): string => machine.files.paths.join(machine.homeDir, ...parts);
  const found: string[] = [];
  const add = (program: string, value: string | undefined): void => {
    if (value && value !== 'null' && value !== 'false') found.push(`${program} ${addressOf(value)}`);
  };

  const git = await readGitSettings(machine, folder);
  for (const [key, values] of git) if (/^https?(?:\..*)?\.proxy$/s.test(key)) add('git', values.at(-1));
  for (const file of await places.npm()) {
    const settings = parseIni(await machine.files.text(file));
    add('npm', lastValue(settings, 'proxy') ?? lastValue(settings, 'http-proxy'));
    add('npm', lastValue(settings, 'https-proxy'));
  }
  for (const file of places.pip())
    add('pip', lastValue(parseIni(await machine.files.text(file)), 'proxy', 'global'));
  for (const line of contentLines(await machine.files.text(home('.curlrc'))))
    add('curl', /^(?:-x|--?proxy)(?:\s*[=:]\s*|\s+)"?([^"\s]+)/.exec(line.replace(/^proxy/, '--proxy'))?.[1]);
  for (const file of ['/etc/wgetrc', home('.wgetrc')])
    for (const line of contentLines(await machine.files.text(file)))
      add('wget', /^https?_proxy\s*=\s*(\S+)/i.exec(line)?.[1]);
  for (const line of contentLines(await machine.files.text(home('.gradle', 'gradle.properties'))))
    add('gradle', /^systemProp\.https?\.proxyHost\s*[=:]\s*(\S+)/.exec(line)?.[1]);
  const maven = (await machine.files.text(home('.m2', 'settings.xml'))) ?? '';
  for (const rest of maven.split('<proxy>').slice(1)) {
    const [proxy = ''] = rest.split('</proxy>', 1);
    if (/<active>\s*false/.test(proxy)) continue;
    const host = /<host>\s*([^<\s]+)/.exec(proxy)?.[1];
    const port = /<port>\s*([^<\s]+)/.exec(proxy)?.[1];
    add('maven', [host, port].filter(Boolean).join(':'));
  }
  const docker = (await machine.files.json(home('.docker', 'config.json')))?.proxies;
  for (const value of Object.values(
    isPlainObject(docker) && isPlainObject(docker.default) ? docker.default : {},
  ))
    if (typeof value === 'string' && /:\/\//.test(value)) add('docker', value);
  if (machine.platform === 'linux') await addAptProxies(machine.files, add);
  if (machine.platform === 'win32') {
    const key = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings';
    if (Number(await readRegistryValue(machine, key, 'ProxyEnable')) === 1)
      add('windows', await readRegistryValue(machine, key, 'ProxyServer'));
  }
  return found;
}

async function addAptProxies(
  files: MachineFiles,
  add: (program: string, value: string | undefined) => void,
): Promise<void> {
  const folder = '/etc/apt/apt.conf.d';
  const names = (await files.names(folder)).map((name) => `${folder}/${name}`);
  for (const file of [...names, '/etc/apt/apt.conf']) {
    const text = (await files.text(file)) ?? '';
    for (const [, value] of text.matchAll(/^[ \t]*Acquire::https?::Proxy[ \t]+"([^"\n]+)"/gim))
      if (value !== 'DIRECT') add('apt', value);
  }
}
