// Hands an address to the person's browser, if there is one to hand it to.

import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an `http` or `https` address. Nothing happens where no program can; the address has been printed. */
export function openInBrowser(address: string): void {
  if (!/^https?:\/\//.test(address)) return;
  const [program = '', ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}
