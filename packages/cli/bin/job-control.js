// Job control of `envsnap run`: it stops when the command has stopped, as the shell that started it expects of its job, and
// hands on what reached it alone.

const fs = process.getBuiltinModule('node:fs');

/** How long a signal that went to the whole group takes to reach the other members, in milliseconds. */
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
  const stopWithIt = () => {
    if (isStopped(child.pid) && hasShell()) process.kill(process.pid, 'SIGSTOP');
  };
  const later = (/** @type {() => void} */ act) => setTimeout(act, groupMs).unref();
  process.on('SIGCHLD', () => later(stopWithIt));
  process.on('SIGTSTP', () =>
    later(() => {
      if (!isStopped(witness())) child.kill('SIGTSTP');
    }),
  );
  process.on('SIGCONT', () =>
    later(() => {
      if (isStopped(child.pid)) child.kill('SIGCONT');
    }),
  );
  later(stopWithIt);
}

/** Whether a shell with job control started this process: it would notice that the job has stopped, and go on with it. */
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
