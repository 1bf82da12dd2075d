// Runs git for tests, with its own identity and none of the user's settings.

import { execFileSync } from 'node:child_process';

/** Variables for a git that reads no settings but those of the repository. */
const gitEnvironment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  HOME: '/nowhere',
  GIT_TEMPLATE_DIR: '',
};

const settings = [
  'user.name=t',
  'user.email=t@example.org',
  'protocol.file.allow=always',
  // A commit would start git's maintenance, and wait for the disk.
  'maintenance.auto=false',
  'gc.auto=0',
  'core.fsync=none',
];
const options = settings.flatMap((setting) => ['-c', setting]);

/** Runs git in a folder and returns what it printed. Throws if it fails. */
export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...options, ...args], {
    encoding: 'utf8',
    env: gitEnvironment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
