// Forms of secrets that once left in clear, and ordinary values beside them. The second of each pair was set aside before the
// rules were written.

import { describe, expect, it } from 'vitest';
import { classifyVariable } from '../../../packages/capture/src/variables/classify-variable.ts';

describe('a secret', () => {
  it.each([
    ['GIT_REMOTE', 'https://x7Kq29vTmPz4@git.example.org/a.git'],
    ['MIRROR', 'https://oauth8831kkq2@pkg.example.org/simple'],
    ['BUS', 'nats://s3cr3tToken@bus.example.org:4222'],
    ['QUEUE_ADDRESS', 'nats://letmein@10.0.0.5'],
    ['LOGIN_LINE', 'registry-cli login -u bob -p hunter2'],
    ['PUBLISH', 'tool --username ci -p Winter24 --quiet'],
    ['SYNC_CMD', 'sync --password hunter2 --all'],
    ['IMPORT_LINE', 'import --passwd=letmein data'],
    ['APP_JVM', '-Xmx1g -Ddb.pw=hunter2'],
    ['EXTRA_JVM', '-Dmail.smtp.pw=winter -Da=b'],
    ['VAULT_UNSEAL', 'abcd-efgh'],
    ['DOOR_ACCESS_CODE', '4711'],
    ['AES_IV', '0011223344556677'],
    ['SESSION_IV', 'abcdefgh12345678'],
    ['WORKERS', 'a,wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEK1,b'],
    ['POOL', 'x;kT9vQ2mZ7pL4wX8bN3cR6yH1sD5fG0jA+eU/iOqPt;y'],
  ])('is hidden: %s', (name, value) => {
    expect(classifyVariable(name, value).decision).toBe('secret');
  });
});

describe('an ordinary value', () => {
  it.each([
    ['REQUEST', '01J9ZK4Q2V5T8W1XH3N6RB7CDE'],
    ['BUILD', 'build-01HF7YAT31JZECMB4CE8SZ5MVN'],
    ['REMOTE', 'https://octocat@github.com/a/b'],
    ['PORTS', 'docker run -p 8080:80 -u app x'],
    ['FOLDERS', 'mkdir -p out'],
    ['CIV', 'yes'],
  ])('stays: %s', (name, value) => {
    expect(classifyVariable(name, value).decision).toBe('plain');
  });
});
