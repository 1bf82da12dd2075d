// The one list of variables that differ by nature: sessions, windows, sockets, processes, users, runs of CI.

import { nameMatcher } from './name-pattern.ts';

const namesByReason: Readonly<Record<string, readonly string[]>> = {
  'belongs to the shell that started the capture': [
    ...['PWD', 'OLDPWD', 'SHLVL', '_', 'PS1', 'PS2', 'PS4', 'PROMPT', 'PROMPT_COMMAND', 'COLUMNS', 'LINES'],
    ...['HISTCMD', 'RANDOM', 'SECONDS', 'EPOCHSECONDS', 'EPOCHREALTIME', 'BASHPID', 'PPID', 'SRANDOM'],
    ...['STARSHIP_SESSION_KEY', 'STARSHIP_SHELL', 'ATUIN_SESSION', 'ATUIN_HISTORY_ID', 'MCFLY_SESSION_ID'],
    ...['P9K_*', '_P9K_*', 'POWERLEVEL9K_*', 'DIRENV_DIFF', 'DIRENV_DIR', 'DIRENV_FILE', 'DIRENV_WATCHES'],
    ...['__MISE_*', 'MISE_SHELL', 'FNM_MULTISHELL_PATH', '__zsh_*', '__fish_*', '!*', '=*'],
  ],
  'belongs to a terminal or login session': [
    ...['TERM', 'COLORTERM', 'TERM_PROGRAM', 'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE'],
    ...['TERM_SESSION_ID', 'SSH_*', 'WINDOWID', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'ICEAUTHORITY'],
    ...['XDG_SESSION_*', 'XDG_RUNTIME_DIR', 'XDG_VTNR', 'XDG_SEAT', 'XDG_SEAT_PATH', 'DESKTOP_STARTUP_ID'],
    ...['SESSION_MANAGER', 'DBUS_SESSION_BUS_*', 'DBUS_STARTER_*', 'AT_SPI_BUS_ADDRESS', 'GPG_AGENT_INFO'],
    ...['GPG_TTY', 'GNOME_KEYRING_*', 'GNOME_TERMINAL_*', 'GNOME_SETUP_DISPLAY', 'ITERM_SESSION_ID'],
    ...['ITERM_PROFILE', 'KITTY_PID', 'KITTY_WINDOW_ID', 'KITTY_PUBLIC_KEY', 'KITTY_LISTEN_ON'],
    ...[
      'ALACRITTY_*',
      'WEZTERM_PANE',
      'WEZTERM_UNIX_SOCKET',
      'GHOSTTY_SURFACE_ID',
      'KONSOLE_*',
      'VTE_VERSION',
    ],
    ...['WT_SESSION', 'WT_PROFILE_ID', 'TMUX', 'TMUX_PANE', 'STY', 'WINDOW', 'ZELLIJ', 'ZELLIJ_*', 'SUDO_*'],
    ...[
      'SECURITYSESSIONID',
      'Apple_PubSub_Socket_Render',
      'LaunchInstanceID',
      'XPC_*',
      'TERM_PROGRAM_VERSION',
    ],
    ...['__CF_USER_TEXT_ENCODING', '__CFBundleIdentifier', 'SESSIONNAME', 'CLIENTNAME', 'LOGONSERVER'],
    ...['VSCODE_*', 'TERMINAL_EMULATOR', 'JEDITERM_*', 'INVOCATION_ID', 'JOURNAL_STREAM', 'SYSTEMD_EXEC_PID'],
    ...['MANAGERPID', 'MANAGERPIDFDID', 'NOTIFY_SOCKET', 'LISTEN_PID', 'LISTEN_FDS', 'WATCHDOG_*'],
    ...['WSL_INTEROP', 'WINDOWS_TRACING_*', 'MEMORY_PRESSURE_*', 'CREDENTIALS_DIRECTORY'],
  ],
  'names the user or the machine': [
    ...['USER', 'LOGNAME', 'USERNAME', 'USERDOMAIN', 'USERDOMAIN_ROAMINGPROFILE', 'MAIL', 'HOST', 'HOSTNAME'],
    ...['COMPUTERNAME', 'HOMEPATH', 'UID', 'EUID', 'GID'],
  ],
  'set by the package runner or process that started the capture': [
    ...['npm_lifecycle_*', 'npm_package_*', 'npm_execpath', 'npm_node_execpath', 'npm_command', 'INIT_CWD'],
    ...['npm_config_user_agent', 'npm_config_local_prefix', 'npm_config_global_prefix', 'npm_config_prefix'],
    ...['npm_config_userconfig', 'npm_config_globalconfig', 'npm_config_noproxy', 'npm_config_node_gyp'],
    ...['npm_config_init_module', 'npm_config_npm_version', 'npm_config_verify_deps_before_run'],
    ...['npm_config__jsr_registry', 'npm_config_frozen_lockfile', 'pnpm_config_verify_deps_before_run'],
    ...['npm_config_cache', 'PNPM_SCRIPT_SRC_DIR', 'PNPM_PACKAGE_NAME', 'BERRY_BIN_FOLDER', 'PROJECT_CWD'],
    ...['YARN_WRAP_OUTPUT', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_UNIQUE_ID'],
    ...['MAKEFLAGS', 'MAKELEVEL', 'MFLAGS', 'MAKE_TERMERR', 'MAKE_TERMOUT', 'VITEST*', 'JEST_WORKER_ID'],
  ],
  'setting of envsnap itself': [
    ...['ENVSNAP_API_KEY', 'ENVSNAP_BASE_URL', 'ENVSNAP_PROFILE', 'ENVSNAP_FINGERPRINT_KEY'],
  ],
  'belongs to one run of a CI job': [
    ...['GITHUB_RUN_*', 'GITHUB_SHA', 'GITHUB_REF*', 'GITHUB_HEAD_REF', 'GITHUB_BASE_REF', 'GITHUB_ENV'],
    ...[
      'GITHUB_PATH',
      'GITHUB_OUTPUT',
      'GITHUB_STATE',
      'GITHUB_STEP_SUMMARY',
      'GITHUB_ACTION',
      'GITHUB_ACTOR*',
    ],
    ...['GITHUB_ACTION_*', 'GITHUB_EVENT_*', 'GITHUB_TRIGGERING_ACTOR', 'GITHUB_WORKFLOW_*', 'RUNNER_NAME'],
    ...[
      'RUNNER_TRACKING_ID',
      'RUNNER_TEMP',
      'ACTIONS_*',
      'STATE_*',
      'CI_JOB_*',
      'CI_PIPELINE_*',
      'CI_COMMIT_*',
    ],
    ...['CI_RUNNER_*', 'CI_CONCURRENT_*', 'CI_BUILD_*', 'GITLAB_USER_*', 'CIRCLE_BUILD_*', 'CIRCLE_SHA1'],
    ...[
      'CIRCLE_WORKFLOW_*',
      'CIRCLE_PREVIOUS_BUILD_NUM',
      'CIRCLE_NODE_INDEX',
      'TRAVIS_BUILD_*',
      'TRAVIS_JOB_*',
    ],
    ...['TRAVIS_COMMIT*', 'BUILD_ID', 'BUILD_NUMBER', 'BUILD_TAG', 'BUILD_URL', 'BUILD_DISPLAY_NAME'],
    ...['BUILD_BUILD*', 'BUILD_SOURCEVERSION*', 'EXECUTOR_NUMBER', 'RUN_DISPLAY_URL', 'SYSTEM_TIMELINEID'],
    ...['SYSTEM_JOBID', 'SYSTEM_PLANID', 'AGENT_ID', 'AGENT_NAME', 'AGENT_MACHINENAME', 'BUILDKITE_BUILD_*'],
    ...['BUILDKITE_JOB_*', 'BUILDKITE_COMMIT', 'BUILDKITE_AGENT_*', 'BUILDKITE_STEP_*', 'BITBUCKET_BUILD_*'],
    ...[
      'BITBUCKET_COMMIT',
      'BITBUCKET_PIPELINE_*',
      'BITBUCKET_STEP_*',
      'CODEBUILD_BUILD_*',
      'CODEBUILD_LOG_*',
    ],
    ...[
      'CODEBUILD_START_TIME',
      'CODEBUILD_RESOLVED_*',
      'APPVEYOR_BUILD_*',
      'APPVEYOR_JOB_*',
      'DRONE_BUILD_*',
    ],
    ...['DRONE_COMMIT*', 'DRONE_STAGE_*', 'VERCEL_GIT_COMMIT_*', 'VERCEL_DEPLOYMENT_ID', 'DEPLOY_ID'],
  ],
};

/** Set by npm, pnpm and Yarn for their scripts; without them these are the user's own. */
const namesOfRunner = ['npm_config_*', 'pnpm_config_*', 'COLOR', 'NODE', 'EDITOR'];

/**
 * Why a variable is left out of a capture by default, or undefined. Names on Windows match in any case. With
 * `byPackageRunner` what the runner sets goes too, so that a capture by way of npx equals one without.
 */
export function createAmbientCheck(
  onWindows: boolean,
  byPackageRunner: boolean,
): (name: string) => string | undefined {
  const reasons = byPackageRunner
    ? { ...namesByReason, 'set by the package runner': namesOfRunner }
    : namesByReason;
  const checks = Object.entries(reasons).map(
    ([reason, patterns]) => [reason, nameMatcher(patterns, onWindows)] as const,
  );
  return (name) => checks.find(([, matches]) => matches(name))?.[0];
}
