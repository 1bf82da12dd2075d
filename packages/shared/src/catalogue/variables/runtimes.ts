// Variables that change how languages, their runtimes, compilers and package managers behave.

import { documented, group, type VariableGroup } from './variable-class.ts';

export const runtimes: readonly VariableGroup[] = [
  ...documented('node', 'https://nodejs.org/api/cli.html#environment-variables', 'npm jsr', [
    group('behaviour', {
      likelihood: 'high',
      special: [
        { names: 'NODE_ENV', plain: true, inert: true },
        { names: 'NODE_EXTRA_CA_CERTS', family: 'certificates', personal: true },
        { names: 'NODE_OPTIONS', alike: 'sizes' },
      ],
    })`NODE_PATH[] NODE_TLS_REJECT_UNAUTHORIZED NODE_ICU_DATA`,
    group('behaviour', {
      special: [
        { names: 'DENO_CERT', family: 'certificates', personal: true },
        { names: 'UV_THREADPOOL_SIZE', inert: true },
      ],
    })`NODE_DEBUG NODE_DEBUG_NATIVE NODE_NO_WARNINGS NODE_PENDING_DEPRECATION NODE_PENDING_PIPE_INSTANCES
      NODE_PRESERVE_SYMLINKS NODE_PRESERVE_SYMLINKS_MAIN NODE_REDIRECT_WARNINGS NODE_SKIP_PLATFORM_CHECK
      NODE_USE_ENV_PROXY NODE_USE_SYSTEM_CA NODE_V8_COVERAGE UV_USE_IO_URING
      NODE_APP_INSTANCE NODE_CONFIG NODE_CONFIG_DIR NODE_CONFIG_ENV BABEL_ENV BROWSERSLIST BROWSERSLIST_ENV
      TS_NODE_* DENO_* BUN_* JEST_* VITE_* ESLINT_USE_FLAT_CONFIG`,
    group('tool-setting', { likelihood: 'low' })`NODE_COMPILE_CACHE NODE_DISABLE_COMPILE_CACHE
      NODE_DISABLE_COLORS NODE_REPL_* NODE_TEST_CONTEXT NODE_HOME NODE_MIRROR`,
  ]),
  ...documented('npm', 'https://docs.npmjs.com/cli/using-npm/config#environment-variables', 'npm', [
    group('tool-setting', {
      special: [
        { names: 'npm_config_registry NPM_CONFIG_REGISTRY', family: 'npm registry' },
        { names: 'npm_config_cafile NPM_CONFIG_CAFILE', family: 'certificates' },
      ],
    })`npm_config_* NPM_CONFIG_* NPM_TOKEN NPM_AUTH_TOKEN NPM_REGISTRY YARN_* PNPM_CONFIG_* pnpm_config_*
      COREPACK_* NODE_AUTH_TOKEN NODE_GYP_* PUPPETEER_* PLAYWRIGHT_* CYPRESS_* ELECTRON_* SASS_BINARY_SITE
      SASS_BINARY_PATH SHARP_* PRISMA_* TURBO_* NX_* HUSKY HUSKY_*`,
    group('personal', { likelihood: 'low' })`PNPM_HOME NPM_PACKAGES BUN_INSTALL DENO_INSTALL
      NPM_CONFIG_PREFIX NPM_CONFIG_CACHE YARN_CACHE_FOLDER COREPACK_ENABLE_DOWNLOAD_PROMPT
      COREPACK_ENABLE_AUTO_PIN`,
  ]),
  ...documented(
    'python',
    'https://docs.python.org/3/using/cmdline.html#environment-variables',
    'pypi conda',
    [
      group('behaviour', {
        likelihood: 'high',
        special: [{ names: 'PYTHONHASHSEED PYTHONUTF8', inert: true }],
      })`PYTHONPATH[] PYTHONHOME PYTHONOPTIMIZE PYTHONIOENCODING PYTHONCOERCECLOCALE PYTHONWARNINGS PYTHONNOUSERSITE PYTHONSAFEPATH
      PYTHONDEVMODE`,
      group('behaviour', {
        special: [
          {
            names: 'PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONBREAKPOINT PYTHONFAULTHANDLER',
            personal: true,
          },
        ],
      })`PYTHONINSPECT PYTHONCASEOK PYTHONVERBOSE PYTHONUSERBASE
      PYTHONTRACEMALLOC PYTHONASYNCIODEBUG PYTHONMALLOC PYTHONLEGACYWINDOWS*
      PYTHONPYCACHEPREFIX PYTHONINTMAXSTRDIGITS PYTHONTZPATH PYTHON_GIL PYTHON_JIT
      PYTEST_ADDOPTS PYTEST_* DJANGO_SETTINGS_MODULE DJANGO_* FLASK_* TOX_* SETUPTOOLS_* NUMBA_*
      TF_CPP_* TF_ENABLE_* PYTORCH_* HF_HOME`,
      group('behaviour', {
        special: [{ names: 'VIRTUAL_ENV CONDA_PREFIX', alike: 'place' }],
      })`CONDA_DEFAULT_ENV CONDA_CHANNELS CONDA_SUBDIR`,
      group('version-manager')`CONDA_EXE CONDA_PYTHON_EXE CONDA_SHLVL CONDA_PREFIX_* CONDA_PROMPT_MODIFIER
      _CONDA_* _CE_CONDA _CE_M VIRTUAL_ENV_PROMPT VIRTUAL_ENV_DISABLE_PROMPT VIRTUALENVWRAPPER_* WORKON_HOME
      PROJECT_HOME MAMBA_EXE MAMBA_ROOT_PREFIX PYTHON_INSTALL_*`,
    ],
  ),
  ...documented(
    'pip',
    'https://pip.pypa.io/en/stable/topics/configuration/#environment-variables',
    'pypi conda',
    [
      group('tool-setting', {
        special: [
          {
            names: 'PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX UV_INDEX_URL UV_EXTRA_INDEX_URL',
            family: 'python index',
          },
          { names: 'PIP_CERT', family: 'certificates', personal: true },
          {
            names: 'PIP_REQUIRE_VIRTUALENV POETRY_VIRTUALENVS_* PIPENV_VENV_IN_PROJECT UV_LINK_MODE',
            personal: true,
          },
        ],
      })`PIP_* UV_* POETRY_* PIPENV_* PDM_* TWINE_* HATCH_* CIBW_*`,
    ],
  ),
  ...documented('java', 'https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html', 'maven', [
    group('behaviour', {
      likelihood: 'high',
      special: [
        { names: 'JAVA_HOME', follows: 'java', alike: 'place' },
        { names: 'JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS', alike: 'sizes' },
      ],
    })`CLASSPATH[]`,
    group('behaviour', {
      special: [
        { names: 'JDK_HOME JRE_HOME', follows: 'java', alike: 'place' },
        { names: 'GRADLE_USER_HOME', alike: 'place' },
        { names: 'MAVEN_OPTS GRADLE_OPTS SBT_OPTS JVM_OPTS', alike: 'sizes' },
      ],
    })`MAVEN_ARGS KOTLIN_* JAVA_VERSION SPRING_* ANDROID_*
      MAVEN_CONFIG ORG_GRADLE_PROJECT_* JAVACMD`,
  ]),
  ...documented(
    'java',
    'https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html',
    'maven android',
    [
      group('tool-setting', {
        special: [{ names: 'ANDROID_HOME ANDROID_SDK_ROOT', alike: 'place' }],
      })`ANDROID_AVD_HOME ANDROID_USER_HOME JAVA_MAIN_CLASS_* JAVA_ARCH`,
    ],
  ),
  ...documented('go', 'https://pkg.go.dev/cmd/go#hdr-Environment_variables', 'go', [
    group('behaviour', { likelihood: 'high' })`GOFLAGS GOPROXY GOOS GOARCH GO111MODULE CGO_ENABLED
      GOTOOLCHAIN GOEXPERIMENT GODEBUG`,
    group('behaviour', {
      special: [{ names: 'GOMAXPROCS GOMEMLIMIT GOGC', inert: true }],
    })`GOAMD64 GOARM GOARM64 GO386 GOPRIVATE GONOPROXY GONOSUMDB GONOSUMCHECK GOSUMDB
      GOINSECURE GOVCS GOWORK GOTRACEBACK GORACE GOCOVERDIR CGO_* GOAUTH GOFIPS140`,
    group('tool-setting', {
      likelihood: 'low',
      special: [{ names: 'GOROOT', follows: 'go' }],
    })`GOPATH[] GOBIN GOCACHE GOMODCACHE GOTMPDIR GOENV GOTELEMETRY GOTELEMETRYDIR GOCACHEPROG GOVERSION`,
  ]),
  ...documented('rust', 'https://doc.rust-lang.org/cargo/reference/environment-variables.html', 'cargo', [
    group('behaviour', { likelihood: 'high' })`RUSTFLAGS CARGO_BUILD_TARGET RUSTC_WRAPPER RUSTUP_TOOLCHAIN
      CARGO_ENCODED_RUSTFLAGS`,
    group('behaviour', {
      special: [
        { names: 'CARGO_HTTP_CAINFO', family: 'certificates', personal: true },
        { names: 'RUST_BACKTRACE RUST_LOG CARGO_BUILD_JOBS', personal: true },
      ],
    })`RUSTDOCFLAGS RUST_MIN_STACK RUST_TEST_* RUSTC RUSTC_BOOTSTRAP
      RUSTC_WORKSPACE_WRAPPER CARGO_* CARGO_NET_* CARGO_TARGET_* RUST_SRC_PATH SCCACHE_*`,
    group('tool-setting', { likelihood: 'low' })`CARGO_HOME RUSTUP_HOME RUSTUP_* CARGO_TERM_*
      CARGO_INCREMENTAL`,
  ]),
  ...documented(
    'ruby',
    'https://docs.ruby-lang.org/en/master/ruby/environment_variables_md.html',
    'rubygems',
    [
      group('behaviour', {
        likelihood: 'high',
        special: [
          { names: 'RAILS_ENV RACK_ENV', plain: true, inert: true },
          { names: 'GEM_HOME GEM_PATH[]', alike: 'place' },
        ],
      })`RUBYOPT RUBYLIB[] BUNDLE_GEMFILE`,
      group('behaviour', {
        special: [{ names: 'BUNDLE_PATH BUNDLE_JOBS BUNDLE_RETRY BUNDLE_USER_*', personal: true }],
      })`RUBY_* BUNDLE_* BUNDLER_* RUBYGEMS_* GEMRC RAILS_* RSPEC_* SPEC_OPTS DISABLE_SPRING
      RUBY_YJIT_ENABLE JRUBY_OPTS GEM_ROOT RUBYPATH`,
    ],
  ),
  ...documented(
    'dotnet',
    'https://learn.microsoft.com/dotnet/core/tools/dotnet-environment-variables',
    'nuget',
    [
      group('behaviour', {
        likelihood: 'high',
        special: [{ names: 'DOTNET_ROOT', follows: 'dotnet', alike: 'place' }],
      })`ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT DOTNET_SYSTEM_GLOBALIZATION_* DOTNET_ROLL_FORWARD`,
      group('behaviour')`ASPNETCORE_* DOTNET_* NUGET_* MSBUILD* COMPlus_* CORECLR_* Platform VSTEST_*`,
      group('tool-setting', { likelihood: 'low' })`DOTNET_CLI_* DOTNET_GENERATE_ASPNET_CERTIFICATE
      DOTNET_PRINT_TELEMETRY_MESSAGE`,
    ],
  ),
  ...documented('php', 'https://getcomposer.org/doc/03-cli.md#environment-variables', 'composer', [
    group(
      'behaviour',
    )`PHPRC PHP_INI_SCAN_DIR COMPOSER COMPOSER_* SYMFONY_* XDEBUG_* LARAVEL_* PHP_CS_FIXER_*`,
  ]),
  ...documented(
    'c',
    'https://www.gnu.org/software/make/manual/html_node/Implicit-Variables.html',
    'c cargo go npm pypi rubygems conan',
    [
      group('behaviour', {
        likelihood: 'high',
        special: [{ names: 'SDKROOT', alike: 'place' }],
      })`CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS AR LD PKG_CONFIG_PATH[] PKG_CONFIG_LIBDIR[] CPATH[]
      LIBRARY_PATH[] C_INCLUDE_PATH[] CPLUS_INCLUDE_PATH[] MACOSX_DEPLOYMENT_TARGET`,
      group('behaviour', {
        special: [
          { names: 'EMSDK', alike: 'place' },
          { names: 'OBJC_DISABLE_INITIALIZE_FORK_SAFETY', personal: true },
        ],
      })`FC F77 FFLAGS AS NM RANLIB STRIP OBJCOPY ARFLAGS LDLIBS CMAKE_* CMAKE_PREFIX_PATH[]
      CMAKE_MODULE_PATH[] CTEST_* NINJA_STATUS PKG_CONFIG PKG_CONFIG_* CCACHE_* CCC_* CONAN_* VCPKG_*
      ARCHFLAGS OBJC_* OBJC_INCLUDE_PATH[] ACLOCAL_PATH[] GI_TYPELIB_PATH[] ASAN_OPTIONS LSAN_OPTIONS
      MSAN_OPTIONS TSAN_OPTIONS UBSAN_OPTIONS LLVM_* EM_* EMSDK* VCINSTALLDIR VSCMD_* WindowsSdk* INCLUDE[]
      LIB[] LIBPATH[]`,
    ],
  ),
  ...documented(
    'openmp',
    'https://www.openmp.org/specifications/',
    'c cargo conan conda cran cuda julia pypi',
    [
      group('behaviour', {
        special: [{ names: 'OMP_NUM_THREADS', inert: true }],
      })`OMP_* MKL_* OPENBLAS_*`,
    ],
  ),
  ...documented(
    'cuda',
    'https://docs.nvidia.com/cuda/cuda-c-programming-guide/#cuda-environment-variables',
    'c cargo conan conda cran cuda julia pypi',
    [
      group('behaviour', {
        special: [{ names: 'CUDA_HOME CUDA_PATH', alike: 'place' }],
      })`CUDA_VISIBLE_DEVICES`,
    ],
  ),
  ...documented('laravel-mix', 'https://laravel-mix.com/docs/6.0/environment-variables', 'composer hex npm', [
    group('behaviour')`MIX_*`,
  ]),
  ...documented('elixir', 'https://hexdocs.pm/mix/Mix.html#module-environment-variables', 'hex', [
    group('behaviour')`MIX_ENV MIX_EXS MIX_HOME MIX_TARGET HEX_* ELIXIR_* ERL_* ERLANG_* KERL_* REBAR_*`,
  ]),
  ...documented('perl', 'https://perldoc.perl.org/perlrun#ENVIRONMENT', 'perl', [
    group('behaviour')`PERL5LIB[] PERL5OPT PERLLIB[] PERL_MM_OPT PERL_MB_OPT PERL_LOCAL_LIB_ROOT PERL_*
      PERLBREW_*`,
  ]),
  ...documented('lua', 'https://www.lua.org/manual/5.4/manual.html#7', 'lua', [
    group('behaviour')`LUA_PATH[] LUA_CPATH[] LUA_INIT LUA_PATH_* LUA_CPATH_* LUA_INIT_*`,
  ]),
  ...documented('r', 'https://stat.ethz.ch/R-manual/R-devel/library/base/html/EnvVar.html', 'cran', [
    group('behaviour')`R_LIBS[] R_LIBS_USER[] R_LIBS_SITE R_HOME R_PROFILE R_PROFILE_USER R_ENVIRON
      R_ENVIRON_USER R_* RENV_*`,
  ]),
  ...documented('julia', 'https://docs.julialang.org/en/v1/manual/environment-variables/', 'julia', [
    group('behaviour')`JULIA_* JULIA_LOAD_PATH[] JULIA_DEPOT_PATH[]`,
  ]),
  ...documented(
    'haskell',
    'https://downloads.haskell.org/ghc/latest/docs/users_guide/packages.html',
    'hackage',
    [group('behaviour')`GHC_* GHCRTS STACK_ROOT STACK_WORK STACK_YAML STACK_XDG CABAL_*`],
  ),
  ...documented('haskell', 'https://www.haskell.org/ghcup/guide/', 'hackage', [
    group('version-manager')`GHCUP_*`,
  ]),
  ...documented('ocaml', 'https://opam.ocaml.org/doc/Manual.html', 'opam', [
    group('behaviour')`OCAMLPATH OCAMLPARAM OCAMLRUNPARAM CAML_LD_LIBRARY_PATH OPAM* OCAML_TOPLEVEL_PATH`,
  ]),
  ...documented('dart', 'https://dart.dev/tools/pub/environment-variables', 'pub', [
    group('behaviour')`PUB_CACHE PUB_ENVIRONMENT PUB_HOSTED_URL FLUTTER_* DART_*`,
  ]),
  ...documented(
    'swift',
    'https://developer.apple.com/documentation/xcode/build-settings-reference',
    'swift cocoapods',
    [
      group('behaviour', {
        special: [{ names: 'DEVELOPER_DIR', alike: 'place' }],
      })`TOOLCHAINS SWIFT_* XCODE_* FASTLANE_* COCOAPODS_* CP_HOME_DIR CP_REPOS_DIR`,
    ],
  ),
  ...documented('nix', 'https://nix.dev/manual/nix/stable/command-ref/env-common', 'nix', [
    group('behaviour')`NIX_PATH[] NIX_CONFIG NIX_REMOTE NIXPKGS_* IN_NIX_SHELL NIX_LDFLAGS
      NIX_CFLAGS_COMPILE NIX_*`,
  ]),
  ...documented('nix', 'https://nix.dev/manual/nix/stable/command-ref/env-common', '', [
    group('shell')`NIX_PROFILES NIX_USER_PROFILE_DIR __ETC_PROFILE_NIX_SOURCED __NIXOS_SET_ENVIRONMENT_DONE
      NIX_XDG_DESKTOP_PORTAL_DIR`,
  ]),
  ...documented(
    'other',
    'https://developer.hashicorp.com/terraform/cli/config/environment-variables',
    'terraform',
    [
      group('behaviour')`TF_VAR_* TF_CLI_* TF_LOG TF_LOG_* TF_WORKSPACE TF_DATA_DIR TF_PLUGIN_CACHE_DIR
      TF_TOKEN_* TF_INPUT TF_IN_AUTOMATION TOFU_*`,
    ],
  ),
  ...documented('other', 'https://docs.docker.com/reference/cli/docker/#environment-variables', 'docker', [
    group('behaviour', {
      special: [
        {
          names:
            'DOCKER_HOST DOCKER_BUILDKIT DOCKER_CONTEXT DOCKER_CONFIG COMPOSE_DOCKER_CLI_BUILD COMPOSE_BAKE CONTAINER_HOST',
          personal: true,
        },
      ],
    })`DOCKER_DEFAULT_PLATFORM DOCKER_TLS_VERIFY DOCKER_CERT_PATH DOCKER_API_VERSION COMPOSE_* BUILDKIT_* BUILDX_* TESTCONTAINERS_*`,
  ]),
  ...documented('other', 'https://helm.sh/docs/helm/helm/', 'helm kubernetes', [
    group('tool-setting')`KUBECONFIG HELM_* KUBE_* MINIKUBE_* SKAFFOLD_*`,
  ]),
  ...documented('other', 'https://github.com/bazelbuild/bazelisk', 'bazel', [
    group('tool-setting')`BAZEL_* USE_BAZEL_VERSION BAZELISK_*`,
  ]),
];
