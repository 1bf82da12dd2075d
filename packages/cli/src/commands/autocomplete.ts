// envsnap autocomplete

import { string } from '@oclif/core/args';
import { BaseCommand } from '../base-command.ts';
import { missingFlag } from '../errors/cli-error.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
type Shell = (typeof shells)[number];

export default class Autocomplete extends BaseCommand {
  static override summary = 'Print the completion script for a shell.';
  static override description = 'The examples show where it goes for each shell.';
  static override examples = [
    ['Bash: add this to ~/.bashrc.', 'eval "$(envsnap autocomplete bash)"'],
    ['Zsh: add this to ~/.zshrc, after compinit.', 'eval "$(envsnap autocomplete zsh)"'],
    ['Fish: run this once.', 'envsnap autocomplete fish > ~/.config/fish/completions/envsnap.fish'],
    [
      'PowerShell: add this to the file $PROFILE.',
      'envsnap autocomplete powershell | Out-String | Invoke-Expression',
    ],
  ].map(([description = '', command = '']) => ({ description, command }));
  static override args = {
    shell: string({
      options: [...shells],
      description: 'Shell; by default the one in $SHELL, or PowerShell on Windows.',
    }),
  };

  override async run(): Promise<{ shell: string; script: string }> {
    const { args } = await this.parse(Autocomplete);
    const own =
      process.env.SHELL?.split('/').at(-1) ?? (process.platform === 'win32' ? 'powershell' : undefined);
    const asked = args.shell ?? own;
    const shell = shells.find((known) => known === asked);
    if (!shell) throw missingFlag('SHELL', `name one of ${shells.join(', ')}`);
    const script = scripts[shell];
    this.printAsIs(script);
    return { shell, script };
  }
}

// Bash breaks words at `=` and `:` and replaces only the part after them, so the script reads the whole line. Bash and PowerShell
// insert a candidate unquoted, so the name of a machine or a run must not act as a command there. If file names are candidates
// too, readline would quote them a second time. Inside an open quote, it accepts a word only unchanged.
const bash = `# bash completion of envsnap
_envsnap() {
  local line="\${COMP_LINE:0:COMP_POINT}" current="\${COMP_WORDS[COMP_CWORD]}" typed prefix candidate quoted=
  local -a words
  read -ra words <<<"$line"
  case "$line" in *[[:space:]]) words+=('') ;; esac
  typed="\${words[\${#words[@]}-1]}"
  case "$current" in = | :) current='' ;; esac
  prefix="\${typed%"$current"}"
  COMPREPLY=()
  while IFS= read -r candidate; do
    if [ "$candidate" = ':paths' ]; then
      [ -n "$quoted" ] || compopt -o filenames 2>/dev/null
      while IFS= read -r candidate; do
        [ -z "$quoted" ] || printf -v candidate %q "$candidate"
        COMPREPLY+=("$candidate")
      done < <(compgen -f -- "$current")
    else
      candidate="\${candidate%%$'\\t'*}"
      candidate="\${candidate#"$prefix"}"
      case "$typed" in
        [\\'\\"]*) case "$candidate" in *[\\'\\"\\\`\\$\\\\!]*) continue ;; esac ;;
        *) case "$candidate" in *[!A-Za-z0-9_./:@%+=,-]*) printf -v candidate %q "$candidate"; quoted=1 ;; esac ;;
      esac
      COMPREPLY+=("$candidate")
    fi
  done < <("\${words[0]}" complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _envsnap envsnap
`;

const zsh = `#compdef envsnap
# zsh completion of envsnap
_envsnap() {
  local candidate text files=''
  local -a candidates
  for candidate in "\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $candidate == ':paths' ]]; then files=1
    elif [[ -n $candidate ]]; then
      text="\${candidate%%$'\\t'*}"
      candidates+=("\${text//:/\\\\:}:\${\${candidate#$text}#$'\\t'}")
    fi
  done
  (( $#candidates )) && _describe 'envsnap' candidates
  [[ -n $files ]] && _files
}
compdef _envsnap envsnap
`;

const fish = `# fish completion of envsnap
function __envsnap_complete
  set -l words (commandline -opc) (commandline -ct)
  for candidate in ($words[1] complete -- $words[2..-1] 2>/dev/null)
    if test "$candidate" = ':paths'
      __fish_complete_path (commandline -ct)
    else
      echo $candidate
    end
  end
end
complete -c envsnap -f -a '(__envsnap_complete)'
`;

// PowerShell drops an empty argument, so a word before `--` replaces it. Quoted, `--` survives npm's script.
const powershell = `# PowerShell completion of envsnap
Register-ArgumentCompleter -Native -CommandName envsnap -ScriptBlock {
  param($typed, $line, $cursor)
  $words = @($line.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor } | ForEach-Object { "$_" })
  $own = @(if ("$typed" -eq '') { 'new-word' })
  $rest = @($words | Select-Object -Skip 1)
  & $words[0] complete @own '--' @rest 2>$null | ForEach-Object {
    if ($_ -eq ':paths') {
      [System.Management.Automation.CompletionCompleters]::CompleteFilename("$typed")
    } else {
      $text, $about = $_ -split "\`t", 2
      if (-not $about) { $about = $text }
      $word = $text
      if ($text -cnotmatch '^[A-Za-z0-9_./:%+=,-]+$') {
        $word = "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($text) + "'"
      }
      [System.Management.Automation.CompletionResult]::new($word, $text, 'ParameterValue', $about)
    }
  }
}
`;

const scripts: Record<Shell, string> = { bash, zsh, fish, powershell };
