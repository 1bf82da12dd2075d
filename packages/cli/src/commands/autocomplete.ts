// envsnap autocomplete

import { string } from '@oclif/core/args';
import { BaseCommand } from '../base-command.ts';
import { missingFlag } from '../errors/cli-error.ts';
import scripts from './completion-scripts.json' with { type: 'json' };

// completion-scripts.json holds each script as a list of lines.
//
// Bash breaks words at `=` and `:` and replaces only the part after them, so the script reads the whole line. Bash and
// PowerShell insert a candidate unquoted, so the name of a machine or a run must not act as a command there. If file names are
// candidates too, readline would quote them a second time. Inside an open quote, it accepts a word only unchanged. PowerShell
// drops an empty argument, so a word before `--` replaces it. `--` is quoted, because npm's PowerShell script would drop it otherwise.

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** How each shell loads its script. */
const guides = {
  bash: { description: 'Bash: add this to ~/.bashrc.', command: 'eval "$(envsnap autocomplete bash)"' },
  zsh: {
    description: 'Zsh: add this to ~/.zshrc, after compinit.',
    command: 'eval "$(envsnap autocomplete zsh)"',
  },
  fish: {
    description: 'Fish: run this once.',
    command: 'envsnap autocomplete fish > ~/.config/fish/completions/envsnap.fish',
  },
  powershell: {
    description: 'PowerShell: add this to the file $PROFILE.',
    command: 'envsnap autocomplete powershell | Out-String | Invoke-Expression',
  },
};

export default class Autocomplete extends BaseCommand {
  static override summary = 'Print the completion script for a shell.';
  static override description = 'The examples show where it goes for each shell.';
  static override examples = Object.values(guides);
  static override args = {
    shell: string({
      options: [...shells],
      description: 'Shell; by default the one in $SHELL, or PowerShell on Windows.',
    }),
  };

  override async run(): Promise<{ shell: string; script: string }> {
    const { args } = await this.parse(Autocomplete);
    const own =
      process.env.SHELL?.split('/').at(-1) ?? (process.platform === 'win32' ? 'powershell' : undefined);
    const shellName = args.shell ?? own;
    const shell = shells.find((known) => known === shellName);
    if (!shell) throw missingFlag('SHELL', `name one of ${shells.join(', ')}`);
    const script = `${scripts[shell].join('\n')}\n`;
    this.printAsIs(script);
    if (this.screen.interactive) this.note(`${guides[shell].description}\n  ${guides[shell].command}`);
    return { shell, script };
  }
}
