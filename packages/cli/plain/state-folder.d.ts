/** `$XDG_STATE_HOME/envsnap`, by default `~/.local/state/envsnap` (`%LOCALAPPDATA%\envsnap\state` on Windows). */
export declare function stateFolder(env?: NodeJS.ProcessEnv): string;
