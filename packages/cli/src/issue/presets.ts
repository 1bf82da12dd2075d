// What maintainers of an ecosystem ask for in a bug report: the runtimes and tools, the first ones first.

/** By the name of a preset. */
const issuePresets = {
  node: ['node', 'npm', 'pnpm', 'yarn', 'bun', 'deno', 'git'],
  python: ['python', 'pip', 'uv', 'poetry', 'pipenv', 'conda', 'gcc', 'git'],
  rust: ['rustc', 'cargo', 'rustup', 'gcc', 'clang', 'cmake', 'git'],
  go: ['go', 'gcc', 'git'],
  java: ['java', 'maven', 'gradle', 'kotlin', 'scala', 'git'],
  ruby: ['ruby', 'bundler', 'gem', 'gcc', 'git'],
  php: ['php', 'composer', 'git'],
  dotnet: ['dotnet', 'git'],
  c: ['gcc', 'g++', 'clang', 'cmake', 'make', 'ninja', 'git'],
} as const;

export type IssuePreset = keyof typeof issuePresets;
export const issuePresetNames = Object.keys(issuePresets) as IssuePreset[];

/** The tools of a project where nobody names a preset: those that it uses, else all that are there. */
export function toolsOf(preset: IssuePreset | undefined, projectTools: readonly string[]): readonly string[] {
  if (preset !== undefined) return issuePresets[preset];
  const named = issuePresetNames.filter((name) => projectTools.includes(issuePresets[name][0]));
  const tools = named.flatMap((name) => [...issuePresets[name]]);
  return [...new Set(tools.length > 0 ? tools : [...projectTools, 'git'])];
}
