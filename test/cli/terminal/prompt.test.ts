// Questions: what a person types, over streams instead of a terminal.

import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askChoice, askSecret, askText, askYes } from '../../../packages/cli/src/terminal/prompt.ts';

/** Streams into which `keys` are typed one after another, and their output. */
function keyboard(...keys: string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  const left = [...keys];
  let typing: NodeJS.Immediate | undefined;
  output.on('data', (chunk) => {
    shown += chunk;
    // A key is typed once the question is drawn or has processed the previous key.
    clearImmediate(typing);
    typing = setImmediate(() => {
      const key = left.shift();
      if (key !== undefined) input.write(key);
    });
  });
  return { streams: { input, output }, shown: () => shown };
}

describe('a question', () => {
  it('takes a line without the spaces around it, or the default for Enter alone', async () => {
    expect(await askText('Name', {}, keyboard(' my project ', '\r').streams)).toBe('my project');
    expect(await askText('Address', { default: 'http://here' }, keyboard('\r').streams)).toBe('http://here');
  });

  it('is asked again until the answer passes the check', async () => {
    const check = (value: string) => value === 'right' || 'That is not right.';
    const { streams, shown } = keyboard('wrong', '\r', '\u0015', 'right', '\r');
    expect(await askText('Answer', { check }, streams)).toBe('right');
    expect(shown()).toContain('That is not right.');
  });

  it('for a secret never shows it', async () => {
    const { streams, shown } = keyboard('hunter2-secret', '\r');
    expect(await askSecret('API key', {}, streams)).toBe('hunter2-secret');
    expect(shown()).not.toContain('hunter2');
  });

  it('offers choices, and takes no for Enter alone', async () => {
    const choices = [
      { value: 'a', name: 'First' },
      { value: 'b', name: 'Second' },
    ] as const;
    expect(await askChoice('Which', choices, keyboard('\u001b[B', '\r').streams)).toBe('b');
    expect(await askYes('Delete?', keyboard('\r').streams)).toBe(false);
    expect(await askYes('Delete?', keyboard('y', '\r').streams)).toBe(true);
  });

  it('ends with an error that the program reports as an interruption when Ctrl-C is pressed', async () => {
    await expect(askText('Name', {}, keyboard('\u0003').streams)).rejects.toMatchObject({
      name: 'ExitPromptError',
    });
  });
});
