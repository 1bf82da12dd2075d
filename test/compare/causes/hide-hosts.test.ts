// Facts as readers outside the project see them.

import { expect, it } from 'vitest';
import { hostHider, withoutHosts } from '../../../packages/compare/src/causes/hide-hosts.ts';

it.each([
  ['go.settings', 'GOINSECURE=git.secretco.example/*', 'GOINSECURE=<address>/*'],
  ['go.settings', 'GOTOOLCHAIN=go1.24.3', 'GOTOOLCHAIN=go1.24.3'],
  ['gradle.properties', 'org.gradle.daemon=true', 'org.gradle.daemon=true'],
  ['gradle.jvmArguments', '-Xmx1g -Dhttp.proxyHost=gp.secretco.example', '-Xmx1g -Dhttp.proxyHost=<address>'],
  [
    'bundler.settings',
    'mirror rubygems.org → https://jenkins:8080/gems',
    'mirror <address> → https://<address>/gems',
  ],
  ['docker.engine', 'dns=10.0.0.7', 'dns=<address>'],
  ['pip.options', 'no-binary=numpy', 'no-binary=numpy'],
  ['npm.registry', 'npm.secretco.example/npm', '<address>'],
  ['npm.registry', 'registry.npmjs.org', 'registry.npmjs.org'],
  ['process.umask', '0022', '0022'],
])('%s: %s is shown as %s', (fact, value, shown) => {
  expect(hostHider(fact)(value)).toBe(shown);
});

it('a package of another registry is shown without the address', () => {
  const entry = {
    section: 'dependencies',
    key: 'package-lock.json/zod',
    status: 'changed',
    a: '4.0.0 from the usual registry',
    b: '4.0.0 from the registry https://npm.secretco.example/team',
    distance: 'other',
    differsIn: 'source',
  } as const;
  expect(withoutHosts(entry).b).toBe('4.0.0 from the registry https://<address>/team');
});
