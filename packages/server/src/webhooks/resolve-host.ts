// Resolves the host names of deliveries without ever making one wait for another.
//
// The system's resolver (getaddrinfo) runs in two threads of the process, so two names whose name servers do not answer
// would hold up every other lookup. Names therefore go to the name servers directly, over sockets; the system is asked
// only for what it knows without them: names without a dot, and those of the hosts file.

import { promises as dns, type LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Resolves a host name to all its addresses, in the order in which to try them. Rejects with a `code`. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

interface ResolverOptions {
  /** Name servers as `address:port`; default those of the system. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
}

/** How long to wait for one name server, in milliseconds, and how often each is asked. */
const queryTimeoutMs = 2000;
const queryTries = 2;

const systemHostsFile =
  process.platform === 'win32'
    ? path.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts';

/** Creates the resolver. Search domains do not apply to names with a dot: such a name is taken as complete. */
export function createResolveHost(options: ResolverOptions = {}): ResolveHost {
  const resolver = new dns.Resolver({ timeout: queryTimeoutMs, tries: queryTries });
  if (options.servers) resolver.setServers(options.servers);
  const hostsFile = options.hostsFile ?? systemHostsFile;

  return async (hostname) => {
    const name = hostname.replace(/\.$/, '').toLowerCase();
    if (!name.includes('.') || (await isInHostsFile(hostsFile, name))) {
      return dns.lookup(name, { all: true, order: 'verbatim' });
    }
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = (result: PromiseSettledResult<string[]>, family: number) =>
      result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
    const addresses = [...found(four, 4), ...found(six, 6)];
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
    return addresses;
  };
}

async function isInHostsFile(file: string, name: string): Promise<boolean> {
  // There may be no hosts file.
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').some((line) => {
    const [, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return names.includes(name);
  });
}
