// Owns the process of this worker in which commands run one after the other: see program-host.ts.

import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { HostedAnswer, HostedRequest } from './program-host.ts';

/** Of one worker, for all files that it runs. */
const shared = globalThis as { envsnapProgramHost?: { child: ChildProcess; busy: boolean } | undefined };

/** Runs `program`, a built bin/run.js, with arguments; undefined while another command runs. */
export async function runHosted(program: string, request: HostedRequest): Promise<HostedAnswer | undefined> {
  shared.envsnapProgramHost ??= { child: startHost(program), busy: false };
  const host = shared.envsnapProgramHost;
  if (host.busy) return undefined;
  host.busy = true;
  const { child } = host;
  child.ref();
  child.channel?.ref();
  try {
    return await new Promise<HostedAnswer>((resolve, reject) => {
      const ended = () => {
        shared.envsnapProgramHost = undefined;
        reject(new Error(`the process of the commands ended during envsnap ${request.args.join(' ')}`));
      };
      child.once('exit', ended);
      child.once('message', (answer: HostedAnswer) => {
        child.off('exit', ended);
        if (answer.isLast) shared.envsnapProgramHost = undefined;
        resolve(answer);
      });
      child.send(request);
    });
  } finally {
    host.busy = false;
    child.unref();
    child.channel?.unref();
  }
}

/** Ends the process if a command still runs in it: the next one starts another. */
export function endBusyHost(): void {
  if (shared.envsnapProgramHost?.busy) shared.envsnapProgramHost.child.kill('SIGKILL');
}

function startHost(program: string): ChildProcess {
  const host = path.join(import.meta.dirname, 'program-host.ts');
  return fork(host, [program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    execArgv: [],
  });
}
