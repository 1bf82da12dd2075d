// Whether a backtracking engine takes linear time for an expression, on every text. The engine tries the ways through the
// automaton one after the other, so its time grows faster than the text where the number of ways does (Weber and Seidl,
// "On the degree of ambiguity of finite automata"): where one text leads from a state to itself in two ways, or leads from a
// state to itself, on to a second one, and from there to itself. A way that has matched ends the search, so only ways that
// have not matched yet are counted. What cannot be decided counts as super-linear.

import { type Automaton, buildAutomaton, type Edge, UnknownExpression } from './automaton.ts';

/** Why an expression may not be linear; undefined if it is linear. */
export function superLinear(pattern: string, flags: string): string | undefined {
  try {
    const exact = analyse(buildAutomaton(pattern, flags, 'exact'));
    if (exact.exponential) return 'exponential';
    if (exact.degree > 1) return 'polynomial';
    // A long counted repetition is linear, but a repetition of such repetitions costs the product of their counts.
    const endless = analyse(buildAutomaton(pattern, flags, 'endless'));
    if (endless.exponential || endless.degree > 2) return 'counted repetitions that multiply';
    return undefined;
  } catch (error) {
    if (error instanceof UnknownExpression) return error.message;
    throw error;
  }
}

interface Growth {
  readonly exponential: boolean;
  /** 1: the number of paths is bounded; 2: it grows with the text; and so on. */
  readonly degree: number;
}

function analyse({ edges, accepting, restarts }: Automaton): Growth {
  const all = edges.map((list, state) =>
    accepting.has(state) ? [...list, ...(restarts[state] ?? [])] : list,
  );
  // Paths that have not matched: none leads into an accepting state.
  const open = edges.map((list) => list.filter(({ to }) => !accepting.has(to)));
  const loops = components(all);
  const openLoops = components(open.map((list, state) => (accepting.has(state) ? [] : list)));
  const reached = reachableFrom(0, all);
  for (const members of groups(openLoops, reached))
    if (hasTwoWays(members, open)) return { exponential: true, degree: 0 };
  const loopsThatMatch = new Set([...accepting].map((state) => loops[state]));
  const larger = new Map<number, Set<number>>();
  for (const p of reached) {
    if (loops[p] === -1) continue;
    const onward = reachableFrom(p, open);
    for (const q of onward) {
      if (q === p || openLoops[q] === -1 || accepting.has(q)) continue;
      // A state of a loop that has matched is separate, because the search for the next match follows it.
      const from = openLoops[p] === -1 ? -2 - p : (openLoops[p] as number);
      const to = openLoops[q] as number;
      // In one loop, a text that leads both on and around would lead from a state to itself in two ways.
      if (from === to && !loopsThatMatch.has(loops[p])) continue;
      if (larger.get(from)?.has(to) || !leads(p, q, all, open, loops, openLoops)) continue;
      if (from === to) return { exponential: false, degree: Number.POSITIVE_INFINITY };
      larger.set(from, (larger.get(from) ?? new Set()).add(to));
    }
  }
  const depth = (component: number): number =>
    1 + Math.max(0, ...[...(larger.get(component) ?? [])].map(depth));
  return { exponential: false, degree: Math.max(1, ...[...larger.keys()].map(depth)) };
}

/** For each state the number of its strongly connected component; -1 if no path leads back to it. */
function components(edges: readonly (readonly Edge[])[]): number[] {
  const component = new Array<number>(edges.length).fill(-1);
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const stack: number[] = [];
  const onStack = new Set<number>();
  let count = 0;
  for (let root = 0; root < edges.length; root += 1) {
    if (order.has(root)) continue;
    const work: { state: number; next: number }[] = [{ state: root, next: 0 }];
    while (work.length > 0) {
      const top = work.at(-1) as { state: number; next: number };
      const { state } = top;
      if (top.next === 0) {
        order.set(state, order.size);
        low.set(state, order.get(state) as number);
        stack.push(state);
        onStack.add(state);
      }
      const edge = edges[state]?.[top.next];
      top.next += 1;
      if (edge) {
        if (!order.has(edge.to)) work.push({ state: edge.to, next: 0 });
        else if (onStack.has(edge.to))
          low.set(state, Math.min(low.get(state) as number, order.get(edge.to) as number));
        continue;
      }
      work.pop();
      const parent = work.at(-1)?.state;
      if (parent !== undefined)
        low.set(parent, Math.min(low.get(parent) as number, low.get(state) as number));
      if (low.get(state) !== order.get(state)) continue;
      const members: number[] = [];
      let member: number;
      do {
        member = stack.pop() as number;
        onStack.delete(member);
        members.push(member);
      } while (member !== state);
      const isLoop = members.length > 1 || edges[state]?.some(({ to }) => to === state);
      if (isLoop) for (const each of members) component[each] = count;
      count += 1;
    }
  }
  return component;
}

