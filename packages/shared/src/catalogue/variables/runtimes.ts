// Variables that change how languages, their runtimes, compilers and package managers behave.

import type { VariableGroup } from './variable-class.ts';

const node = {
  provider: 'node',
  source: 'https://nodejs.org/api/cli.html#environment-variables',
  ecosystems: ['npm', 'jsr'],
} as const;
const npm = {
  provider: 'npm',
  source: 'https://docs.npmjs.com/cli/using-npm/config#environment-variables',
  ecosystems: ['npm'],
} as const;
const python = {
  provider: 'python',
  source: 'https://docs.python.org/3/using/cmdline.html#environment-variables',
  ecosystems: ['pypi', 'conda'],
} as const;
const pip = {
  provider: 'pip',
  source: 'https://pip.pypa.io/en/stable/topics/configuration/#environment-variables',
  ecosystems: ['pypi', 'conda'],
} as const;
const java = {
  provider: 'java',
  source: 'https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html',
  ecosystems: ['maven'],
} as const;
const go = {
  provider: 'go',
  source: 'https://pkg.go.dev/cmd/go#hdr-Environment_variables',
  ecosystems: ['go'],
} as const;
const rust = {
  provider: 'rust',
  source: 'https://doc.rust-lang.org/cargo/reference/environment-variables.html',
  ecosystems: ['cargo'],
} as const;
const ruby = {
  provider: 'ruby',
  source: 'https://docs.ruby-lang.org/en/master/ruby/environment_variables_md.html',
  ecosystems: ['rubygems'],
} as const;
const dotnet = {
  provider: 'dotnet',
  source: 'https://learn.microsoft.com/dotnet/core/tools/dotnet-environment-variables',
  ecosystems: ['nuget'],
} as const;
const php = {
  provider: 'php',
  source: 'https://getcomposer.org/doc/03-cli.md#environment-variables',
  ecosystems: ['composer'],
} as const;
const c = {
  provider: 'c',
  source: 'https://www.gnu.org/software/make/manual/html_node/Implicit-Variables.html',
  ecosystems: ['c', 'cargo', 'go', 'npm', 'pypi', 'rubygems', 'conan'],
} as const;
const other = { provider: 'other', source: 'https://man7.org/linux/man-pages/man7/environ.7.html' } as const;

