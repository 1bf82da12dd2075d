/** `$XDG_CACHE_HOME/envsnap`, by default `~/.cache/envsnap` (`%LOCALAPPDATA%` on Windows). Safe to delete. */
export declare function cacheFolder(env?: NodeJS.ProcessEnv): string;
export declare function homeFolder(): string;
