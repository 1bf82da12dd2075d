// Positions of keys and list items in a YAML text, for messages that name a line.

import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from 'js-yaml';

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export type PositionFinder = (path: readonly PropertyKey[]) => TextPosition;

export function yamlPositions(source: string): PositionFinder {
  const starts = collectStarts(source, parseEvents(source, {}));
  const positionAt = positionFinder(source);
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const start = starts.get(pathKey(path.slice(0, length)));
      if (start !== undefined) return positionAt(start);
    }
    return positionAt(0);
  };
}

function pathKey(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}

interface Frame {
  readonly path: readonly string[];
  key: string | null | undefined;
  index: number;
}

function collectStarts(source: string, events: readonly Event[]): Map<string, number> {
  const starts = new Map<string, number>();
  const frames: Frame[] = [];
  const pathOfValue = (frame: Frame | undefined): readonly string[] => {
    if (!frame) return [];
    if (frame.key === null) return [...frame.path, String(frame.index++)];
    const path = [...frame.path, frame.key ?? ''];
    frame.key = undefined;
    return path;
  };
  for (const event of events) {
    const frame = frames.at(-1);
    if (event.type === EVENT_ID.DOCUMENT) {
      if (starts.size > 0) break;
      continue;
    }
    if (event.type === EVENT_ID.POP) {
      frames.pop();
      continue;
    }
    const isKey = frame?.key === undefined && frame !== undefined;
    if (isKey) {
      // A key that is not a scalar never passes the schema; its placeholder keeps keys and values aligned.
      frame.key = event.type === EVENT_ID.SCALAR ? String(getScalarValue(source, event)) : '';
      if (event.type === EVENT_ID.SCALAR) {
        starts.set(pathKey([...frame.path, frame.key]), event.valueStart - quoteWidth(event.style));
        continue;
      }
    }
    const path = isKey ? [...frame.path, ''] : pathOfValue(frame);
    const start = startOf(event);
    if (frame?.key === null && start >= 0) starts.set(pathKey(path), start);
    if (event.type === EVENT_ID.MAPPING) frames.push({ path, key: undefined, index: 0 });
    else if (event.type === EVENT_ID.SEQUENCE) frames.push({ path, key: null, index: 0 });
  }
  return starts;
}

function startOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart - quoteWidth(event.style);
  if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) return event.start;
  return -1;
}

function quoteWidth(style: number): number {
  return style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED ? 1 : 0;
}

/** Line and column of an offset. Line starts are computed once, because a policy may have tens of thousands of lines. */
function positionFinder(source: string): (offset: number) => TextPosition {
  const lineStarts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, lineStarts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((lineStarts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (lineStarts[low] as number) + 1 };
  };
}
