// Facts about names, proxies and trust. Hosts are recorded by name, never with users or passwords. docs/specification.md §11.

import { contentLines, type FactReaders, once, setOf, unlessEmpty, wholeNumber } from './fact-reader.ts';
import { readRoutes } from './routes.ts';
import type { FactContext } from './tool-settings.ts';
import { readCertificates, readOpensslConfig } from './trust.ts';

export function networkReaders(sources: FactContext): FactReaders {
  const { machine } = sources;
  const onWindows = machine.platform === 'win32';
  const resolver = once(async () => parseResolver(await machine.files.text('/etc/resolv.conf')));
  const hostsFile = onWindows
    ? `${machine.env.SystemRoot ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';
  const hosts = once(async () => {
    const text = await machine.files.text(hostsFile);
    return text === undefined ? undefined : parseHosts(text);
  });
  const openssl = once(() => readOpensslConfig(sources));
  const routes = once(() => readRoutes(sources));

  return {
    'net.resolvers': async () => unlessEmpty((await resolver()).servers),
    'net.searchDomains': async () => unlessEmpty((await resolver()).domains),
    'net.resolverOptions': async () => setOf((await resolver()).options),
    'net.nameSources': async () => {
      const line = contentLines(await machine.files.text('/etc/nsswitch.conf')).find((each) =>
        each.startsWith('hosts:'),
      );
      return line?.slice('hosts:'.length).trim().replace(/\s+/g, ' ');
    },
    'net.hosts': async () => setOf(extraHosts((await hosts()) ?? [], machine.hostName)),
    'net.localhost': async () => {
      const found = (await hosts())?.filter(({ names }) => names.includes('localhost'));
      return (
        found && (setOf(found.map(({ address }) => (address.includes(':') ? 'IPv6' : 'IPv4'))) ?? ['none'])
      );
    },
    'net.mtu': async () => {
      const route = contentLines(await machine.files.text('/proc/net/route')).find((line) =>
        /^\S+\s+0{8}\s/.test(line),
      );
      const device = route?.split(/\s/)[0];
      return device && wholeNumber(await machine.files.text(`/sys/class/net/${device}/mtu`));
    },
    'net.proxies': async () => (await routes()).proxies,
    'tls.certificates': () => readCertificates(sources),
    'tls.toolBundles': async () => (await routes()).bundles,
    'openssl.config': async () => (await openssl()).digest,
    'openssl.securityLevel': async () => (await openssl()).securityLevel,
  };
}

/** resolv.conf(5): the last of `search` and `domain` counts. */
function parseResolver(text: string | undefined) {
  const resolver = { servers: [] as string[], domains: [] as string[], options: [] as string[] };
  for (const line of contentLines(text)) {
    const [word, ...rest] = line.replace(/\s[#;].*$/s, '').split(/\s+/);
    if (word === 'nameserver' && rest[0]) resolver.servers.push(rest[0]);
    if (word === 'search' || word === 'domain') resolver.domains = rest.filter((name) => name !== '.');
    if (word === 'options') resolver.options.push(...rest);
  }
  return resolver;
}

/** Names that the hosts file of common distributions, container engines and WSL defines on every machine. */
const defaultNames =
  /^(?:localhost|localhost\d|localhost\.localdomain|localhost[46](?:\.localdomain[46])?|ip6-\w+|broadcasthost|(?:host|gateway)\.docker\.internal|kubernetes\.docker\.internal|host\.containers\.internal)$/;

interface HostsLine {
  readonly address: string;
  /** In lower case. */
  readonly names: readonly string[];
}

function parseHosts(text: string): HostsLine[] {
  return contentLines(text).map((line) => {
    const [address = '', ...names] = line.replace(/#.*$/s, '').trim().toLowerCase().split(/\s+/);
    return { address, names };
  });
}

/** Names beyond the defaults and the machine's own, each with the kind of its address. */
function extraHosts(hosts: readonly HostsLine[], hostName: string): string[] {
  const own = hostName.toLowerCase();
  return hosts.flatMap(({ address, names }) =>
    names
      .filter((name) => !defaultNames.test(name) && name !== own && name.split('.')[0] !== own.split('.')[0])
      .map((name) => `${name} (${kindOfAddress(address)})`),
  );
}

function kindOfAddress(address: string): string {
  if (/^(?:0\.0\.0\.0|::|0)$/.test(address)) return 'blocked';
  if (/^(?:127\.|::1$)/.test(address)) return 'loopback';
  if (/^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|f[cd][0-9a-f]{2}:|fe80:)/i.test(address))
    return 'private';
  return 'public';
}