function groups(component: readonly number[], states: ReadonlySet<number>): number[][] {
  const byComponent = Map.groupBy(
    [...states].filter((state) => component[state] !== -1),
    (state) => component[state] as number,
  );
  return [...byComponent.values()];
}

function reachableFrom(start: number, edges: readonly (readonly Edge[])[]): Set<number> {
  const found = new Set([start]);
  for (const state of found) for (const { to } of edges[state] ?? []) found.add(to);
  return found;
}

const reversals = new WeakMap<object, Edge[][]>();

/** The reversed transitions. */
function reversed(edges: readonly (readonly Edge[])[]): Edge[][] {
  const known = reversals.get(edges);
  if (known) return known;
  const back: Edge[][] = edges.map(() => []);
  for (const [from, list] of edges.entries())
    for (const edge of list) back[edge.to]?.push({ ...edge, to: from });
  reversals.set(edges, back);
  return back;
}

/** Whether a text leads from a state of a loop to itself in two ways. */
function hasTwoWays(members: readonly number[], edges: readonly (readonly Edge[])[]): boolean {
  const inside = new Set(members);
  const within = (state: number) => (edges[state] ?? []).filter(({ to }) => inside.has(to));
  if (members.some((state) => within(state).some(({ times }) => times > 1))) return true;
  const size = edges.length;
  const forward = (pair: number): number[] => {
    const [a, b] = [Math.floor(pair / size), pair % size];
    return within(a).flatMap((x) =>
      within(b).flatMap((y) => ((x.set & y.set) === 0n ? [] : [x.to * size + y.to])),
    );
  };
  // From two equal states to two different ones and back.
  const found = new Set(members.map((state) => state * size + state));
  const before = new Map<number, number[]>();
  for (const pair of found)
    for (const next of forward(pair)) {
      found.add(next);
      const list = before.get(next);
      if (list) list.push(pair);
      else before.set(next, [pair]);
    }
  const back = new Set(members.map((state) => state * size + state));
  for (const pair of back)
    for (const previous of before.get(pair) ?? []) {
      if (Math.floor(previous / size) !== previous % size) return true;
      back.add(previous);
    }
  return false;
}

/** Whether one text leads from p to p, from p to q without a match, and from q to q. */
function leads(
  p: number,
  q: number,
  all: readonly (readonly Edge[])[],
  open: readonly (readonly Edge[])[],
  loops: readonly number[],
  openLoops: readonly number[],
): boolean {
  const size = all.length;
  const goal = (p * size + q) * size + q;
  const before = reachableFrom(q, reversed(open));
  const found = new Set([(p * size + p) * size + q]);
  for (const triple of found) {
    const [a, b, c] = [Math.floor(triple / size / size), Math.floor(triple / size) % size, triple % size];
    for (const x of all[a] ?? []) {
      if (loops[x.to] !== loops[p]) continue;
      for (const z of open[c] ?? []) {
        const both = x.set & z.set;
        if (both === 0n || openLoops[z.to] !== openLoops[q]) continue;
        for (const y of open[b] ?? []) {
          if ((both & y.set) === 0n || !before.has(y.to)) continue;
          const next = (x.to * size + y.to) * size + z.to;
          if (next === goal) return true;
          found.add(next);
        }
      }
    }
  }
  return false;
}
