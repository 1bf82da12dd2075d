// The automaton of an expression, as a backtracking engine uses it: one state for each place in the pattern that reads a
// character, and states for the search that starts again at each position of the text.

import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { type CharacterSet, createAlphabet, lineEnds, setOf, wordCharacters } from './character-set.ts';

/** An expression that cannot be analysed; the message says why. */
export class UnknownExpression extends Error {
  override readonly name = 'UnknownExpression';
}

/** A transition to a state by one of these characters; `times` counts equal transitions. */
export interface Edge {
  readonly to: number;
  readonly set: bigint;
  times: number;
}

export interface Automaton {
  /** By state; a search begins in state 0. */
  readonly edges: readonly (readonly Edge[])[];
  /** States from which some path matches, whatever follows. */
  readonly accepting: ReadonlySet<number>;
  /** By state: where the search continues after a match that ends there (flag `g`). */
  readonly restarts: readonly (readonly Edge[])[];
}

/** How counted repetitions are treated: exactly, or a long one as if it had no end. */
export type Counting = 'exact' | 'endless';

type Place =
  | { readonly kind: 'read'; readonly set: CharacterSet; readonly next: () => Place; readonly state: number }
  | { readonly kind: 'choice'; readonly nexts: () => readonly Place[] }
  | { readonly kind: 'assert'; readonly assertion: Assertion; readonly next: Place }
  | { readonly kind: 'matched' }
  | { readonly kind: 'dead' };

type Assertion =
  | 'start'
  | 'line-start'
  | 'end'
  | 'line-end'
  | 'boundary'
  | 'no-boundary'
  /** Conditions on the previous or the next character. */
  | { readonly look: 'behind' | 'ahead'; readonly set: CharacterSet; readonly negate: boolean };

const mostPlaces = 6000;
const mostWays = 50_000;
/** Repetitions that are unrolled although they are treated as endless. */
const fewTimes = 8;
/** Repetitions above this number are always treated as endless. */
const manyTimes = 400;
/** Longest text that a lookbehind may check, in characters. */
const longestLookBehind = 8;

