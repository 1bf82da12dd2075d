// A registry of npm packages on this machine, with what package managers need to install from it.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A `package.json`. Each package has an `index.js`, too. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

/** Serves one version of each package. `folder` must be empty; it contains the archives until `close`. */
export async function startPackageRegistry(folder: string, manifests: readonly PackageManifest[]) {
  const sources = manifests.map((manifest) => {
    const source = join(folder, 'sources', manifest.name);
    mkdirSync(source, { recursive: true });
    writeFileSync(join(source, 'package.json'), JSON.stringify({ main: 'index.js', ...manifest }));
    writeFileSync(join(source, 'index.js'), '#!/usr/bin/env node\n');
    return source;
  });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, ...sources], { stdio: 'ignore' });
  const archives = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.tgz'))
      .map((name) => [name, readFileSync(join(folder, name))]),
  );
  const byName = new Map(manifests.map((manifest) => [manifest.name, manifest]));
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').slice(1));
    const archive = archives.get(path);
    const manifest = byName.get(path);
    if (archive) response.end(archive);
    else if (manifest) response.end(JSON.stringify(packument(manifest, origin(), archives)));
    else response.writeHead(404).end('{}');
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${origin()}/`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

function packument(manifest: PackageManifest, origin: string, archives: ReadonlyMap<string, Buffer>) {
  const { name, version } = manifest;
  const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  const bytes = archives.get(file) ?? Buffer.alloc(0);
  const digest = (algorithm: string, encoding: 'base64' | 'hex') =>
    createHash(algorithm).update(bytes).digest(encoding);
  return {
    name,
    'dist-tags': { latest: version },
    // Long ago: some managers install nothing that was published today.
    time: { [version]: '2020-01-01T00:00:00.000Z' },
    versions: {
      [version]: {
        ...manifest,
        dist: {
          tarball: `${origin}/${file}`,
          shasum: digest('sha1', 'hex'),
          integrity: `sha512-${digest('sha512', 'base64')}`,
        },
      },
    },
  };
}
