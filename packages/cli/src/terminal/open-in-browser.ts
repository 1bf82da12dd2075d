// Hands an address to the person's browser, if there is one to hand it to.

import { spawnCommand } from '../../bin/spawn-command.js';

/** The program that hands an address on, and its first arguments. By its path where the working folder comes before `PATH`. */
export function openerOf(platform: NodeJS.Platform, systemRoot = 'C:\\Windows'): readonly string[] {
  if (platform === 'win32') return [`${systemRoot}\\System32\\rundll32.exe`, 'url.dll,FileProtocolHandler'];
  return [platform === 'darwin' ? '/usr/bin/open' : 'xdg-open'];
}

/** Opens an `http` or `https` address. Nothing happens where no program can; the address has been printed. */
export function openInBrowser(address: string): void {
  if (!/^https?:\/\//.test(address)) return;
  const [program = '', ...args] = openerOf(process.platform, process.env.SystemRoot);
  const child = spawnCommand(program, [...args, address], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}
