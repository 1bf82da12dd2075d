// Variables of people, their shells, terminals, editors, desktops and version managers: never a project's.

import { documented, group, type VariableGroup } from './variable-class.ts';

export const personAndMachine: readonly VariableGroup[] = [
  // Whoever the provider is: these hold a person's name or address.
  ...documented('people', 'https://wiki.debian.org/Packaging/Intro', '', [
    group('identity')`DEBEMAIL DEBFULLNAME FULLNAME FULL_NAME HGUSER REPLYTO USER_EMAIL USER_NAME
      AUTHOR_NAME AUTHOR_EMAIL MAINTAINER_NAME MAINTAINER_EMAIL BUILD_REQUESTEDFOR* RELEASE_REQUESTEDFOR*
      RELEASE_DEPLOYMENT_REQUESTEDFOR* CHANGE_AUTHOR* BUILD_USER BUILD_USER_* CI_COMMIT_AUTHOR
      BUILDKITE_BUILD_CREATOR* BUILDKITE_BUILD_AUTHOR* DRONE_COMMIT_AUTHOR* CIRCLE_PR_USERNAME GERRIT_*_OWNER*
      GERRIT_*_UPLOADER* GERRIT_*_EMAIL GERRIT_*_NAME`,
  ]),
  ...documented('editors', 'https://code.visualstudio.com/docs/terminal/shell-integration', '', [
    group('session')`VSCODE_* CURSOR_* WINDSURF_* NVIM NVIM_LISTEN_ADDRESS INSIDE_EMACS ZED_TERM ZED_* JPY_*
      PYCHARM_HOSTED IDEA_* INTELLIJ_* JETBRAINS_* COPILOT_* CLAUDE_* CLAUDECODE CODEX_* AIDER_* GEMINI_CLI
      OPENCODE* AI_AGENT AGENT_SESSION_* BUNDLED_DEBUGPY_PATH PYDEVD_*`,
  ]),
  ...documented('containers for people', 'https://distrobox.it/usage/distrobox-enter/', '', [
    group('session')`DISTROBOX_* CONTAINER_ID TOOLBOX_PATH TOOLBX_*`,
  ]),
  ...documented('distributions', 'https://docs.gtk.org/glib/running.html', '', [
    group('desktop')`SVDIR NO_AT_BRIDGE POP_* G_BROKEN_FILENAMES G_FILENAME_ENCODING CSHEDIT MINICOM CPU`,
  ]),
  ...documented('bash', 'https://www.gnu.org/software/bash/manual/html_node/Shell-Variables.html', '', [
    group('session')`_ PWD OLDPWD SHLVL PS0 PS1 PS2 PS3 PS4 PROMPT PROMPT2 RPROMPT RPS1 PROMPT_COMMAND
      PROMPT_DIRTRIM COLUMNS LINES HISTCMD RANDOM SECONDS EPOCHSECONDS EPOCHREALTIME BASHPID PPID SRANDOM
      BASH_EXECUTION_STRING`,
    group('shell')`SHELL BASH BASH_VERSION BASH_* HISTFILE HISTSIZE HISTFILESIZE HISTCONTROL HISTIGNORE
      HISTTIMEFORMAT HIST* INPUTRC COMP_WORDBREAKS FIGNORE TMOUT MAILCHECK MAILPATH POSH_* CHEZMOI CHEZMOI_*
      DOTFILES* OSH OSH_*`,
  ]),
  ...documented('zsh', 'https://zsh.sourceforge.io/Doc/Release/Parameters.html', '', [
    group('shell')`ZDOTDIR ZSH ZSH_* SAVEHIST FPATH[] fpath PROMPT_EOL_MARK WORDCHARS KEYTIMEOUT REPORTTIME
      ZPLUG_* ZINIT* ANTIDOTE_* ANTIGEN_* ADOTDIR ZPFX ZGEN_* PURE_* GEOMETRY_*`,
    group('session')`__zsh_* P9K_* _P9K_* POWERLEVEL9K_* _P9K_TTY _p9k_* P9K_SSH
      ITERM_SHELL_INTEGRATION_INSTALLED`,
  ]),
  ...documented('fish', 'https://fishshell.com/docs/current/language.html#special-variables', '', [
    group('shell')`fish_* FISH_* OMF_* __fish_initialized`,
    group('session')`__fish_*`,
  ]),
  ...documented('prompts', 'https://starship.rs/config/', '', [
    group('session')`STARSHIP_SESSION_KEY STARSHIP_SHELL ATUIN_SESSION ATUIN_HISTORY_ID ATUIN_SHLVL
      ATUIN_STTY ATUIN_TMUX_POPUP MCFLY_SESSION_ID MCFLY_HISTORY POSH_PID POSH_SHELL POSH_SESSION_ID
      DIRENV_DIFF DIRENV_DIR DIRENV_FILE DIRENV_WATCHES DIRENV_LAYOUT AUTOJUMP_* !* =*`,
    group('shell')`STARSHIP_* MCFLY_* ATUIN_* ZOXIDE_* _ZO_* FZF_* SKIM_* BAT_* LESSOPEN LESSCLOSE
      LS_OPTIONS EZA_* EXA_* DIRCOLORS DIRENV_* VIVID_* CARAPACE_* NAVI_* FORGIT_* AUTOSSH_*`,
  ]),
  ...documented('terminals', 'https://invisible-island.net/ncurses/man/term.7.html', '', [
    group('terminal', {
      special: [
        { names: 'TERM', plain: true },
        {
          names: 'COLORTERM NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE',
          family: 'colour',
          plain: true,
          inert: true,
        },
      ],
    })`TERM_PROGRAM TERM_PROGRAM_VERSION TERMINFO TERMINFO_DIRS[] TERMCAP COLORFGBG TERM_FEATURES
      VTE_VERSION`,
    group(
      'terminal',
    )`TERM_SESSION_ID ITERM_SESSION_ID ITERM_PROFILE ITERM2_* LC_TERMINAL LC_TERMINAL_VERSION KITTY_*
      ALACRITTY_* WEZTERM_* GHOSTTY_* KONSOLE_* GNOME_TERMINAL_* TILIX_ID TERMINATOR_* FOOT_* WT_SESSION
      WT_PROFILE_ID WARP_* WARP_IS_LOCAL_SHELL_SESSION TABBY_* HYPER_* RIO_* TERMINAL_EMULATOR JEDITERM_*
      CONEMU* ConEmu* ANSICON* CMDER_* XTERM_* ROXTERM_* PTYXIS_* ZELLIJ ZELLIJ_* TMUX TMUX_PANE TMUX_* STY
      WINDOW WINDOWID BYOBU_* MC_SID MC_TMPDIR FIG_* Q_TERM Q_TERM_* Q_SHELL QTERM_* GUAKE_* TERMUX_*
      WAVETERM*`,
    group('shell')`LS_COLORS LSCOLORS EXA_COLORS EZA_COLORS GREP_COLOR GREP_COLORS GCC_COLORS JQ_COLORS LESS
      LESS_* LESSHISTFILE LESSCHARSET PAGER MANPAGER MANPATH[] INFOPATH[] MOST_* SYSTEMD_PAGER BAT_THEME
      DELTA_* MANROFFOPT TERMINAL`,
  ]),
  ...documented('freedesktop', 'https://specifications.freedesktop.org/basedir-spec/latest/', '', [
    group('session')`DISPLAY WAYLAND_DISPLAY WAYLAND_SOCKET XAUTHORITY ICEAUTHORITY XDG_SESSION_*
      XDG_RUNTIME_DIR XDG_VTNR XDG_SEAT XDG_SEAT_PATH XDG_GREETER_DATA_DIR XDG_ACTIVATION_TOKEN
      DESKTOP_STARTUP_ID SESSION_MANAGER DBUS_SESSION_BUS_* DBUS_STARTER_* AT_SPI_BUS_ADDRESS GPG_AGENT_INFO
      GPG_TTY GNOME_KEYRING_* GNOME_SETUP_DISPLAY GJS_DEBUG_* SWAYSOCK I3SOCK HYPRLAND_* NIRI_SOCKET
      IM_CONFIG_* PAM_KWALLET5_LOGIN`,
    group('desktop')`XDG_CURRENT_DESKTOP XDG_MENU_PREFIX XDG_DATA_DIRS[] XDG_CONFIG_DIRS[] XDG_*
      DESKTOP_SESSION DESKTOP_* GDMSESSION GDM_LANG GDM* GNOME_* GTK_* GTK2_* GDK_* QT_* QT_PLUGIN_PATH[]
      QT5_* QML_* KDE_* KDEDIRS KDEHOME PLASMA_* XCURSOR_* XMODIFIERS CLUTTER_* SDL_* MOZ_* BROWSER BAMF_*
      COMPIZ_* UBUNTU_* CINNAMON_* MATE_* XFCE* LXQT_* ELECTRON_OZONE_PLATFORM_HINT IBUS_* FCITX_*
      INPUT_METHOD WINDOWPATH WINEPREFIX WINE* ECORE_* ELM_* FLATPAK_* SNAP SNAP_* BAMF_DESKTOP_FILE_HINT
      GIO_LAUNCHED_DESKTOP_FILE GIO_LAUNCHED_DESKTOP_FILE_PID GIO_* VDPAU_* LIBVA_* __GLX_* __NV_* __GL_*
      MESA_* MANGOHUD* STEAM_* PULSE_* PIPEWIRE_* GSM_SKIP_SSH_AGENT_WORKAROUND LIBVIRT_DEFAULT_URI APPDIR
      APPIMAGE OWD ARGV0 NAUTILUS_* DCONF_PROFILE GSETTINGS_* GST_* HYPRCURSOR_* WLR_* SAL_* DXVK_* PROTON_*`,
  ]),
  ...documented(
    'systemd',
    'https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html#Environment%20Variables%20in%20Spawned%20Processes',
    '',
    [
      group('session')`INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID MANAGERPID MANAGERPIDFDID NOTIFY_SOCKET
      LISTEN_PID LISTEN_FDS LISTEN_FDNAMES WATCHDOG_* MEMORY_PRESSURE_* CREDENTIALS_DIRECTORY
      RUNTIME_DIRECTORY STATE_DIRECTORY CACHE_DIRECTORY LOGS_DIRECTORY CONFIGURATION_DIRECTORY`,
    ],
  ),
  ...documented('openssh', 'https://man.openbsd.org/ssh#ENVIRONMENT', '', [
    group('session')`SSH_* SUDO_* SSH_AUTH_SOCK SSH_AGENT_PID SSH_AGENT_LAUNCHER SSH_CLIENT SSH_CONNECTION
      SSH_TTY SSH_ASKPASS SSH_ASKPASS_REQUIRE SSH_ORIGINAL_COMMAND SSH_USER_AUTH SUDO_COMMAND SUDO_GID
      SUDO_UID SUDO_USER SUDO_HOME SUDO_PROMPT SUDO_ASKPASS MOTD_SHOWN DOAS_USER PKEXEC_UID GNUPGHOME MOSH_*
      ET_VERSION SELINUX_ROLE_REQUESTED SELINUX_LEVEL_REQUESTED SELINUX_USE_CURRENT_RANGE`,
  ]),
  ...documented(
    'macos',
    'https://developer.apple.com/library/archive/documentation/MacOSX/Conceptual/BPRuntimeConfig/',
    '',
    [
      group('session')`SECURITYSESSIONID Apple_PubSub_Socket_Render LaunchInstanceID XPC_FLAGS
      XPC_SERVICE_NAME XPC_* __CF_USER_TEXT_ENCODING __CFBundleIdentifier COMMAND_MODE MallocNanoZone
      OSLogRateLimit SHELL_SESSION_ID SHELL_SESSION_* OS_ACTIVITY_DT_MODE __PYVENV_LAUNCHER__ __XPC_*`,
      group('personal')`HOMEBREW_* MACPORTS_* BREW_* RCT_METRO_PORT`,
    ],
  ),
  ...documented(
    'windows',
    'https://learn.microsoft.com/windows/deployment/usmt/usmt-recognized-environment-variables',
    '',
    [
      group('identity')`USERDOMAIN USERDOMAIN_ROAMINGPROFILE USERDNSDOMAIN COMPUTERNAME HOMEPATH HOMESHARE
      LOGONSERVER SESSIONNAME CLIENTNAME`,
      group('personal')`HOME USERPROFILE HOMEDRIVE APPDATA LOCALAPPDATA OneDrive* ALLUSERSPROFILE ProgramData
      ProgramFiles ProgramFiles(x86) ProgramW6432 CommonProgramFiles CommonProgramFiles(x86)
      CommonProgramW6432 PROGRAMFILES PROGRAMDATA PUBLIC SystemDrive SystemRoot SYSTEMROOT SYSTEMDRIVE windir
      WINDIR OS PROCESSOR_* NUMBER_OF_PROCESSORS DriverData PSModulePath[] FPS_BROWSER_* ChocolateyInstall
      ChocolateyLastPathUpdate ChocolateyToolsLocation CHOCO* SCOOP SCOOP_* POWERSHELL_* __PSLockdownPolicy
      __COMPAT_LAYER ZES_ENABLE_SYSMAN EFC_* IGCCSVC_DB VBOX_* MSYS* MINGW_* CHERE_INVOKING PLINK_PROTOCOL
      EXEPATH HOSTTYPE MACHTYPE OSTYPE MSYSTEM* VS*COMNTOOLS`,
    ],
  ),
  ...documented(
    'wsl',
    'https://learn.microsoft.com/windows/wsl/filesystems#share-environment-variables-between-windows-and-wsl-with-wslenv',
    '',
    [
      group('session')`WSL_INTEROP WINDOWS_TRACING_* WSL2_GUI_APPS_ENABLED PULSE_SERVER`,
      group('personal')`WSL_DISTRO_NAME WSLENV WSL_* NAME`,
    ],
  ),
  ...documented('posix', 'https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html', '', [
    group('identity')`USER LOGNAME USERNAME MAIL HOST HOSTNAME UID EUID GID GROUPS`,
  ]),
  ...documented('editors', 'https://code.visualstudio.com/docs/terminal/shell-integration', '', [
    group('editor')`EDITOR VISUAL SUDO_EDITOR FCEDIT ALTERNATE_EDITOR VIM VIMRUNTIME MYVIMRC MYVIMDIR NVIM_*
      EMACS EMACS* DOOMDIR DOOMLOCALDIR SPYDER_* RSTUDIO* CHROME_DESKTOP ORIGINAL_XDG_CURRENT_DESKTOP
      TOOLBOX_* SYSTEMD_EDITOR VIMINIT GVIMINIT EXINIT`,
  ]),
  ...documented('version managers', 'https://mise.jdx.dev/configuration.html#environment-variables', '', [
    group('version-manager')`NVM_* nvm_* FNM_* VOLTA_* N_PREFIX NODENV_* NODIST_* ASDF_* MISE_* RTX_*
      PYENV_* RBENV_* RVM_* rvm_* CHRUBY_* frum_* JENV_* SDKMAN_* GOENV_* GVM_* gvm_* GOBREW_* TFENV_*
      PHPENV_* PHPBREW_* PLENV_* SWIFTENV_* KIEX_* KERL_BASE_DIR CRENV_* LUAENV_* AQUA_* PROTO_HOME PROTO_ROOT
      PKGX_* HERMIT_* DEVBOX_* DEVENV_* FLOX_* NODE_VERSION PYTHON_VERSION RUBY_VERSION RUBY_ROOT RUBY_ENGINE
      PIPX_* RYE_* PIXI_* JABBA_* COURSIER_*`,
    group('session')`FNM_MULTISHELL_PATH MISE_SHELL __MISE_* __MISE_DIFF __MISE_ORIG_PATH __MISE_SESSION
      __MISE_WATCH __MISE_EXE __MISE_ZSH_* DEVBOX_SESSION_*`,
  ]),
  ...documented(
    'environment modules',
    'https://modules.readthedocs.io/en/latest/module.html#environment',
    '',
    [
      group('version-manager')`MODULEPATH MODULEPATH_ROOT MODULESHOME MODULERCFILE MODULES_* LOADEDMODULES
      _LMFILES_ LMOD_*`,
    ],
  ),
  ...documented('package runners', 'https://docs.npmjs.com/cli/using-npm/scripts#environment', '', [
    group('process')`npm_lifecycle_* npm_package_* npm_execpath npm_node_execpath npm_command INIT_CWD
      npm_config_user_agent npm_config_local_prefix npm_config_global_prefix npm_config_userconfig
      npm_config_globalconfig npm_config_noproxy npm_config_node_gyp npm_config_init_module
      npm_config_npm_version npm_config_verify_deps_before_run npm_config__jsr_registry
      npm_config_frozen_lockfile pnpm_config_verify_deps_before_run PNPM_SCRIPT_SRC_DIR PNPM_PACKAGE_NAME
      BERRY_BIN_FOLDER PROJECT_CWD YARN_WRAP_OUTPUT NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
      NODE_UNIQUE_ID VITEST VITEST_* VITEST* JEST_WORKER_ID TINYPOOL_* PLAYWRIGHT_TEST npm_config_prefix
      npm_config_cache`,
  ]),
  ...documented('make', 'https://www.gnu.org/software/make/manual/html_node/Options_002fRecursion.html', '', [
    group('process')`MAKEFLAGS MAKELEVEL MFLAGS MAKE_TERMERR MAKE_TERMOUT MAKEFILE_LIST GNUMAKEFLAGS
      FAKEROOTKEY FAKED_MODE CARGO_MANIFEST_DIR CARGO_PKG_* CARGO_BIN_* CARGO_CRATE_NAME CARGO_PRIMARY_PACKAGE
      BUNDLE_BIN_PATH BUNDLER_ORIG_* TOX_ENV_* PRE_COMMIT`,
  ]),
  ...documented('tools', 'https://wiki.archlinux.org/title/Environment_variables', '', [
    group('personal')`HOMEBREW_PREFIX DOTNET_CLI_TELEMETRY_OPTOUT DO_NOT_TRACK NEXT_TELEMETRY_DISABLED
      GATSBY_TELEMETRY_DISABLED *_TELEMETRY_DISABLED *_TELEMETRY_OPTOUT DOCKER_SCAN_SUGGEST DOCKER_CLI_HINTS
      RIPGREP_CONFIG_PATH ACK_* CURL_HOME ANSIBLE_NOCOWS LIBGL_ALWAYS_INDIRECT TLDR_* THEFUCK_* GLAMOUR_STYLE
      LF_* MAILCAPS QUILT_* TEXINPUTS BIBINPUTS BSTINPUTS TEXMF* MAKEOPTS NNN_* RANGER_* YAZI_* TASKRC
      TASKDATA NOTMUCH_CONFIG PASSWORD_STORE_* GOPASS_* AWS_VAULT AWS_VAULT_* AWS_SSO_* AWS_PAGER
      CLOUDSDK_PYTHON CLOUDSDK_ROOT_DIR K9S_* KREW_ROOT KUBE_EDITOR KUBE_PS1_* STERN_* LIMA_* COLIMA_*
      ORBSTACK_* PODMAN_* VAGRANT_* PACKER_* SPARK_HOME HADOOP_HOME FLYCTL_INSTALL ANDROID_STUDIO_* STUDIO_*
      GRAALVM_HOME JMETER_HOME TOMCAT_HOME CATALINA_HOME GOOGLE_CLOUD_SDK MANPATH_ISSET DEBUGINFOD_* HUSHLOGIN
      PROFILEREAD QT_HOME PS1_* ANY_NIX_SHELL_PKGS *_COMPLETION *_COMPLETIONS *_AUTO_UPDATE
      *_DISABLE_AUTO_UPDATE UPDATE_ZSH_DAYS COMPLETION_WAITING_DOTS SPACESHIP_* DISABLE_AUTO_TITLE SPICETIFY_*
      LIBVIRT_* VIRSH_* WAKATIME_* GRC_* TRASH_* *_THEME *_HISTFILE *_HISTORY PSQLRC PSQL_HISTORY
      MYSQL_HISTFILE REDISCLI_HISTFILE SQLITE_HISTORY NODE_REPL_HISTORY PYTHONSTARTUP PYTHON_BASIC_REPL
      PYTHON_COLORS PYTHON_HISTORY PYTHON_HISTORY_FILE IPYTHONDIR JUPYTER_* *_HOME`,
  ]),
];
