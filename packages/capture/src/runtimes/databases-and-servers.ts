// Clients and servers of databases, web servers.

import { packageJson, type Tool } from './tool.ts';

export const databases: readonly Tool[] = [
  { name: 'psql', pattern: /PostgreSQL\) (\d+(?:\.\d+)*\w*)/, heavy: true },
  { name: 'postgres', pattern: /PostgreSQL\) (\d+(?:\.\d+)*\w*)/ },
  { name: 'mysql', withoutHome: true, pattern: /(?:Ver|Distrib) (\d+\.\d+\.\d+\S*?)[, ]/ },
  { name: 'mariadb', withoutHome: true, pattern: /(?:Distrib|from) (\d+\.\d+\.\d+)/ },
  { name: 'sqlite', executables: ['sqlite3'], withoutHome: true },
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
  { name: 'etcdctl', args: ['version'], withoutHome: true },
  { name: 'memcached', args: ['--version'] },
];

export const servers: readonly Tool[] = [
  { name: 'nginx', args: ['-v'] },
  { name: 'apache', executables: ['apache2', 'httpd'], args: ['-v'], pattern: /Apache\/(\d\S+)/ },
  { name: 'caddy', args: ['version'], withoutHome: true },
];
