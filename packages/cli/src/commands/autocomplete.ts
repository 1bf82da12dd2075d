// envsnap autocomplete

import { string } from '@oclif/core/args';
import { BaseCommand } from '../base-command.ts';
import { missingFlag } from '../errors/cli-error.ts';
import { completionScript, shells } from '../render/completion.ts';

export default class Autocomplete extends BaseCommand {
  static override summary = 'Print the completion script for a shell.';
  static override description = [
    'Bash: add to ~/.bashrc:                      eval "$(envsnap autocomplete bash)"',
    'Zsh:  add to ~/.zshrc, after compinit:       eval "$(envsnap autocomplete zsh)"',
    'Fish: save as a file that fish reads itself: envsnap autocomplete fish > ~/.config/fish/completions/envsnap.fish',
    'PowerShell: add to the file $PROFILE:        envsnap autocomplete powershell | Out-String | Invoke-Expression',
  ].join('\n');
  static override examples = ['eval "$(envsnap autocomplete bash)"'];
  static override args = {
    shell: string({
      options: [...shells],
      description: 'Shell; by default the one in the variable SHELL, on Windows PowerShell.',
    }),
  };

  override async run(): Promise<{ shell: string; script: string }> {
    const { args } = await this.parse(Autocomplete);
    const own =
      process.env.SHELL?.split('/').at(-1) ?? (process.platform === 'win32' ? 'powershell' : undefined);
    const asked = args.shell ?? own;
    const shell = shells.find((known) => known === asked);
    if (!shell) throw missingFlag('SHELL', `name one of ${shells.join(', ')}`);
    const script = completionScript(shell);
    this.printAsIs(script);
    return { shell, script };
  }
}
