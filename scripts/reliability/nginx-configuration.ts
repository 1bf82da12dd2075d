// nginx with the configuration of `deploy/`, on its own ports.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const deploy = path.resolve(import.meta.dirname, '../../deploy');

/** Writes it for two servers, and returns its file; `nginx -c FILE -p FOLDER` stays in the foreground. */
export function writeNginxConfiguration(
  folder: string,
  { port, servers }: { readonly port: number; readonly servers: readonly [number, number] },
): string {
  const include = path.join(deploy, 'nginx-proxy.inc');
  const site = readFileSync(path.join(deploy, 'nginx.conf'), 'utf8')
    .replace('127.0.0.1:4780', `127.0.0.1:${servers[0]}`)
    .replace('127.0.0.1:4781', `127.0.0.1:${servers[1]}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replaceAll('conf.d/envsnap-proxy.inc', include);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1;
     ${process.getuid?.() === 0 ? 'user root;' : ''} events { worker_connections 1024; }
     http { access_log off; ${temporary}\n${site} }`,
  );
  return file;
}
