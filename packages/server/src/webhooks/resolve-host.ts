// Resolves the host names of deliveries without ever making one wait for another.
//
// The system's resolver (getaddrinfo) runs in two threads of the process, so two names whose name servers do not answer
// would hold up every other look-up. Names therefore go to the name servers directly, over sockets; the system is asked
// only for what it knows without them: names without a dot, and those of the hosts file.

import { promises as dns, type LookupAddress } from 'node:dns';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** Resolves a host name to all its addresses, in the order in which to try them. Rejects with a `code`. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

interface ResolverOptions {
  /** Name servers as `address:port`; default those of the system. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
}

/** Wait for one name server's answer, in milliseconds, and how often each is asked. */
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
  const isInHostsFile = createHostsFile(options.hostsFile ?? systemHostsFile);

  return async (hostname) => {
    const name = hostname.replace(/\.$/, '').toLowerCase();
    if (!name.includes('.') || (await isInHostsFile(name))) {
      return dns.lookup(name, { all: true, order: 'verbatim' });
    }
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
    return addresses;
  };
}

/** Says whether the hosts file has a name; the file is read again when it has changed. */
function createHostsFile(file: string): (name: string) => Promise<boolean> {
  let readAtMtimeMs: number | undefined;
  let names = new Set<string>();
  return async (name) => {
    try {
      const { mtimeMs } = await stat(file);
      if (mtimeMs !== readAtMtimeMs) {
        names = parseHosts(await readFile(file, 'utf8'));
        readAtMtimeMs = mtimeMs;
      }
    } catch {
      // Without a hosts file, no name is in it.
      names = new Set();
      readAtMtimeMs = undefined;
    }
    return names.has(name);
  };
}

function parseHosts(text: string): Set<string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase());
  return new Set(lines.flatMap((line) => line.split(/\s+/).slice(1)));
}
