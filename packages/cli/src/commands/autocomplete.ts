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
  ].join('\n');
  static override examples = ['eval "$(envsnap autocomplete bash)"'];
  static override args = {
    shell: string({ options: [...shells], description: 'Shell; by default the one in the variable SHELL.' }),
  };

  override async run(): Promise<{ shell: string; script: string }> {
    const { args } = await this.parse(Autocomplete);
    const asked = args.shell ?? process.env.SHELL?.split('/').at(-1);
    const shell = shells.find((known) => known === asked);
    if (!shell) throw missingFlag('SHELL', `name one of ${shells.join(', ')}`);
    const script = completionScript(shell);
    this.printAsIs(script);
    return { shell, script };
  }
}
