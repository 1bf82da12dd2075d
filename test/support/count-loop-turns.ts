/** Counts the turns of the event loop while something runs; `turn` returns their number. */
export async function countLoopTurns<Result>(work: (turn: () => number) => Promise<Result>): Promise<Result> {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return work(() => turn).finally(() => {
    isOver = true;
  });
}
