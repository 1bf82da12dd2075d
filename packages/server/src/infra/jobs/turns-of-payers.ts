// Whose job is next: payers take turns, and among a payer's projects these do.

interface Waiting {
  readonly request: { readonly payer: string; readonly projectId: string };
}

export function createTurns() {
  let turn = 0;
  /** The last turn of payers and projects that have something waiting, and of the last ones that had a job. */
  let lastTurns = new Map<string, number>();

  return {
    /** Takes the next job out of those that wait: of the payer, then the project, whose last turn is longest ago. */
    take<Task extends Waiting>(waiting: Task[]): Task | undefined {
      const lastTurnOf = (name: string) => lastTurns.get(name) ?? 0;
      let next: Task | undefined;
      for (const task of waiting) {
        const by = (name: (task: Waiting) => string) =>
          next && lastTurnOf(name(task)) - lastTurnOf(name(next));
        if (next === undefined || (by(payerOf) || by(projectOf) || 0) < 0) next = task;
      }
      if (next === undefined) return undefined;
      turn += 1;
      lastTurns.set(payerOf(next), turn);
      lastTurns.set(projectOf(next), turn);
      const known = new Set([next, ...waiting].flatMap((task) => [payerOf(task), projectOf(task)]));
      lastTurns = new Map([...lastTurns].filter(([name]) => known.has(name)));
      waiting.splice(waiting.indexOf(next), 1);
      return next;
    },
  };
}

const payerOf = ({ request }: Waiting) => `payer ${request.payer}`;
const projectOf = ({ request }: Waiting) => `project ${request.projectId}`;
