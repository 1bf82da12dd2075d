// Chooses the next job: payers take turns, and so do the projects of a payer.

interface Waiting {
  readonly request: { readonly payer: string; readonly projectId: string };
}

export function createFairScheduler() {
  let turn = 0;
  /** The last turn of each payer and project with waiting jobs, and of those of the last job. */
  let lastTurns = new Map<string, number>();

  return {
    /** Removes and returns the next job: of the payer, then the project, whose last turn is longest ago. */
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
