// A progress line on standard error: only on a terminal, and only if the work takes a while.

import { size } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import { bar, cutText } from '../render/layout/table.ts';
import { screenOf } from './terminal.ts';

const showAfterMs = 500;
const refreshMs = 80;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

export interface Progress {
  readonly shown: boolean;
  say(text: string): void;
  /** Reports how many bytes are done; without a total, only the count is shown. */
  bytes(done: number, total: number | undefined): void;
  /** Lets `write` print whole lines to standard error above this one. */
  aside(write: () => void): void;
  /** Removes the line. Safe to call twice. */
  stop(): void;
}

/** Shows a display for as long as some work takes. */
export async function withProgress<T>(label: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = startProgress(label);
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}

/** Starts a display; it stays invisible for the first half second. */
export function startProgress(label: string): Progress {
  const stream = process.stderr;
  const nothing = () => undefined;
  if (!stream.isTTY) {
    return { shown: false, say: nothing, bytes: nothing, aside: (write) => write(), stop: nothing };
  }
  const startedAt = performance.now();
  let text = label;
  let drawn = false;
  const draw = (): void => {
    const elapsed = performance.now() - startedAt;
    const frame = frames[Math.floor(elapsed / refreshMs) % frames.length] ?? '';
    const screen = screenOf(stream);
    stream.write(`\r\x1b[2K${screen.paint('cyan', frame)} ${cutText(text, screen.columns - 3)}`);
    drawn = true;
  };
  let interval: NodeJS.Timeout | undefined;
  const start = setTimeout(() => {
    draw();
    interval = setInterval(draw, refreshMs);
    interval.unref();
  }, showAfterMs);
  start.unref();
  const stop = (): void => {
    clearTimeout(start);
    clearInterval(interval);
    if (drawn) stream.write('\r\x1b[2K');
    drawn = false;
  };
  // Removes the line when the program ends normally. This is not a signal handler, because one could not run while the program is
  // busy.
  process.once('exit', stop);
  return {
    shown: true,
    say(next) {
      text = visible(next);
    },
    bytes(done, total) {
      const seconds = (performance.now() - startedAt) / 1000;
      const rate = seconds > 0 ? `${size(Math.round(done / seconds))}/s` : '';
      text =
        total === undefined || total === 0
          ? `${label}  ${size(done)}  ${rate}`
          : `${label}  ${bar(done / total, 24).padEnd(24, '░')} ${Math.floor((100 * done) / total)}%  ${size(done)} of ${size(total)}  ${rate}`;
    },
    aside(write) {
      if (drawn) stream.write('\r\x1b[2K');
      drawn = false;
      write();
    },
    stop() {
      stop();
      process.off('exit', stop);
    },
  };
}
