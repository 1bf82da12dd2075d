// What an output claims of the machine, to be looked up there.

import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../packages/compare/src/failure/read-failure.ts';

describe('what an output claims of the machine', () => {
  it.each([
    ['Error: listen EADDRINUSE: address already in use :::3000', { kind: 'port in use', port: 3000 }],
    ['listen tcp :8080: bind: address already in use', { kind: 'port in use', port: 8080 }],
    ["[Errno 98] Address already in use: ('127.0.0.1', 5000)", { kind: 'port in use', port: 5000 }],
    ['Bind for 0.0.0.0:5432 failed: port is already allocated', { kind: 'port in use', port: 5432 }],
    ['Web server failed to start. Port 8081 was already in use.', { kind: 'port in use', port: 8081 }],
    [
      'Error: connect ECONNREFUSED 127.0.0.1:6379',
      { kind: 'connection refused', host: '127.0.0.1', port: 6379 },
    ],
    [
      'dial tcp [::1]:9200: connect: connection refused',
      { kind: 'connection refused', host: '::1', port: 9200 },
    ],
    [
      'connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
      { kind: 'connection refused', host: '127.0.0.1', port: 5432 },
    ],
    ['sh: 1: jq: not found', { kind: 'missing command', name: 'jq' }],
    ['bash: line 2: protoc: command not found', { kind: 'missing command', name: 'protoc' }],
    ['Error: spawn ffmpeg ENOENT', { kind: 'missing command', name: 'ffmpeg' }],
    ['exec: "helm": executable file not found in $PATH', { kind: 'missing command', name: 'helm' }],
    ["OSError: [Errno 28] No space left on device: '/var/lib/x'", { kind: 'no space', path: '/var/lib/x' }],
    ['write error: No space left on device', { kind: 'no space', path: null }],
    [
      "Error: ENOENT: no such file or directory, open 'config/local.json'",
      { kind: 'missing file', path: 'config/local.json' },
    ],
    ['cat: .env.local: No such file or directory', { kind: 'missing file', path: '.env.local' }],
  ])('%s', (line, claim) => {
    expect(readFailure(`starting\n${line}\n`).claims).toEqual([claim]);
  });

  it.each([
    'Error: connect ECONNREFUSED 10.0.0.7:6379',
    'ENOSPC: System limit for number of file watchers reached, watch /app',
    'Listening on port 3000',
    'GET http://example.com/a.json: not found',
  ])('claims nothing of this machine: %s', (line) => {
    expect(readFailure(line).claims).toEqual([]);
  });
});
