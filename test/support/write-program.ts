import { execFileSync } from 'node:child_process';

/**
 * Writes a program that can be started at once. Another process writes it: what another thread starts at that moment would
 * inherit a file that this process has open, and nobody can start a program that is open for writing (ETXTBSY).
 */
export function writeProgram(file: string, content: string | Buffer): void {
  execFileSync('/bin/sh', ['-c', 'cat >"$0" && chmod 755 "$0"', file], { input: content });
}
