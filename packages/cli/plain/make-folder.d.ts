/** Makes a folder that only the user may open, with those above it. */
export declare function makeFolder(folder: string): void;
