/** `$XDG_STATE_HOME/envsnap`, by default `~/.local/state/envsnap` (`%LOCALAPPDATA%\envsnap\state` on Windows). */
export declare function stateFolder(env?: NodeJS.ProcessEnv): string;

/** Holds one file for each recording that goes on after its run, named by the process that makes it. */
export declare function pendingFolder(env?: NodeJS.ProcessEnv): string;
