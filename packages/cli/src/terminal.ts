// What a terminal can show: colour, width, and text that cannot harm it.

import { styleText } from 'node:util';

/** Colours and weights used in output, by meaning. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan' | 'magenta' | 'underline';

/** How output to a stream looks: widths, colour and whether long values may be cut. */
export interface Screen {
  /** Whether the stream is a terminal: only there are long values cut. */
  readonly interactive: boolean;
  /** Columns of the terminal; Infinity when it is none, so that nothing is cut. */
  readonly columns: number;
  /** Styles text, or returns it as it is when colour is off. */
  paint(style: Style | readonly Style[], text: string): string;
}

interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Describes a stream. `NO_COLOR` is honoured before anything else, then `FORCE_COLOR`. */
export function screenOf(stream: OutputStream, env: NodeJS.ProcessEnv = process.env): Screen {
  const interactive = stream.isTTY === true;
  const colored = wantsColor(interactive, env);
  return {
    interactive,
    columns: interactive ? Math.max(20, stream.columns ?? 80) : Number.POSITIVE_INFINITY,
    paint: (style, text) =>
      colored && text !== ''
        ? styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false })
        : text,
  };
}

function wantsColor(interactive: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false;
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (env.TERM === 'dumb') return false;
  return interactive;
}

// Control characters, and the marks that reorder or hide text in a terminal (bidirectional controls, zero-width).
const unsafe =
  /[\p{Cc}\u{2028}\u{2029}\u{061c}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}]|\p{Cs}/gu;

/**
 * Data made harmless for a terminal: control characters, escape sequences, line breaks and marks that reorder text
 * become visible escapes such as `\x1b` or `\u202e`.
 */
export function visible(text: string): string {
  return text.replace(unsafe, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    if (character === '\r') return '\\r';
    const code = character.charCodeAt(0);
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** Data as one word of a command line that a person may copy into a shell: quoted where it needs to be. */
export function shellWord(text: string): string {
  const shown = visible(text);
  return /^[\w./:@%+=,~-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}

/** A JSON document that is harmless on a terminal too: the control characters that JSON leaves bare are escaped. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return text.replace(
    /[\u{7f}-\u{9f}\u{2028}\u{2029}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
