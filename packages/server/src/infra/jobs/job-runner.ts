// Owns the thread in which jobs run, one at a time. A job ends at once, together with the thread, if its caller disconnects, the
// server stops, or its time is up; the next job gets a new thread.

import { hash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { AppError, stopping } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import { createAnswerCache } from './answer-cache.ts';
import type { AnswerOf, FromThread, InputOf, ToThread } from './job.ts';
import { createWaitingJobs } from './waiting-jobs.ts';

interface JobRequest<Question, Reply> {
  /** The payer whose turn it takes, and the project among the payer's. */
  readonly payer: string;
  readonly projectId: string;
  /** Provides the data that the job asks for. If it rejects, so does the request. */
  readonly answer: (question: Question) => Promise<Reply>;
  /** Called when the job begins: reserves the memory that it may use. Errors: `server_busy`. */
  readonly begin: () => void;
  readonly signal: AbortSignal;
  /** The same input always has the same result in this project, so the result may be cached. Default false. */
  readonly isRepeatable?: boolean;
}

/** Runs jobs. Errors: `server_busy`, `shutting_down`, `too_much_work`, and those of `answer`. */
type RunJob<Jobs, Question, Reply> = <Name extends keyof Jobs & string>(
  name: Name,
  input: InputOf<Jobs[Name]>,
  request: JobRequest<Question, Reply>,
) => Promise<AnswerOf<Jobs[Name]>>;

interface JobRunner<Jobs, Question, Reply> {
  readonly run: RunJob<Jobs, Question, Reply>;
  usage(): { readonly running: number; readonly waiting: number };
  stop(): Promise<void>;
}

interface JobRunnerOptions {
  /** The thread's program: its file, or a text in CommonJS. */
  readonly program: URL | string;
  readonly heapBytes: number;
  readonly clock: Clock;
  /** Maximum number of requests that wait for the thread. Beyond it, the last one of the payer with the most is refused. */
  readonly mostWaiting: number;
  /** Processor time that one job may take, in seconds. */
  readonly jobSeconds: number;
  /** If a thread is ended to free memory, start another at once, so that the next job finds it loaded. */
  readonly staysReady?: boolean;
}

/** How long the thread waits for another job, with its memory and the cached results, in milliseconds. */
const idleMs = 30_000;
/** Minimum time between two checks of how long a job has run, in milliseconds. */
const shortestLookMs = 50;
const mebibyte = 1024 ** 2;

interface Task {
  readonly name: string;
  readonly input: unknown;
  /** The cache key of its result; undefined if it is not cached. */
  readonly key: string | undefined;
  readonly request: JobRequest<unknown, unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Creates the runner; the thread starts with the first job. */
export function createJobRunner<Jobs, Question, Reply>({
  program,
  heapBytes,
  clock,
  mostWaiting,
  jobSeconds,
  staysReady = false,
}: JobRunnerOptions): JobRunner<Jobs, Question, Reply> {
  const waiting = createWaitingJobs<Task>(mostWaiting);
  const answers = createAnswerCache();
  let running: Task | undefined;
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let jobEnd: NodeJS.Timeout | undefined;
  let stopped = false;

  function startThread(): Worker {
    const started = new Worker(program, {
      eval: typeof program === 'string',
      // Sources import the sources of the other packages.
      execArgv:
        program instanceof URL && program.pathname.endsWith('.ts') ? ['--conditions=envsnap-source'] : [],
      resourceLimits: {
        maxOldGenerationSizeMb: Math.ceil(heapBytes / mebibyte),
        maxYoungGenerationSizeMb: 32,
      },
    });
    started.on('message', (message: FromThread) => {
      if (started === thread && running) receive(running, message);
    });
    const fail = (error: unknown) => {
      if (started === thread && running) settle(running, () => running?.reject(describeEnd(error)), true);
    };
    started.on('error', fail);
    started.on('exit', () => fail(new Error('the job thread ended unexpectedly')));
    return started;
  }

  function receive(task: Task, message: FromThread): void {
    if (message.kind === 'answer') {
      if (task.key !== undefined) answers.add(task.key, message.answer as Uint8Array);
      settle(task, () => task.resolve(message.answer));
    } else if (message.kind === 'refusal') {
      const { code, message: text, details } = message.refusal;
      settle(task, () => task.reject(new AppError(code, text, details)));
    } else if (message.kind === 'failure') settle(task, () => task.reject(message.error));
    else {
      task.request.answer(message.question).then(
        (reply) => {
          if (task === running) send({ kind: 'reply', reply });
        },
        // The job waits for a reply that never comes; the thread is free for the next one.
        (error: unknown) => settle(task, () => task.reject(error)),
      );
    }
  }

  function send(message: ToThread): void {
    thread?.postMessage(message);
  }

  function settle(task: Task, report: () => void, withThread = false): void {
    if (withThread) endThread();
    report();
    if (task !== running) return;
    clearTimeout(jobEnd);
    running = undefined;
    next();
  }

  function limitTime(task: Task, worker: Worker): void {
    const begunAt = usedMsOf(worker);
    const lookAfter = (ms: number) => {
      jobEnd = setTimeout(async () => {
        const leftMs = (await begunAt) + jobSeconds * 1000 - (await usedMsOf(worker));
        if (task !== running) return;
        if (leftMs > 0) lookAfter(Math.max(leftMs, shortestLookMs));
        else
          settle(
            task,
            () => task.reject(tooMuch(`would take more than ${jobSeconds} s of the server's time`)),
            true,
          );
      }, ms).unref();
    };
    lookAfter(jobSeconds * 1000);
  }

  function endThread(): Promise<unknown> | undefined {
    const ending = thread;
    thread = undefined;
    clearTimeout(idle);
    return ending?.terminate();
  }

  /** Frees memory that has not been used for a while. */
  function rest(): void {
    answers.clear();
    void endThread();
    if (!staysReady) return;
    thread = startThread();
    thread.unref();
  }

  function next(): void {
    clearTimeout(idle);
    const task = waiting.take();
    if (!task) {
      // A process that has nothing else to do may end.
      thread?.unref();
      idle = setTimeout(rest, idleMs).unref();
      return;
    }
    // Requests that wait for the same result get it together.
    const known = answers.get(task.key);
    if (known) {
      task.resolve(known);
      next();
      return;
    }
    running = task;
    try {
      task.request.begin();
      thread ??= startThread();
      thread.ref();
      limitTime(task, thread);
      send({ kind: 'job', name: task.name, input: task.input, nowMs: clock.nowMs() });
    } catch (error) {
      settle(task, () => task.reject(error));
    }
  }

  return {
    run(name, input, request) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      if (stopped) throw stopping();
      const key = request.isRepeatable
        ? hash('sha256', JSON.stringify([request.projectId, name, input]), 'base64')
        : undefined;
      const known = answers.get(key);
      if (known) return Promise.resolve(known) as never;
      const task: Task = {
        name,
        input,
        key,
        request: request as JobRequest<unknown, unknown>,
        resolve,
        reject,
      };
      waiting.add(task);
      const leave = () => {
        const gone = new AppError('request_timeout', 'The caller has disconnected');
        if (!waiting.refuse(task, gone) && task === running) settle(task, () => reject(gone), true);
      };
      request.signal.addEventListener('abort', leave, { once: true });
      if (request.signal.aborted) leave();
      else if (!running) next();
      return promise.finally(() => request.signal.removeEventListener('abort', leave)) as never;
    },
    usage: () => ({ running: running ? 1 : 0, waiting: waiting.length }),
    async stop() {
      stopped = true;
      waiting.clear(stopping());
      running?.reject(stopping());
      running = undefined;
      clearTimeout(jobEnd);
      await endThread();
    },
  };
}

/** Node.js 22 does not measure the processor time of a thread from outside. */
type MeasuredThread = Pick<Worker, 'performance'> & Partial<Pick<Worker, 'cpuUsage'>>;

/** Processor time that the thread has used, so that a busy machine does not end jobs; else the time that it was not idle. */
async function usedMsOf(thread: MeasuredThread): Promise<number> {
  const used = await thread.cpuUsage?.().catch(() => undefined);
  return used ? (used.user + used.system) / 1000 : thread.performance.eventLoopUtilization().active;
}

function tooMuch(what: string): AppError {
  return new AppError('too_much_work', `This request ${what}; ask for fewer or smaller snapshots`);
}

function describeEnd(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  // It would need as much memory the next time.
  return tooMuch('needs more memory than the server allows for one request');
}
