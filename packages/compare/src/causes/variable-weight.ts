// How likely a difference in a variable explains a failure, judged by its name alone.

/** Variables that describe a person, a terminal or a desktop session and differ between any two machines. */
const personal = new RegExp(
  `^(${[
    'USER|USERNAME|LOGNAME|HOME|HOSTNAME|HOST|NAME|UID|EUID|GROUPS|MAIL|SHELL|TERM|COLORTERM|EDITOR|VISUAL|PAGER|LESS',
    'LS_COLORS|LSCOLORS|CLICOLOR|PS1|PS2|PROMPT|PROMPT_COMMAND|HIST.*|DISPLAY|WAYLAND_DISPLAY|WINDOWID|COLUMNS|LINES',
    'XDG_.*|DBUS_.*|GNOME_.*|KDE_.*|QT_.*|GTK_.*|DESKTOP_.*|SESSION_.*|GDM.*|TERM_.*|ITERM_.*|KITTY_.*|TMUX.*|STY',
    'VSCODE_.*|SSH_.*|GPG_.*|SUDO_.*|INVOCATION_ID|JOURNAL_STREAM|MEMORY_PRESSURE_.*|LC_TERMINAL.*|__CF.*|COMMAND_MODE',
    'APPDATA|LOCALAPPDATA|USERPROFILE|HOMEDRIVE|HOMEPATH|COMPUTERNAME|USERDOMAIN.*|PUBLIC|TEMP|TMP|TMPDIR|DEBIAN_FRONTEND',
    'ZDOTDIR|FZF_.*|STARSHIP_.*|NVM_.*|VOLTA_HOME|ASDF_.*|PYENV_.*|RBENV_.*|HOMEBREW_.*|npm_config_.*|INIT_CWD',
  ].join('|')})$`,
);

/** Variables that change how a runtime, a compiler or a program behaves wherever they are set. */
const behavioural =
  /^(NODE_(ENV|OPTIONS|EXTRA_CA_CERTS|TLS_.*)|PYTHON(HOME|HASHSEED|OPTIMIZE|DONTWRITEBYTECODE|WARNINGS)|JAVA_HOME|JAVA_TOOL_OPTIONS|_?JAVA_OPTIONS|GO(FLAGS|PROXY|OS|ARCH|PRIVATE|TOOLCHAIN)|CGO_.*|RUST(FLAGS|_BACKTRACE|UP_TOOLCHAIN)|CARGO_.*|CC|CXX|CFLAGS|CXXFLAGS|CPPFLAGS|LDFLAGS|MAKEFLAGS|MALLOC_.*|LD_.*|DYLD_.*|TZ|LANG|LANGUAGE|LC_ALL|LC_CTYPE|LC_NUMERIC|CI|DEBUG|UV_THREADPOOL_SIZE|OPENSSL_CONF|SSL_CERT_(FILE|DIR)|RAILS_ENV|RACK_ENV|APP_ENV|DJANGO_SETTINGS_MODULE|FLASK_.*|VIRTUAL_ENV|CONDA_.*|(https?|no|all|ftp)_proxy)$/i;

/** True for variables that describe a person, a terminal or a desktop session. */
export function isPersonalVariable(name: string): boolean {
  return personal.test(name);
}

/** Weight from 0 (never the cause) to 100 (surely). `missing` is "in A only". */
export function variableWeight(name: string, kind: 'changed' | 'added' | 'missing'): number {
  if (isPersonalVariable(name)) return kind === 'missing' ? 4 : 3;
  if (behavioural.test(name)) return kind === 'missing' ? 62 : kind === 'added' ? 68 : 72;
  // What is left is mostly the project's own: its absence where the program fails is a common cause.
  return kind === 'missing' ? 84 : kind === 'changed' ? 55 : 30;
}