export const runtimes: readonly VariableGroup[] = [
  {
    ...node,
    class: 'behaviour',
    likelihood: 'high',
    names: `NODE_OPTIONS NODE_PATH[] NODE_TLS_REJECT_UNAUTHORIZED NODE_ICU_DATA`,
    special: [
      { names: 'NODE_ENV', plain: true },
      { names: 'NODE_EXTRA_CA_CERTS', family: 'certificates' },
    ],
  },
  {
    ...node,
    class: 'behaviour',
    names: `NODE_DEBUG NODE_DEBUG_NATIVE NODE_NO_WARNINGS NODE_PENDING_DEPRECATION NODE_PENDING_PIPE_INSTANCES
      NODE_PRESERVE_SYMLINKS NODE_PRESERVE_SYMLINKS_MAIN NODE_REDIRECT_WARNINGS NODE_SKIP_PLATFORM_CHECK
      NODE_USE_ENV_PROXY NODE_USE_SYSTEM_CA NODE_V8_COVERAGE UV_THREADPOOL_SIZE UV_USE_IO_URING
      NODE_APP_INSTANCE NODE_CONFIG NODE_CONFIG_DIR NODE_CONFIG_ENV BABEL_ENV BROWSERSLIST
      BROWSERSLIST_ENV TS_NODE_* DENO_* BUN_* JEST_* VITE_* ESLINT_USE_FLAT_CONFIG`,
    special: [{ names: 'DENO_CERT', family: 'certificates' }],
  },
  {
    ...node,
    class: 'tool-setting',
    likelihood: 'low',
    names: `NODE_COMPILE_CACHE NODE_DISABLE_COMPILE_CACHE NODE_DISABLE_COLORS NODE_REPL_* NODE_TEST_CONTEXT
      NODE_HOME NODE_MIRROR`,
  },
  {
    ...npm,
    class: 'tool-setting',
    names: `npm_config_* NPM_CONFIG_* NPM_TOKEN NPM_AUTH_TOKEN NPM_REGISTRY YARN_* PNPM_CONFIG_* pnpm_config_*
      COREPACK_* NODE_AUTH_TOKEN NODE_GYP_* PUPPETEER_* PLAYWRIGHT_* CYPRESS_* ELECTRON_* SASS_BINARY_SITE
      SASS_BINARY_PATH SHARP_* PRISMA_* TURBO_* NX_* HUSKY HUSKY_*`,
    special: [
      { names: 'npm_config_registry NPM_CONFIG_REGISTRY', family: 'npm registry' },
      { names: 'npm_config_cafile NPM_CONFIG_CAFILE', family: 'certificates' },
    ],
  },
  {
    ...npm,
    class: 'personal',
    likelihood: 'low',
    names: `PNPM_HOME NPM_PACKAGES BUN_INSTALL DENO_INSTALL NPM_CONFIG_PREFIX NPM_CONFIG_CACHE YARN_CACHE_FOLDER
      COREPACK_ENABLE_DOWNLOAD_PROMPT COREPACK_ENABLE_AUTO_PIN`,
  },
  {
    ...python,
    class: 'behaviour',
    likelihood: 'high',
    names: `PYTHONPATH[] PYTHONHOME PYTHONHASHSEED PYTHONOPTIMIZE PYTHONIOENCODING PYTHONUTF8 PYTHONCOERCECLOCALE
      PYTHONWARNINGS PYTHONNOUSERSITE PYTHONSAFEPATH PYTHONDEVMODE`,
  },
  {
    ...python,
    class: 'behaviour',
    names: `PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONINSPECT PYTHONCASEOK PYTHONVERBOSE
      PYTHONUSERBASE PYTHONFAULTHANDLER PYTHONTRACEMALLOC PYTHONASYNCIODEBUG PYTHONMALLOC
      PYTHONLEGACYWINDOWS* PYTHONBREAKPOINT PYTHONPYCACHEPREFIX PYTHONINTMAXSTRDIGITS PYTHONTZPATH
      PYTHON_GIL PYTHON_JIT PYTEST_ADDOPTS PYTEST_* DJANGO_SETTINGS_MODULE DJANGO_* FLASK_* TOX_*
      SETUPTOOLS_* OMP_NUM_THREADS MKL_* OPENBLAS_NUM_THREADS NUMBA_* TF_CPP_* TF_ENABLE_*
      CUDA_VISIBLE_DEVICES PYTORCH_* HF_HOME`,
    special: [{ names: 'CUDA_HOME CUDA_PATH', alike: 'place' }],
  },
  {
    ...python,
    class: 'behaviour',
    names: 'CONDA_DEFAULT_ENV CONDA_CHANNELS CONDA_SUBDIR',
    special: [{ names: 'VIRTUAL_ENV CONDA_PREFIX', alike: 'place' }],
  },
  {
    ...python,
    class: 'version-manager',
    names: `CONDA_EXE CONDA_PYTHON_EXE CONDA_SHLVL CONDA_PREFIX_* CONDA_PROMPT_MODIFIER _CONDA_* _CE_CONDA _CE_M
      VIRTUAL_ENV_PROMPT VIRTUAL_ENV_DISABLE_PROMPT VIRTUALENVWRAPPER_* WORKON_HOME PROJECT_HOME MAMBA_EXE
      MAMBA_ROOT_PREFIX PYTHON_INSTALL_*`,
  },
  {
    ...pip,
    class: 'tool-setting',
    names: 'PIP_* UV_* POETRY_* PIPENV_* PDM_* TWINE_* HATCH_* CIBW_*',
    special: [
      {
        names: 'PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX UV_INDEX_URL UV_EXTRA_INDEX_URL',
        family: 'python index',
      },
      { names: 'PIP_CERT', family: 'certificates' },
    ],
  },
  {
    ...java,
    class: 'behaviour',
    likelihood: 'high',
    special: [{ names: 'JAVA_HOME', follows: 'java', alike: 'place' }],
    names: 'JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS CLASSPATH[]',
  },
  {
    ...java,
    class: 'behaviour',
    names: `MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS SBT_OPTS JVM_OPTS KOTLIN_* JAVA_VERSION SPRING_* ANDROID_*
      MAVEN_CONFIG ORG_GRADLE_PROJECT_* JAVACMD`,
    special: [
      { names: 'JDK_HOME JRE_HOME', follows: 'java', alike: 'place' },
      { names: 'GRADLE_USER_HOME', alike: 'place' },
    ],
  },
  {
    ...java,
    class: 'tool-setting',
    ecosystems: ['maven', 'android'],
    names: 'ANDROID_AVD_HOME ANDROID_USER_HOME JAVA_MAIN_CLASS_* JAVA_ARCH',
    special: [{ names: 'ANDROID_HOME ANDROID_SDK_ROOT', alike: 'place' }],
  },
  {
    ...go,
    class: 'behaviour',
    likelihood: 'high',
    names: 'GOFLAGS GOPROXY GOOS GOARCH GO111MODULE CGO_ENABLED GOTOOLCHAIN GOEXPERIMENT GODEBUG',
  },
  {
    ...go,
    class: 'behaviour',
    names: `GOAMD64 GOARM GOARM64 GO386 GOPRIVATE GONOPROXY GONOSUMDB GONOSUMCHECK GOSUMDB GOINSECURE GOVCS
      GOWORK GOMAXPROCS GOMEMLIMIT GOGC GOTRACEBACK GORACE GOCOVERDIR CGO_* GOAUTH GOFIPS140`,
  },
  {
    ...go,
    class: 'tool-setting',
    likelihood: 'low',
    special: [{ names: 'GOROOT', follows: 'go' }],
    names: `GOPATH[] GOBIN GOCACHE GOMODCACHE GOTMPDIR GOENV GOTELEMETRY GOTELEMETRYDIR GOCACHEPROG
      GOVERSION`,
  },
  {
    ...rust,
    class: 'behaviour',
    likelihood: 'high',
    names: 'RUSTFLAGS CARGO_BUILD_TARGET RUSTC_WRAPPER RUSTUP_TOOLCHAIN CARGO_ENCODED_RUSTFLAGS',
  },
  {
    ...rust,
    class: 'behaviour',
    names: `RUSTDOCFLAGS RUST_BACKTRACE RUST_LOG RUST_MIN_STACK RUST_TEST_* RUSTC RUSTC_BOOTSTRAP
      RUSTC_WORKSPACE_WRAPPER CARGO_* CARGO_NET_* CARGO_TARGET_* RUST_SRC_PATH SCCACHE_*`,
    special: [{ names: 'CARGO_HTTP_CAINFO', family: 'certificates' }],
  },
  {
    ...rust,
    class: 'tool-setting',
    likelihood: 'low',
    names: 'CARGO_HOME RUSTUP_HOME RUSTUP_* CARGO_TERM_* CARGO_INCREMENTAL',
  },
  {
    ...ruby,
    class: 'behaviour',
    likelihood: 'high',
    names: 'RUBYOPT RUBYLIB[] BUNDLE_GEMFILE',
    special: [
      { names: 'RAILS_ENV RACK_ENV', plain: true },
      { names: 'GEM_HOME GEM_PATH[]', alike: 'place' },
    ],
  },
  {
    ...ruby,
    class: 'behaviour',
    names: `RUBY_* BUNDLE_* BUNDLER_* RUBYGEMS_* GEMRC RAILS_* RSPEC_* SPEC_OPTS DISABLE_SPRING RUBY_YJIT_ENABLE
      JRUBY_OPTS GEM_ROOT RUBYPATH`,
  },
  {
    ...dotnet,
    class: 'behaviour',
    likelihood: 'high',
    names: `ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT DOTNET_SYSTEM_GLOBALIZATION_* DOTNET_ROLL_FORWARD`,
    special: [{ names: 'DOTNET_ROOT', follows: 'dotnet', alike: 'place' }],
  },
  {
    ...dotnet,
    class: 'behaviour',
    names: 'ASPNETCORE_* DOTNET_* NUGET_* MSBUILD* COMPlus_* CORECLR_* Platform VSTEST_*',
  },
  {
    ...dotnet,
    class: 'tool-setting',
    likelihood: 'low',
    names: 'DOTNET_CLI_* DOTNET_GENERATE_ASPNET_CERTIFICATE DOTNET_PRINT_TELEMETRY_MESSAGE',
  },
  {
    ...php,
    class: 'behaviour',
    names: `APP_DEBUG PHPRC PHP_INI_SCAN_DIR COMPOSER COMPOSER_* SYMFONY_* XDEBUG_* LARAVEL_*
      PHP_CS_FIXER_*`,
    special: [{ names: 'APP_ENV', plain: true }],
  },
  {
    ...c,
    class: 'behaviour',
    likelihood: 'high',
    names: `CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS AR LD PKG_CONFIG_PATH[] PKG_CONFIG_LIBDIR[] CPATH[] LIBRARY_PATH[]
      C_INCLUDE_PATH[] CPLUS_INCLUDE_PATH[] MACOSX_DEPLOYMENT_TARGET`,
    special: [{ names: 'SDKROOT', alike: 'place' }],
  },
  {
    ...c,
    class: 'behaviour',
    names: `FC F77 FFLAGS AS NM RANLIB STRIP OBJCOPY ARFLAGS LDLIBS CMAKE_* CMAKE_PREFIX_PATH[] CMAKE_MODULE_PATH[] CTEST_* NINJA_STATUS PKG_CONFIG
      PKG_CONFIG_* CCACHE_* CCC_* CONAN_* VCPKG_* ARCHFLAGS OBJC_* OBJC_INCLUDE_PATH[] ACLOCAL_PATH[] GI_TYPELIB_PATH[] ASAN_OPTIONS LSAN_OPTIONS MSAN_OPTIONS
      TSAN_OPTIONS UBSAN_OPTIONS LLVM_* EM_* EMSDK* VCINSTALLDIR VSCMD_* WindowsSdk* INCLUDE[] LIB[] LIBPATH[]`,
    special: [{ names: 'EMSDK', alike: 'place' }],
  },
  {
    provider: 'elixir',
    source: 'https://hexdocs.pm/mix/Mix.html#module-environment-variables',
    ecosystems: ['hex'],
    class: 'behaviour',
    names: 'MIX_* HEX_* ELIXIR_* ERL_* ERLANG_* KERL_* REBAR_*',
  },
  {
    provider: 'perl',
    source: 'https://perldoc.perl.org/perlrun#ENVIRONMENT',
    ecosystems: ['perl'],
    class: 'behaviour',
    names: `PERL5LIB[] PERL5OPT PERLLIB[] PERL_MM_OPT PERL_MB_OPT PERL_LOCAL_LIB_ROOT PERL_* PERLBREW_*`,
  },
  {
    provider: 'lua',
    source: 'https://www.lua.org/manual/5.4/manual.html#7',
    ecosystems: ['lua'],
    class: 'behaviour',
    names: 'LUA_PATH[] LUA_CPATH[] LUA_INIT LUA_PATH_* LUA_CPATH_* LUA_INIT_*',
  },
  {
    provider: 'r',
    source: 'https://stat.ethz.ch/R-manual/R-devel/library/base/html/EnvVar.html',
    ecosystems: ['cran'],
    class: 'behaviour',
    names: `R_LIBS[] R_LIBS_USER[] R_LIBS_SITE R_HOME R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER R_* RENV_*`,
  },
  {
    provider: 'julia',
    source: 'https://docs.julialang.org/en/v1/manual/environment-variables/',
    ecosystems: ['julia'],
    class: 'behaviour',
    names: 'JULIA_* JULIA_LOAD_PATH[] JULIA_DEPOT_PATH[]',
  },
  {
    provider: 'haskell',
    source: 'https://downloads.haskell.org/ghc/latest/docs/users_guide/packages.html',
    ecosystems: ['hackage'],
    class: 'behaviour',
    names: 'GHC_* GHCRTS STACK_* CABAL_*',
  },
  {
    provider: 'haskell',
    source: 'https://www.haskell.org/ghcup/guide/',
    ecosystems: ['hackage'],
    class: 'version-manager',
    names: 'GHCUP_*',
  },
  {
    provider: 'ocaml',
    source: 'https://opam.ocaml.org/doc/Manual.html',
    ecosystems: ['opam'],
    class: 'behaviour',
    names: 'OCAMLPATH OCAMLPARAM OCAMLRUNPARAM CAML_LD_LIBRARY_PATH OPAM* OCAML_TOPLEVEL_PATH',
  },
  {
    provider: 'dart',
    source: 'https://dart.dev/tools/pub/environment-variables',
    ecosystems: ['pub'],
    class: 'behaviour',
    names: 'PUB_* FLUTTER_* DART_*',
  },
  {
    provider: 'swift',
    source: 'https://developer.apple.com/documentation/xcode/build-settings-reference',
    ecosystems: ['swift', 'cocoapods'],
    class: 'behaviour',
    special: [{ names: 'DEVELOPER_DIR', alike: 'place' }],
    names: 'TOOLCHAINS SWIFT_* XCODE_* FASTLANE_* COCOAPODS_* CP_*',
  },
  {
    provider: 'nix',
    source: 'https://nix.dev/manual/nix/stable/command-ref/env-common',
    ecosystems: ['nix'],
    class: 'behaviour',
    names: `NIX_PATH[] NIX_CONFIG NIX_REMOTE NIXPKGS_* IN_NIX_SHELL NIX_LDFLAGS NIX_CFLAGS_COMPILE NIX_*`,
  },
  {
    provider: 'nix',
    source: 'https://nix.dev/manual/nix/stable/command-ref/env-common',
    class: 'shell',
    names: `NIX_PROFILES NIX_USER_PROFILE_DIR __ETC_PROFILE_NIX_SOURCED __NIXOS_SET_ENVIRONMENT_DONE
      NIX_XDG_DESKTOP_PORTAL_DIR`,
  },
  {
    ...other,
    class: 'behaviour',
    ecosystems: ['terraform'],
    names: `TF_VAR_* TF_CLI_* TF_LOG TF_LOG_* TF_WORKSPACE TF_DATA_DIR TF_PLUGIN_CACHE_DIR TF_TOKEN_* TF_INPUT
      TF_IN_AUTOMATION TOFU_*`,
    source: 'https://developer.hashicorp.com/terraform/cli/config/environment-variables',
  },
  {
    ...other,
    class: 'behaviour',
    ecosystems: ['docker'],
    names: `DOCKER_HOST DOCKER_BUILDKIT DOCKER_DEFAULT_PLATFORM DOCKER_CONTEXT DOCKER_CONFIG DOCKER_TLS_VERIFY
      DOCKER_CERT_PATH DOCKER_API_VERSION COMPOSE_* BUILDKIT_* BUILDX_* TESTCONTAINERS_* CONTAINER_HOST`,
    source: 'https://docs.docker.com/reference/cli/docker/#environment-variables',
  },
  {
    ...other,
    class: 'tool-setting',
    ecosystems: ['helm', 'kubernetes'],
    names: 'KUBECONFIG HELM_* KUBE_* MINIKUBE_* SKAFFOLD_*',
    source: 'https://helm.sh/docs/helm/helm/',
  },
  {
    ...other,
    class: 'tool-setting',
    ecosystems: ['bazel'],
    names: 'BAZEL_* USE_BAZEL_VERSION BAZELISK_*',
    source: 'https://github.com/bazelbuild/bazelisk',
  },
];
