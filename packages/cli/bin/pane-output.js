// Reads a failed command's output from its tmux pane, so that the command keeps its terminal and notices nothing.

const { execFile } = process.getBuiltinModule('node:child_process');

/** Longest wait for tmux or ps, in milliseconds. */
const answerMs = 2000;
/** Most bytes of a pane that are read. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Remembers the current position in the pane, if this process is in one, before the command starts to write. Returns a function
 * that reads the output since then; undefined if it cannot be read.
 */
export async function watchPane() {
  const { TMUX, TMUX_PANE } = process.env;
  if (!TMUX || !TMUX_PANE) return async () => undefined;
  const position = '#{history_size} #{cursor_y} #{pane_tty}';
  const look = () => run('tmux', ['display-message', '-p', '-t', TMUX_PANE, position]);
  const start = await look();
  return async () => {
    const [end, tty] = await Promise.all([look(), run('ps', ['-o', 'tty=', '-p', `${process.pid}`])]);
    const [history, row, place] = start?.trim().split(' ') ?? [];
    // The variables stay set in terminals that a program in the pane has opened.
    if (!place || !tty?.trim() || place !== `/dev/${tty.trim()}`) return undefined;
    const scrolled = Number(end?.split(' ')[0]) - Number(history);
    const from = `${Number(row) - scrolled}`;
    return run('tmux', ['capture-pane', '-p', '-J', '-t', TMUX_PANE, '-S', from]);
  };
}

/** @param {string} program @param {readonly string[]} args @returns {Promise<string | undefined>} */
function run(program, args) {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: answerMs, maxBuffer: mostBytes }, (error, stdout) => {
      resolve(error ? undefined : stdout);
    });
  });
}
