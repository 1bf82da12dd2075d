// envsnap complete: what the completion scripts ask, once a Tab.

import { visible } from '@envsnap/shared/text/visible';
import { completeWords } from '../actions/completion/complete-words.ts';
import { lookUpNames } from '../actions/completion/look-up-names.ts';
import { BaseCommand } from '../base-command.ts';

export default class Complete extends BaseCommand {
  static override summary = 'Print possible completions, for the completion scripts.';
  static override hidden = true;
  static override strict = false;

  /** One candidate a line, its description after a tab; `:paths` where names of files fit too. */
  override async run(): Promise<{ candidates: readonly { text: string; description: string }[] }> {
    // The words are somebody's half-typed command line: nothing of them is a flag of this command.
    const at = this.argv.indexOf('--');
    const words = this.argv.slice(at + 1);
    if (this.argv.slice(0, Math.max(at, 0)).includes('new-word')) words.push('');
    const completion = completeWords(this.config.commands, this.config.topics, words);
    const found = completion.lookUp ? await lookUpNames(completion.lookUp, words) : [];
    const candidates = [
      ...completion.candidates,
      ...found
        .filter(({ text }) => text.startsWith(completion.typed))
        .map(({ text, description }) => ({ text: `${completion.prefix}${text}`, description })),
    ];
    for (const { text, description } of candidates)
      this.printAsIs(visible(text) + (description ? `\t${visible(description)}` : ''));
    if (completion.paths) this.printAsIs(':paths');
    return { candidates };
  }
}
