// Writes the log's lines to standard error in batches. If its reader stops reading or its disk is full, lines are dropped
// and counted, and the server continues.

import { fstatSync, writeSync } from 'node:fs';

/** A way to write: at once, or later while the reader is slow. */
export interface LogTarget {
  send(text: string): void;
  /** Bytes that have been sent and not been read yet. */
  waitingBytes(): number;
  /** At the end of the process: writes as much as possible now. */
  sendLast(text: string): void;
}

/** Characters of lines that are written together; a write for each line costs more than the line. */
const batchLength = 4096;
/** Longest time a line waits, in milliseconds. */
const flushAfterMs = 200;
/** Bytes that wait for their reader at most; later lines are dropped. */
const mostWaitingBytes = 1024 * 1024;
const lastFlushMs = 1000;

/** Creates the output. An idle output does not wake the process. */
export function createLogOutput(target: LogTarget = openStandardError()) {
  let lines: string[] = [];
  let length = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;

  function sendBatch(): void {
    clearTimeout(timer);
    timer = undefined;
    const count = lines.length;
    const text = lines.join('');
    lines = [];
    length = 0;
    if (count === 0) return;
    if (target.waitingBytes() > mostWaitingBytes) {
      dropped += count;
      return;
    }
    try {
      const notice = dropped === 0 ? '' : describeDropped(dropped);
      target.send(notice + text);
      dropped = 0;
    } catch {
      dropped += count;
    }
  }
  process.on('exit', () => {
    if (lines.length > 0) target.sendLast(lines.join(''));
  });

  return {
    write(line: string) {
      lines.push(line);
      length += line.length;
      if (length >= batchLength) sendBatch();
      else timer ??= setTimeout(sendBatch, flushAfterMs).unref();
    },
    /** Calls back when the lines so far are written, or cannot be within a second. */
    flush(callback: () => void) {
      sendBatch();
      const untilMs = Date.now() + lastFlushMs;
      (function wait() {
        if (target.waitingBytes() === 0 || Date.now() >= untilMs) callback();
        else setTimeout(wait, 10);
      })();
    },
  };
}

function describeDropped(dropped: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 'warn', time, dropped, msg: 'log lines were dropped: they could not be written' })}\n`;
}

/** Standard error. Pipes and sockets have a reader who may stop reading; files and terminals take what they get. */
function openStandardError(): LogTarget {
  if (!hasReader()) {
    const send = (text: string) => writeWhole(text);
    return { send, waitingBytes: () => 0, sendLast: ignoringErrors(send) };
  }
  const stream = process.stderr;
  stream.on('error', () => undefined);
  return {
    send: (text) => void stream.write(text),
    waitingBytes: () => stream.writableLength,
    sendLast: ignoringErrors((text) => void writeSync(2, text)),
  };
}

function hasReader(): boolean {
  try {
    const details = fstatSync(2);
    return details.isFIFO() || details.isSocket();
  } catch {
    // On Windows there may be no standard error.
    return false;
  }
}

function writeWhole(text: string): void {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(2, bytes, offset);
}

function ignoringErrors(action: (text: string) => void): (text: string) => void {
  return (text) => {
    try {
      action(text);
    } catch {
      // The process ends, so there is nowhere to report this.
    }
  };
}
