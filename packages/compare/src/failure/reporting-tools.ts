// Recognises the tool that wrote a line of output: a language by its stack trace, a tool by its format. Such a tool
// counts even if the project does not mention it.

const reportingTools: readonly (readonly [form: RegExp, tools: readonly string[]])[] = [
  [/\(node:[a-z_/]{2,40}:\d|\bnode:internal\/|\binternal\/modules\/|\.[cm]?[jt]sx?:\d+:\d+\)?$/, ['node']],
  [/^\s*npm (?:err!|error)\b/i, ['npm', 'node']],
  [/^Traceback \(most recent call last\)|^\s*File "[^"]{1,200}\.py", line \d/, ['python']],
  [
    /^\s*at (?:java\.base\/)?(?:java|javax|jdk|org|com|sun)\.[\w.$]{3,120}\(|^Exception in thread "|\bjava\.lang\.\w/,
    ['java'],
  ],
  [/\.rb:\d{1,6}:in ['`]/, ['ruby']],
  [/^PHP (?:Fatal|Parse|Warning|Deprecated)|\.php(?::| on line )\d/, ['php']],
  [/^goroutine \d|^\s*--- FAIL: |\.go:\d{1,6}:\d|^go: /, ['go']],
  [
    /^error(?:\[E\d{4}\])?: .{0,200}\bcargo\b|^\s*--> [\w./-]{1,200}\.rs:\d|panicked at |^test result: |Cargo\.toml/,
    ['rustc', 'cargo'],
  ],
  [/^\s*at System\.|\berror (?:CS|MSB|NETSDK|NU)\d{4}\b|^Unhandled exception\. System\./, ['dotnet']],
  [
    /^usage: git |^git: |^\s*fatal: (?!error\b)|^hint: |\bgit (?:version|clone|fetch|init|commit|blame|config) /,
    ['git'],
  ],
  [/\btestcontainers\b|Dockerfile:\d|^Step \d+\/\d+ :|\bdaemon: /, ['docker']],
  [/^> Task :|Execution failed for task|^\* What went wrong/, ['gradle', 'java']],
  [/^\[(?:ERROR|INFO|WARNING)\] |\bmaven-[\w-]{2,40}-plugin/, ['maven', 'java']],
  [/subprocess-exited-with-error|No matching distribution found/, ['pip', 'python']],
  [/ERR_PNPM_/, ['pnpm']],
  [/\bYN\d{4}\b|^Usage Error: |^error .{0,200}\byarn\b/, ['yarn']],
  [/\bYour bundle\b|\bGemfile\b/, ['bundler', 'ruby']],
  [/^\w{0,10}make(?:\[\d+\])?: /, ['make']],
  [
    /\.(?:c|cc|cpp|cxx|h|hpp):\d+(?::\d+)?: |undefined reference to|^collect2: |^cc1/,
    ['gcc', 'g++', 'clang'],
  ],
  [/^\*\* \(\w{2,60}\) |\((?:elixir|mix|ex_unit)(?: [\d.]{1,20})?\) lib\//, ['elixir', 'erlang']],
  [
    /^Error in .{1,200} :\s*$|^Error.{0,200} could not find function "|^Execution halted|^\s*ERROR: .{1,80} for package ['‘]/,
    ['r'],
  ],
  [/^ERROR: (?:LoadError|UndefVarError|MethodError): |^\s*@ (?:Base|Core|Main|Pkg)\b|\.jl:\d/, ['julia']],
  [/\.swift:\d{1,6}:\d{1,6}: error|^\*\* (?:BUILD|TEST|ARCHIVE) FAILED \*\*/, ['swift', 'xcodebuild']],
  [/ at \S{1,200}\.(?:pl|pm|t) line \d{1,6}\.?$|^BEGIN failed--/, ['perl']],
  [/\.dart:\d{1,6}:\d|\bpub (?:get|upgrade) failed/, ['dart', 'flutter']],
  [/^\S{1,200}\.[fF](?:77|90|95|03|08)?:\d{1,6}:\d{1,6}:/, ['gfortran']],
  [/^\S{1,200}\.hs:\d{1,6}:\d{1,6}:/, ['ghc', 'cabal', 'stack']],
  [/^File "[^"]{1,200}\.mli?", line \d|^Error: Unbound \w/, ['ocaml', 'dune', 'opam']],
  [/\.scala:\d{1,6}:|^\[error\] .{0,200}\.scala\b/, ['scala', 'sbt', 'java']],
  [/\.clj[cs]?:\d{1,6}:\d|\bclojure\.lang\./, ['clojure', 'leiningen', 'java']],
  [/\.zig:\d{1,6}:\d/, ['zig']],
  [/\.nim\(\d{1,6}, \d/, ['nim']],
  [/\.cr:\d{1,6}:\d/, ['crystal']],
  [/\.[eh]rl:\d{1,6}:/, ['erlang']],
  [/^lua\w{0,6}: |\.lua:\d{1,6}:/, ['lua', 'luajit']],
  [/\.nix:\d{1,6}:\d|\bimplementation of Nix\b/, ['nix']],
  [/^nvcc (?:fatal|error)|\.cu\(\d{1,6}\): error/, ['nvcc']],
  [/^\s*on \S{1,200}\.tf line \d/, ['terraform', 'tofu']],
  [/^e: (?:file:)?\S{1,200}\.kts?\b/, ['kotlin', 'gradle']],
  [/\bSC\d{4}\b/, ['shellcheck']],
  [/\bsession not created\b/, ['chromedriver', 'chrome']],
  [/^\s*Container [\w.-]{1,60}\s{2,}\w|docker-compose\b/, ['docker-compose', 'docker']],
];

export function toolsThatReport(line: string): readonly string[] {
  return reportingTools.flatMap(([form, tools]) => (form.test(line) ? tools : []));
}

export const lacksLibrary =
  /\.so(?:\.\d+)*\b|\.dylib\b|\.(?:h|hpp)\b.{0,20}no such file|\bcannot find -l|\bpkg-config\b|\.pc\b|shared librar|librar(?:y|ies) not found|dllnotfound/i;
