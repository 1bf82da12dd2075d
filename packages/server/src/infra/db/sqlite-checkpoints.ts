// Owns when SQLite's write-ahead log goes back to the database: a thread copies and flushes it, so that no commit waits for
// that, and the connection that writes does the little that is left, after which SQLite begins the log anew. The thread
// starts when there is something to copy. docs/decisions/0166.

import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CheckpointThreadData, Copied } from './checkpoint-thread.ts';

/** Pages of the log (16 MiB) from which it is copied. The same pages come again and again: oftener is more to copy. */
export const checkpointPages = 4000;
/** Pages of the log (64 MiB) at which a commit copies it after all, should the thread not keep up. */
export const lastResortPages = 4 * checkpointPages;

/** Bytes before the first frame of the log, and before each frame's page. SQLite's file format, §4.1. */
const headerBytes = { log: 32, frame: 24 };
/** Where the salts stand: all frames that count have those of the log's header. */
const saltAt = { log: 16, frame: 8 };
const saltBytes = 8;

export interface CheckpointsOptions {
  /** The database's file. */
  readonly file: string;
  readonly pageBytes: number;
  /** Copies what is left of the log, on the connection that writes, between two transactions. */
  readonly finish: () => Copied;
  /** Called when there is no thread and will be none: commits copy the log from now on. */
  readonly giveUp: () => void;
  /** The thread's program. */
  readonly program?: string | URL;
}

export class SqliteCheckpoints {
  readonly #options: CheckpointsOptions;
  readonly #salt = Buffer.alloc(saltBytes);
  readonly #read = Buffer.alloc(saltBytes);
  #log: number | undefined;
  /** Pages of the log from which it is copied next. */
  #duePages = checkpointPages;
  #thread: Worker | undefined;
  #copying: PromiseWithResolvers<void> | undefined;
  /** The thread has answered, the rest is to be done. */
  #copied = false;
  #held = false;
  #ended = false;

  constructor(options: CheckpointsOptions) {
    this.#options = options;
  }

  /** Call it after each commit, while no transaction is under way. Costs two reads of 8 bytes. */
  afterCommit(): void {
    if (this.#ended || this.#held) return;
    try {
      if (this.#copied) this.#finish();
      else if (!this.#copying && this.#isDue()) this.#start();
    } catch {
      // The log cannot be read, or no thread be started.
      this.#giveUp();
    }
  }

  /** Copies the log now, then runs `work`, while the thread does nothing: of two that copy, SQLite turns one away. */
  async copyThen(work: () => Promise<void>): Promise<void> {
    this.#held = true;
    try {
      if (!this.#copying && !this.#ended) this.#start();
      await this.#copying?.promise;
      this.#copied = false;
      await work();
    } finally {
      this.#held = false;
    }
  }

  /** Ends the thread; its connection is closed then. */
  async close(): Promise<void> {
    this.#ended = true;
    const thread = this.#thread;
    this.#thread = undefined;
    if (thread) {
      thread.ref();
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      thread.postMessage('close');
      await ended;
    }
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
  }

  #start(): void {
    this.#copying = Promise.withResolvers<void>();
    this.#thread ??= this.#startThread();
    this.#thread.ref();
    this.#thread.postMessage('copy');
  }

  #startThread(): Worker {
    const program =
      this.#options.program ??
      new URL(`checkpoint-thread${path.extname(import.meta.filename)}`, import.meta.url);
    const workerData: CheckpointThreadData = { file: this.#options.file };
    // It holds a page at a time.
    const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };
    const thread = new Worker(program, { workerData, resourceLimits, execArgv: [] });
    thread.on('message', () => {
      this.#copied = true;
      this.#settle();
    });
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      if (this.#thread === thread) this.#giveUp();
      this.#settle();
    });
    return thread;
  }

  #settle(): void {
    // A process that has nothing else to do may end.
    this.#thread?.unref();
    this.#copying?.resolve();
    this.#copying = undefined;
  }

  #giveUp(): void {
    this.#thread = undefined;
    this.#ended = true;
    this.#options.giveUp();
  }

  /** If the log could not be emptied, since somebody still reads from it, it is due again once it has grown as much. */
  #finish(): void {
    this.#copied = false;
    const { log } = this.#options.finish();
    this.#duePages = log + checkpointPages;
  }

  /** Whether the log holds the pages that are due: the frame of the last of them has the salts of the log. */
  #isDue(): boolean {
    this.#log ??= openSync(`${this.#options.file}-wal`, 'r');
    if (!this.#readSalt(saltAt.log)) return false;
    if (!this.#read.equals(this.#salt)) {
      // SQLite has begun the log anew.
      this.#read.copy(this.#salt);
      this.#duePages = checkpointPages;
    }
    const frameBytes = headerBytes.frame + this.#options.pageBytes;
    const frame = headerBytes.log + (this.#duePages - 1) * frameBytes;
    return this.#readSalt(frame + saltAt.frame) && this.#read.equals(this.#salt);
  }

  #readSalt(position: number): boolean {
    return readSync(this.#log as number, this.#read, 0, saltBytes, position) === saltBytes;
  }
}
