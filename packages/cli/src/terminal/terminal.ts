// The abilities of a terminal: colour and width.

// Importing node:util loads all of it, which takes 6 ms at the start.
const { styleText } = process.getBuiltinModule('node:util');

/** Colours and weights used in output, by meaning. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan' | 'magenta' | 'underline';

/** How output to a stream looks: widths, colour and whether long values may be cut. */
export interface Screen {
  /** Whether the stream is a terminal. Long values are cut only there. */
  readonly interactive: boolean;
  /** Columns of the terminal; Infinity if it is not a terminal, so that nothing is cut. */
  readonly columns: number;
  /** Lines that fit on the terminal; Infinity if it is not one. */
  readonly rows?: number;
  /** Styles text, or returns it unchanged if colour is off. */
  paint(style: Style | readonly Style[], text: string): string;
}

interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** Describes a stream. `NO_COLOR` is honoured before anything else, then `FORCE_COLOR`. */
export function screenOf(stream: OutputStream, env: NodeJS.ProcessEnv = process.env): Screen {
  const interactive = stream.isTTY === true;
  const colored = wantsColor(interactive, env);
  return {
    interactive,
    // A terminal without a size, as containers and runners open them, reports 0.
    columns: interactive ? Math.max(20, stream.columns || 80) : Number.POSITIVE_INFINITY,
    rows: (interactive && stream.rows) || Number.POSITIVE_INFINITY,
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
