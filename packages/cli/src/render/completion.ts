// Completion scripts for bash, zsh and fish. Everything is in the script: completing starts no process.

import type { CompletedCommand, CompletedFlag } from './completion-model.ts';

/** Shells that can be completed in. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The script for a shell. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  if (shell === 'fish') return fishScript(commands);
  return shell === 'bash' ? bashScript(commands) : zshScript(commands);
}

function flagWords(flags: readonly CompletedFlag[]): string[] {
  return flags.flatMap((flag) => (flag.char ? [`--${flag.name}`, `-${flag.char}`] : [`--${flag.name}`]));
}

/** Finds the command that is being typed: the longest run of words that is one. Bash and zsh share it. */
function caseOfCommands(
  commands: readonly CompletedCommand[],
  line: (command: CompletedCommand) => string,
): string {
  return commands.map((command) => `    '${command.words}') ${line(command)} ;;`).join('\n');
}

function valueCases(commands: readonly CompletedCommand[]): string[] {
  const cases = new Map<string, string>();
  for (const { flags } of commands) {
    for (const flag of flags) {
      if (flag.takesValue) cases.set(`--${flag.name}`, flag.values.join(' '));
      if (flag.takesValue && flag.char) cases.set(`-${flag.char}`, flag.values.join(' '));
    }
  }
  return [...cases].map(([flag, values]) => `    ${flag}) values='${values}'; takes_value=1 ;;`);
}

function bashScript(commands: readonly CompletedCommand[]): string {
  return `# bash completion of envsnap
_envsnap() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local words='' word candidate next values='' takes_value='' index
  case "$previous" in
${valueCases(commands).join('\n')}
  esac
  if [ -n "$takes_value" ]; then
    if [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$current"))
    else COMPREPLY=($(compgen -f -- "$current")); fi
    return
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$word" in -*) continue ;; esac
    candidate="\${words:+$words }$word"
    case "$candidate" in
${commands
  .filter((command) => command.words !== '')
  .map((command) => `      '${command.words}') words="$candidate" ;;`)
  .join('\n')}
      *) break ;;
    esac
  done
  case "$words" in
${caseOfCommands(commands, (command) => {
  const children = [...command.children.map((child) => child.word), ...command.values].join(' ');
  return `next='${children}'; values='${[...flagWords(command.flags), '--help'].join(' ')}'`;
})}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$values" -- "$current")) ;;
    *) if [ -n "$next" ]; then COMPREPLY=($(compgen -W "$next" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi ;;
  esac
}
complete -o filenames -F _envsnap envsnap
`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const describe = (word: string, summary: string) => quote(`${word}:${summary.replaceAll(':', ' ')}`);
  return `#compdef envsnap
# zsh completion of envsnap
_envsnap() {
  local command='' word candidate takes_value='' values=''
  local -a next flags
  integer index
  case "$words[CURRENT-1]" in
${valueCases(commands).join('\n')}
  esac
  if [[ -n $takes_value ]]; then
    if [[ -n $values ]]; then compadd -- \${=values}; else _files; fi
    return
  fi
  for ((index = 2; index < CURRENT; index++)); do
    word=$words[index]
    [[ $word == -* ]] && continue
    candidate="\${command:+$command }$word"
    case "$candidate" in
${commands
  .filter((command) => command.words !== '')
  .map((command) => `      '${command.words}') command="$candidate" ;;`)
  .join('\n')}
      *) break ;;
    esac
  done
  case "$command" in
${caseOfCommands(commands, (command) => {
  const next = [
    ...command.children.map((child) => describe(child.word, child.summary)),
    ...command.values.map((value) => describe(value, '')),
  ].join(' ');
  const flags = command.flags.map((flag) => describe(`--${flag.name}`, flag.summary)).join(' ');
  return `next=(${next}); flags=(${flags} '--help:Show help.')`;
})}
  esac
  if [[ $words[CURRENT] == -* ]]; then _describe 'flag' flags
  elif (( $#next )); then _describe 'command' next
  else _files; fi
}
compdef _envsnap envsnap
`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = ['# fish completion of envsnap', 'complete -c envsnap -f'];
  for (const command of commands) {
    const typed = command.words === '' ? '__fish_is_first_token' : condition(command.words.split(' '));
    for (const child of command.children) {
      const untyped =
        command.words === ''
          ? typed
          : `${typed}; and not __fish_seen_subcommand_from ${command.children.map(({ word }) => word).join(' ')}`;
      lines.push(`complete -c envsnap -n ${quote(untyped)} -a ${child.word} -d ${quote(child.summary)}`);
    }
    if (command.values.length > 0)
      lines.push(`complete -c envsnap -n ${quote(typed)} -a ${quote(command.values.join(' '))}`);
    for (const flag of command.flags) {
      const short = flag.char ? ` -s ${flag.char}` : '';
      const value = !flag.takesValue
        ? ''
        : flag.values.length > 0
          ? ` -x -a ${quote(flag.values.join(' '))}`
          : ' -r -F';
      lines.push(
        `complete -c envsnap -n ${quote(typed)} -l ${flag.name}${short}${value} -d ${quote(flag.summary)}`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

function condition(words: readonly string[]): string {
  return words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "'\\''")}'`;
}
