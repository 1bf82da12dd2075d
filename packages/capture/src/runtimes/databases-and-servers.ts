// Clients and servers of databases, web servers.

import { versionFromDpkg } from './debian-record.ts';
import { packageJson, type Tool, type VersionFromFiles } from './tool.ts';

/**
 * Debian's wrapper starts the client of the cluster that a user's files choose; where one client is installed, it is that
 * one.
 */
const onlyPostgresqlClient: VersionFromFiles = async ({ machine, realPath }) => {
  if (realPath !== '/usr/share/postgresql-common/pg_wrapper') return undefined;
  const folder = '/usr/lib/postgresql';
  const clients: string[] = [];
  for (const major of await machine.files.names(folder))
    if (await machine.files.isFile(`${folder}/${major}/bin/psql`)) clients.push(major);
  const [only, ...others] = clients;
  if (only === undefined || others.length > 0) return undefined;
  return versionFromDpkg(machine, `postgresql-client-${only}`, `${folder}/${only}/bin/psql`);
};

export const databases: readonly Tool[] = [
  {
    name: 'psql',
    files: onlyPostgresqlClient,
    pattern: /PostgreSQL\) (\d+(?:\.\d+)*\w*)/,
    heavy: true,
  },
  {
    name: 'postgres',
    pattern: /PostgreSQL\) (\d+(?:\.\d+)*\w*)/,
    debianPackage: (realPath) => {
      const major = /^\/usr\/lib\/postgresql\/(\d+)\/bin\/postgres$/.exec(realPath)?.[1];
      return major && `postgresql-${major}`;
    },
  },
  { name: 'mysql', withoutHome: true, pattern: /(?:Ver|Distrib) (\d+\.\d+\.\d[^\s,]*)[, ]/ },
  { name: 'mariadb', withoutHome: true, pattern: /(?:Distrib|from) (\d+\.\d+\.\d+)/ },
  { name: 'sqlite', executables: ['sqlite3'], withoutHome: true, debianPackage: 'sqlite3' },
  { name: 'duckdb', withoutHome: true },
  { name: 'redis-cli', withoutHome: true },
  { name: 'redis-server', pattern: /v=(\d\S+)/ },
  { name: 'mongosh', files: packageJson('mongosh'), withoutHome: true, heavy: true },
  { name: 'mongod', withoutHome: true, pattern: /db version v(\d\S+)/ },
  {
    name: 'clickhouse',
    executables: ['clickhouse-client', 'clickhouse'],
    args: ['--version'],
    withoutHome: true,
    heavy: true,
  },
  { name: 'etcdctl', args: ['version'], withoutHome: true, debianPackage: 'etcd-client' },
  { name: 'memcached', args: ['--version'] },
];

export const servers: readonly Tool[] = [
  { name: 'nginx', args: ['-v'], debianPackage: 'nginx' },
  { name: 'apache', executables: ['apache2', 'httpd'], args: ['-v'], pattern: /Apache\/(\d\S+)/ },
  { name: 'caddy', args: ['version'], withoutHome: true, debianPackage: 'caddy' },
];