/** Builds the automaton. Throws {@link UnknownExpression} for unsupported syntax. */
export function buildAutomaton(pattern: string, flags: string, counting: Counting): Automaton {
  const ast = new RegExpParser().parsePattern(pattern, undefined, undefined, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const modes = {
    ignoreCase: flags.includes('i'),
    dotAll: flags.includes('s'),
    multiline: flags.includes('m'),
  };
  const reads: Extract<Place, { kind: 'read' }>[] = [];
  let places = 0;
  const place = <P extends Place>(made: P): P => {
    places += 1;
    if (places > mostPlaces) throw new UnknownExpression('it is too large');
    return made;
  };
  const read = (set: CharacterSet, next: () => Place): Place => {
    const made = place({ kind: 'read', set, next, state: reads.length } as const);
    reads.push(made);
    return made;
  };

  function alternatives(list: readonly AST.Alternative[], next: Place): Place {
    const ways = list.map((each) => sequence(each.elements, next));
    return ways.length === 1 ? (ways[0] as Place) : place({ kind: 'choice', nexts: () => ways });
  }
  function sequence(elements: readonly AST.Element[], next: Place): Place {
    return elements.reduceRight((after, element) => build(element, after), next);
  }
  function build(node: AST.Element, next: Place): Place {
    switch (node.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return read(setOf(node, modes), () => next);
      case 'Group':
      case 'CapturingGroup':
        return alternatives(node.alternatives, next);
      case 'Quantifier':
        return repeat(node, next);
      case 'Assertion':
        return assertion(node, next);
      case 'Backreference': {
        const groups = [node.resolved].flat();
        if (groups.some((group) => longest(group) > 1))
          throw new UnknownExpression('it refers back to a text');
        return read([[0, 0x10ffff]], () => next);
      }
      default:
        throw new UnknownExpression(`it holds ${node.type}`);
    }
  }
  function repeat({ element, min, max }: AST.Quantifier, next: Place): Place {
    const isEndless = max - min > (counting === 'endless' ? fewTimes : manyTimes);
    let after = next;
    if (isEndless) {
      let body: Place = next;
      const loop = place({ kind: 'choice', nexts: () => [body, next] } as const);
      body = build(element, loop);
      after = loop;
    } else
      for (let times = min; times < max; times += 1) {
        const inner = build(element, after);
        after = place({ kind: 'choice', nexts: () => [inner, next] });
      }
    for (let times = 0; times < min; times += 1) after = build(element, after);
    return after;
  }
  function assertion(node: AST.Assertion, next: Place): Place {
    const single = 'alternatives' in node ? singleCharacter(node.alternatives) : undefined;
    if (single && 'negate' in node && node.kind !== 'word') {
      const look = node.kind === 'lookahead' ? 'ahead' : 'behind';
      return place({
        kind: 'assert',
        assertion: { look, set: setOf(single, modes), negate: node.negate },
        next,
      });
    }
    if (node.kind === 'lookahead') {
      // It reads the same text again or fails, so this path is a dead end.
      const inner = alternatives(node.alternatives, { kind: 'dead' });
      return place({ kind: 'choice', nexts: () => [inner, next] });
    }
    if (node.kind === 'lookbehind') {
      if (node.alternatives.some((each) => longestOf(each.elements) > longestLookBehind))
        throw new UnknownExpression('it looks far behind');
      return next;
    }
    const kind: Assertion =
      node.kind === 'word'
        ? node.negate
          ? 'no-boundary'
          : 'boundary'
        : modes.multiline
          ? `line-${node.kind}`
          : node.kind;
    return place({ kind: 'assert', assertion: kind, next });
  }
  const first = alternatives(ast.alternatives, { kind: 'matched' });
  return connect(first, reads, flags);
}

function singleCharacter(
  alternatives: readonly AST.Alternative[],
): AST.Character | AST.CharacterSet | AST.CharacterClass | undefined {
  const [element, ...more] = alternatives.flatMap(({ elements }) => elements);
  if (alternatives.length !== 1 || more.length > 0) return undefined;
  return element?.type === 'Character' ||
    element?.type === 'CharacterSet' ||
    element?.type === 'CharacterClass'
    ? element
    : undefined;
}

/** Longest text that a node matches, in characters. */
function longest(node: AST.Node): number {
  switch (node.type) {
    case 'Assertion':
      return 0;
    case 'Quantifier':
      return node.max * longest(node.element);
    case 'Group':
    case 'CapturingGroup':
      return Math.max(...node.alternatives.map(({ elements }) => longestOf(elements)));
    default:
      return 1;
  }
}

function longestOf(elements: readonly AST.Element[]): number {
  return elements.reduce((sum, element) => sum + longest(element), 0);
}

type Reading = Extract<Place, { kind: 'read' }>;

/** The targets of the paths from one place, with their assertions. */
interface Way {
  readonly to: Reading | 'matched';
  readonly assertions: readonly Assertion[];
}

function waysFrom(start: Place): Way[] {
  const ways: Way[] = [];
  // A loop around a loop reaches its inside in two ways: through the inner loop, and around the outer one.
  const under = new Map<Place, number>();
  let steps = 0;
  const walk = (at: Place, assertions: readonly Assertion[]): void => {
    steps += 1;
    if (steps > mostWays) throw new UnknownExpression('it has too many ways that read nothing');
    const times = under.get(at) ?? 0;
    if (at.kind === 'dead' || times > 1) return;
    if (at.kind === 'matched') ways.push({ to: 'matched', assertions });
    else if (at.kind === 'read') ways.push({ to: at, assertions });
    else {
      under.set(at, times + 1);
      if (at.kind === 'assert') walk(at.next, [...assertions, at.assertion]);
      else for (const next of at.nexts()) walk(next, assertions);
      under.set(at, times);
    }
  };
  walk(start, []);
  return ways;
}

function connect(first: Place, reads: readonly Reading[], flags: string): Automaton {
  const begin = waysFrom(first);
  const ways = reads.map((at) => waysFrom(at.next()));
  const looks = [begin, ...ways]
    .flat()
    .flatMap(({ assertions }) => assertions.flatMap((each) => (typeof each === 'object' ? [each.set] : [])));
  const bitsOf = createAlphabet([...reads.map(({ set }) => set), ...looks]);
  const all = bitsOf([[0, 0x10ffff]]);
  const word = bitsOf(wordCharacters);
  const ends = bitsOf(lineEnds);
  // States of the search: nothing read yet, or one for each kind of previous character that an assertion may check.
  const kinds = [word, ends, ...looks.map(bitsOf)].reduce(
    (parts, set) => parts.flatMap((part) => [part & set, part & ~set].filter((each) => each !== 0n)),
    [all],
  );
  const searchStates = 1 + kinds.length;

  /** The characters that a path may read next, after one of `before`; 0 characters before the beginning. */
  function allowed(way: Way, before: bigint): bigint {
    let set = way.to === 'matched' ? all : bitsOf(way.to.set);
    for (const assertion of way.assertions) {
      const afterWord = (before & word) !== 0n;
      const afterOther = before === 0n || (before & ~word) !== 0n;
      if (typeof assertion === 'object') {
        const looked = bitsOf(assertion.set);
        const matching = assertion.negate ? all & ~looked : looked;
        if (assertion.look === 'ahead') set &= matching;
        else if (before === 0n ? !assertion.negate : (before & matching) === 0n) return 0n;
      }
      if (assertion === 'start' && before !== 0n) return 0n;
      if (assertion === 'line-start' && before !== 0n && (before & ends) === 0n) return 0n;
      if (assertion === 'end') return 0n;
      if (assertion === 'line-end') set &= ends;
      if (assertion === 'boundary') set &= (afterWord ? all & ~word : 0n) | (afterOther ? word : 0n);
      if (assertion === 'no-boundary') set &= (afterWord ? word : 0n) | (afterOther ? all & ~word : 0n);
    }
    return set;
  }
  function edgesOf(ways: readonly Way[], before: bigint): Edge[] {
    const found: Edge[] = [];
    for (const way of ways) {
      const set = way.to === 'matched' ? 0n : allowed(way, before);
      if (way.to === 'matched' || set === 0n) continue;
      const to = way.to.state + searchStates;
      const same = found.find((edge) => edge.to === to && edge.set === set);
      if (same) same.times += 1;
      else found.push({ to, set, times: 1 });
    }
    return found;
  }

  const searching: Edge[] = flags.includes('y')
    ? []
    : kinds.map((set, index) => ({ to: index + 1, set, times: 1 }));
  const edges: Edge[][] = [0n, ...kinds].map((before) => [...searching, ...edgesOf(begin, before)]);
  const restarts: Edge[][] = edges.map(() => []);
  for (const [index, at] of reads.entries()) {
    const bits = bitsOf(at.set);
    edges.push(edgesOf(ways[index] ?? [], bits));
    restarts.push(/[gy]/.test(flags) ? [...searching, ...edgesOf(begin, bits)] : []);
  }
  // States from which some path matches whatever follows: at once, or by reading to the end. Others are removed until none is
  // left.
  const matches = (list: readonly Way[], ...assertion: readonly Assertion[]) =>
    list.some((way) => way.to === 'matched' && way.assertions.every((each) => assertion.includes(each)));
  const allWays = [...edges.slice(0, searchStates).map(() => begin), ...ways];
  const accepting = new Set(
    allWays.flatMap((own, state) => (matches(own, 'end', 'line-end') ? [state] : [])),
  );
  const matchesAlways = (state: number): boolean => {
    const own = allWays[state] ?? [];
    if (matches(own)) return true;
    let covered = matches(own, 'line-end') ? ends : 0n;
    for (const { to, set } of edges[state] ?? []) if (accepting.has(to)) covered |= set;
    return covered === all;
  };
  for (let before = -1; before !== accepting.size; ) {
    before = accepting.size;
    for (const state of accepting) if (!matchesAlways(state)) accepting.delete(state);
  }
  return { edges, accepting, restarts };
}
