// Job control of `envsnap run`: it stops when the command stops, as the shell expects of a job, and forwards signals that only it
// received.

const fs = process.getBuiltinModule('node:fs');

/** How long a signal to the whole group takes to reach the other members, in milliseconds. */
const groupMs = 100;

/**
 * Without /proc, SIGTSTP and SIGCONT have their default effect, on this process alone.
 *
 * @param {import('node:child_process').ChildProcess} child The command.
 * @param {() => number | undefined} witness A further member of the group.
 */
export function followJobControl(child, witness) {
  if (statOf(process.pid) === undefined) return;
  const isStopped = (/** @type {number | undefined} */ pid) => statOf(pid)?.state === 'T';
  const later = (/** @type {() => void} */ act) => setTimeout(act, groupMs).unref();
  let isAsked = false;
  let isLooking = false;
  const look = () => {
    isLooking = false;
    const [stops, asked] = [isStopped(child.pid), isAsked];
    isAsked = false;
    if (stops && hasShell()) process.kill(process.pid, 'SIGSTOP');
    else if (asked && !stops && !isStopped(witness())) child.kill('SIGTSTP');
  };
  // One check for both, so that a request to stop is not obeyed later, when all have continued.
  const lookLater = () => {
    if (!isLooking) later(look);
    isLooking = true;
  };
  process.on('SIGCHLD', lookLater);
  process.on('SIGTSTP', () => {
    isAsked = true;
    lookLater();
  });
  process.on('SIGCONT', () =>
    later(() => {
      if (isStopped(child.pid)) child.kill('SIGCONT');
    }),
  );
  lookLater();
}

/** Whether a shell with job control started this process: it would notice that the job has stopped, and can continue it. */
function hasShell() {
  const [own, parent] = [statOf(process.pid), statOf(process.ppid)];
  return own?.session === parent?.session && own?.group !== parent?.group;
}

/** @param {number | undefined} pid */
function statOf(pid) {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything.
    const [state, , group, session] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, group, session };
  } catch {
    return undefined;
  }
}
