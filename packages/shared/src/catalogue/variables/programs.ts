// Variables that change what programs do: any program, applications, languages with their runtimes, compilers and package managers. Read by variable-catalogue.ts.

import { tableRows } from '../../text/table-rows.ts';

export const ofPrograms = tableRows(`
  # posix | https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html
  behaviour | likelihood: high | CHARSET
  behaviour | likelihood: language, family: language, alike: language, personal, plain, inert | LANG LANGUAGE LC_ALL
    LC_CTYPE LC_MESSAGES
  behaviour | likelihood: language, family: language, personal, plain, inert | LC_COLLATE LC_NUMERIC LC_TIME
    LC_MONETARY
  behaviour | likelihood: high, family: time zone, alike: zone, personal, plain, inert | TZ
  behaviour | likelihood: search path | PATH[] Path[]
  behaviour | | IFS POSIXLY_CORRECT POSIX_ME_HARDER BASH_ENV ENV SHELLOPTS BASHOPTS NLSPATH I18NPATH CDPATH[]
    GREP_OPTIONS TAR_OPTIONS XZ_OPT XZ_DEFAULTS GZIP BLOCK_SIZE BLOCKSIZE QUOTING_STYLE PATHEXT[] ComSpec
  behaviour | plain | LC_*
  behaviour | family: time zone, personal | TZDIR
  behaviour | family: language, personal | LOCPATH LOCALE_ARCHIVE
  # posix | https://man7.org/linux/man-pages/man7/locale.7.html
  desktop | plain | LC_ADDRESS LC_IDENTIFICATION LC_MEASUREMENT LC_NAME LC_PAPER LC_TELEPHONE
  # posix | https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html
  behaviour | family: temporary folder, alike: temporary folder | TMPDIR TEMPDIR TMP TEMP
  # ld.so | https://man7.org/linux/man-pages/man8/ld.so.8.html
  behaviour | likelihood: high | LD_LIBRARY_PATH[] LD_PRELOAD[] GLIBC_TUNABLES
  behaviour | | LD_* MALLOC_* MALLOC_ARENA_MAX GCONV_PATH GETCONF_DIR HOSTALIASES RES_OPTIONS LOCALDOMAIN
    RESOLV_HOST_CONF
  # dyld | https://keith.github.io/xcode-man-pages/dyld.1.html
  behaviour | likelihood: high | DYLD_LIBRARY_PATH[] DYLD_INSERT_LIBRARIES DYLD_FALLBACK_LIBRARY_PATH[]
    DYLD_FRAMEWORK_PATH[] DYLD_*
  # curl | https://curl.se/docs/manpage.html#ENVIRONMENT
  behaviour | likelihood: high, family: proxy, personal | http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
    all_proxy
  behaviour | likelihood: high, family: proxy, alike: proxy, personal | NO_PROXY no_proxy
  behaviour | | rsync_proxy socks_proxy SOCKS_PROXY CURL_* WGETRC WGET_* auto_proxy
  behaviour | family: proxy, personal | ftp_proxy FTP_PROXY
  # openssl | https://docs.openssl.org/master/man7/openssl-env/
  behaviour | likelihood: high | OPENSSL_CONF
  behaviour | likelihood: high, family: certificates, personal | SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE
    REQUESTS_CA_BUNDLE GIT_SSL_CAINFO AWS_CA_BUNDLE NIX_SSL_CERT_FILE HTTPLIB2_CA_CERTS
    GRPC_DEFAULT_SSL_ROOTS_FILE_PATH
  behaviour | | OPENSSL_* SSLKEYLOGFILE RANDFILE
  behaviour | personal | KRB5_CONFIG KRB5CCNAME
  # git | https://git-scm.com/docs/git#_environment_variables
  behaviour | likelihood: high | GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_CONFIG_SYSTEM
    GIT_CONFIG_COUNT GIT_CONFIG_KEY_* GIT_CONFIG_VALUE_* GIT_CONFIG_PARAMETERS GIT_SSL_NO_VERIFY
  behaviour | likelihood: high, personal | GIT_SSH_COMMAND GIT_CONFIG_GLOBAL
  behaviour | | GIT_* GIT_LFS_SKIP_SMUDGE
  personal | | GIT_ASKPASS GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_PS1_* GIT_TERMINAL_PROMPT GIT_SSH GIT_TRACE*
    GIT_MERGE_AUTOEDIT GIT_PROMPT_*
  identity | | GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL EMAIL GIT_AUTHOR_DATE
    GIT_COMMITTER_DATE
  # conventions | https://docs.github.com/en/actions/reference/workflows-and-actions/variables
  behaviour | likelihood: high, personal | CONTINUOUS_INTEGRATION
  behaviour | likelihood: runner, personal, plain, inert | CI
  # conventions | https://12factor.net/config
  behaviour | | DEBUG VERBOSE LOG_LEVEL ENVIRONMENT APP_ENVIRONMENT APP_DEBUG
  behaviour | plain, inert | APP_ENV
  behaviour | inert | SOURCE_DATE_EPOCH
  application | likelihood: high | DATABASE_URL *_DATABASE_URL DB_* *_DB_URL POSTGRES_* POSTGRESQL_* PGHOST PGPORT
    PGUSER PGPASSWORD PGDATABASE PGSSLMODE MYSQL_* MARIADB_* MONGO_* MONGODB_* REDIS_URL REDIS_* RABBITMQ_*
    AMQP_URL KAFKA_* ELASTICSEARCH_* OPENSEARCH_* SMTP_* MAIL_* *_API_URL *_BASE_URL *_ENDPOINT API_URL BASE_URL
  application | likelihood: high, personal | PG*
  application | | *_API_KEY *_SECRET *_TOKEN *_PASSWORD *_SECRET_KEY SECRET_KEY SECRET_KEY_BASE JWT_* STRIPE_* SENTRY_*
    S3_* OAUTH_* FEATURE_* PORT HOST_URL NEXT_PUBLIC_* REACT_APP_* VUE_APP_* NUXT_* GATSBY_* EXPO_PUBLIC_* PUBLIC_*
    FIREBASE_* AZURE_OPENAI_* GITHUB_APP_* *_BUCKET *_BUCKET_NAME *_CLIENT_ID *_CLIENT_SECRET
  personal | | GITHUB_PAT GH_TOKEN GH_HOST GITLAB_TOKEN HOMEBREW_GITHUB_API_TOKEN OPENAI_API_KEY ANTHROPIC_API_KEY
    GEMINI_API_KEY HF_TOKEN HUGGING_FACE_HUB_TOKEN TAVILY_API_KEY GROQ_API_KEY MISTRAL_API_KEY OPENROUTER_API_KEY
    DIGITALOCEAN_ACCESS_TOKEN SENTRY_AUTH_TOKEN MYSQL_PS1 CLOUDFLARE_API_TOKEN JIRA_* ATLASSIAN_* SLACK_TOKEN
    LINEAR_API_KEY VAULT_TOKEN BW_SESSION OP_* LASTPASS_* NGROK_* JIRA_API_TOKEN OP_SERVICE_ACCOUNT_TOKEN
    PULUMI_ACCESS_TOKEN SNYK_TOKEN TS_AUTHKEY TELEPORT_* VAULT_ADDR VAULT_NAMESPACE NOMAD_ADDR NOMAD_TOKEN
    CONSUL_HTTP_ADDR CONSUL_HTTP_TOKEN OLLAMA_*
  # aws | https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html | aws terraform
  tool-setting | | AWS_PROFILE AWS_DEFAULT_PROFILE AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_REGION
    AWS_DEFAULT_REGION AWS_ENDPOINT_URL AWS_ENDPOINT_URL_* AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_ROLE_ARN
    AWS_WEB_IDENTITY_TOKEN_FILE AWS_* SAM_* CDK_*
  # google-cloud | https://cloud.google.com/docs/authentication/application-default-credentials | gcp terraform
  tool-setting | | GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GCLOUD_PROJECT GCP_* GOOGLE_CLOUD_*
    GOOGLE_CREDENTIALS GOOGLE_PROJECT GOOGLE_REGION GOOGLE_ZONE GOOGLE_IMPERSONATE_* CLOUDSDK_* FIRESTORE_EMULATOR_HOST
  tool-setting | family: certificates | CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE
  # azure | https://learn.microsoft.com/azure/developer/intro/azure-developer-global-environment-variables | azure terraform
  tool-setting | | AZURE_* ARM_* AZURE_CONFIG_DIR AZURE_CLIENT_ID AZURE_CLIENT_SECRET ARM_CLIENT_ID ARM_CLIENT_SECRET
  # envsnap | README.md
  own | | ENVSNAP_API_KEY ENVSNAP_BASE_URL ENVSNAP_PROFILE ENVSNAP_FINGERPRINT_KEY
  # node | https://nodejs.org/api/cli.html#environment-variables | npm jsr
  behaviour | likelihood: high | NODE_PATH[] NODE_TLS_REJECT_UNAUTHORIZED NODE_ICU_DATA
  behaviour | likelihood: high, plain, inert | NODE_ENV
  behaviour | likelihood: high, family: certificates, personal | NODE_EXTRA_CA_CERTS
  behaviour | likelihood: high, alike: sizes | NODE_OPTIONS
  behaviour | | NODE_DEBUG NODE_DEBUG_NATIVE NODE_NO_WARNINGS NODE_PENDING_DEPRECATION NODE_PENDING_PIPE_INSTANCES
    NODE_PRESERVE_SYMLINKS NODE_PRESERVE_SYMLINKS_MAIN NODE_REDIRECT_WARNINGS NODE_SKIP_PLATFORM_CHECK
    NODE_USE_ENV_PROXY NODE_USE_SYSTEM_CA NODE_V8_COVERAGE UV_USE_IO_URING NODE_APP_INSTANCE NODE_CONFIG
    NODE_CONFIG_DIR NODE_CONFIG_ENV BABEL_ENV BROWSERSLIST BROWSERSLIST_ENV TS_NODE_* DENO_* BUN_* JEST_* VITE_*
    ESLINT_USE_FLAT_CONFIG
  behaviour | family: certificates, personal | DENO_CERT
  behaviour | inert | UV_THREADPOOL_SIZE
  tool-setting | likelihood: low | NODE_COMPILE_CACHE NODE_DISABLE_COMPILE_CACHE NODE_DISABLE_COLORS NODE_REPL_*
    NODE_TEST_CONTEXT NODE_HOME NODE_MIRROR
  # npm | https://docs.npmjs.com/cli/using-npm/config#environment-variables | npm
  tool-setting | | npm_config_* NPM_CONFIG_* NPM_TOKEN NPM_AUTH_TOKEN NPM_REGISTRY YARN_* PNPM_CONFIG_* pnpm_config_*
    COREPACK_* NODE_AUTH_TOKEN NODE_GYP_* PUPPETEER_* PLAYWRIGHT_* CYPRESS_* ELECTRON_* SASS_BINARY_SITE
    SASS_BINARY_PATH SHARP_* PRISMA_* TURBO_* NX_* HUSKY HUSKY_*
  tool-setting | family: npm registry | npm_config_registry NPM_CONFIG_REGISTRY
  tool-setting | family: certificates | npm_config_cafile NPM_CONFIG_CAFILE
  personal | likelihood: low | PNPM_HOME NPM_PACKAGES BUN_INSTALL DENO_INSTALL NPM_CONFIG_PREFIX NPM_CONFIG_CACHE
    YARN_CACHE_FOLDER COREPACK_ENABLE_DOWNLOAD_PROMPT COREPACK_ENABLE_AUTO_PIN
  # python | https://docs.python.org/3/using/cmdline.html#environment-variables | pypi conda
  behaviour | likelihood: high | PYTHONPATH[] PYTHONHOME PYTHONOPTIMIZE PYTHONCOERCECLOCALE
    PYTHONSAFEPATH PYTHONDEVMODE
  behaviour | likelihood: high, alike: sizes | PYTHONWARNINGS
  behaviour | likelihood: high, personal | PYTHONIOENCODING PYTHONNOUSERSITE
  behaviour | likelihood: high, inert, personal | PYTHONHASHSEED PYTHONUTF8
  behaviour | | PYTHONINSPECT PYTHONCASEOK PYTHONVERBOSE PYTHONUSERBASE PYTHONTRACEMALLOC PYTHONASYNCIODEBUG
    PYTHONMALLOC PYTHONLEGACYWINDOWS* PYTHONPYCACHEPREFIX PYTHONINTMAXSTRDIGITS PYTHONTZPATH PYTHON_GIL PYTHON_JIT
    PYTEST_* DJANGO_SETTINGS_MODULE DJANGO_* FLASK_* TOX_* SETUPTOOLS_* NUMBA_* TF_CPP_* TF_ENABLE_*
    PYTORCH_* HF_HOME
  behaviour | alike: sizes | PYTEST_ADDOPTS
  behaviour | personal | PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONBREAKPOINT PYTHONFAULTHANDLER
  behaviour | | CONDA_CHANNELS CONDA_SUBDIR
  behaviour | personal | CONDA_DEFAULT_ENV
  behaviour | alike: place | VIRTUAL_ENV CONDA_PREFIX
  version-manager | | CONDA_EXE CONDA_PYTHON_EXE CONDA_SHLVL CONDA_PREFIX_* CONDA_PROMPT_MODIFIER _CONDA_* _CE_CONDA
    _CE_M VIRTUAL_ENV_PROMPT VIRTUAL_ENV_DISABLE_PROMPT VIRTUALENVWRAPPER_* WORKON_HOME PROJECT_HOME MAMBA_EXE
    MAMBA_ROOT_PREFIX PYTHON_INSTALL_*
  # pip | https://pip.pypa.io/en/stable/topics/configuration/#environment-variables | pypi conda
  tool-setting | | PIP_* UV_* POETRY_* PIPENV_* PDM_* TWINE_* HATCH_* CIBW_* WANDB_*
  tool-setting | family: python index | PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX UV_INDEX_URL UV_EXTRA_INDEX_URL
  tool-setting | family: certificates, personal | PIP_CERT
  tool-setting | personal | PIP_REQUIRE_VIRTUALENV POETRY_VIRTUALENVS_* PIPENV_VENV_IN_PROJECT UV_LINK_MODE
  # java | https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html | maven
  behaviour | likelihood: high | CLASSPATH[]
  behaviour | likelihood: high, follows: java, alike: place | JAVA_HOME
  behaviour | likelihood: high, alike: sizes | JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS
  behaviour | | MAVEN_ARGS KOTLIN_* JAVA_VERSION SPRING_* ANDROID_* MAVEN_CONFIG ORG_GRADLE_PROJECT_* JAVACMD
  behaviour | follows: java, alike: place | JDK_HOME JRE_HOME
  behaviour | alike: place | GRADLE_USER_HOME
  behaviour | alike: sizes, personal | MAVEN_OPTS GRADLE_OPTS SBT_OPTS JVM_OPTS
  # java | https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html | maven android
  tool-setting | | ANDROID_AVD_HOME ANDROID_USER_HOME JAVA_MAIN_CLASS_* JAVA_ARCH
  tool-setting | alike: place | ANDROID_HOME ANDROID_SDK_ROOT
  # go | https://pkg.go.dev/cmd/go#hdr-Environment_variables | go
  behaviour | likelihood: high, personal | GOPROXY GOTOOLCHAIN
  behaviour | likelihood: high, alike: sizes | GOFLAGS
  behaviour | likelihood: high | GOOS GOARCH GO111MODULE CGO_ENABLED GOEXPERIMENT GODEBUG
  behaviour | | GOAMD64 GOARM GOARM64 GO386 GOPRIVATE GONOPROXY GONOSUMDB GONOSUMCHECK GOSUMDB GOINSECURE GOVCS GOWORK
    GOTRACEBACK GORACE GOCOVERDIR CGO_* GOAUTH GOFIPS140
  behaviour | inert | GOMAXPROCS GOMEMLIMIT GOGC
  tool-setting | likelihood: low | GOPATH[] GOBIN GOCACHE GOMODCACHE GOTMPDIR GOENV GOTELEMETRY GOTELEMETRYDIR
    GOCACHEPROG GOVERSION
  tool-setting | likelihood: low, follows: go | GOROOT
  # rust | https://doc.rust-lang.org/cargo/reference/environment-variables.html | cargo
  behaviour | likelihood: high | RUSTFLAGS CARGO_BUILD_TARGET RUSTUP_TOOLCHAIN CARGO_ENCODED_RUSTFLAGS
  behaviour | likelihood: high, personal | RUSTC_WRAPPER
  behaviour | | RUSTDOCFLAGS RUST_MIN_STACK RUST_TEST_* RUSTC RUSTC_BOOTSTRAP RUSTC_WORKSPACE_WRAPPER CARGO_*
    CARGO_NET_* CARGO_TARGET_* RUST_SRC_PATH SCCACHE_*
  behaviour | family: certificates, personal | CARGO_HTTP_CAINFO
  behaviour | personal | RUST_BACKTRACE RUST_LOG CARGO_BUILD_JOBS
  tool-setting | likelihood: low | CARGO_HOME RUSTUP_HOME RUSTUP_* CARGO_TERM_* CARGO_INCREMENTAL
  # ruby | https://docs.ruby-lang.org/en/master/ruby/environment_variables_md.html | rubygems
  behaviour | likelihood: high | RUBYLIB[] BUNDLE_GEMFILE
  behaviour | likelihood: high, alike: sizes | RUBYOPT
  behaviour | likelihood: high, plain, inert | RAILS_ENV RACK_ENV
  behaviour | likelihood: high, alike: place | GEM_HOME GEM_PATH[]
  behaviour | | RUBY_* BUNDLE_* BUNDLER_* RUBYGEMS_* GEMRC RAILS_* RSPEC_* SPEC_OPTS DISABLE_SPRING RUBY_YJIT_ENABLE
    JRUBY_OPTS GEM_ROOT RUBYPATH
  behaviour | personal | BUNDLE_PATH BUNDLE_JOBS BUNDLE_RETRY BUNDLE_USER_*
  # dotnet | https://learn.microsoft.com/dotnet/core/tools/dotnet-environment-variables | nuget
  behaviour | likelihood: high | ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT DOTNET_SYSTEM_GLOBALIZATION_*
    DOTNET_ROLL_FORWARD
  behaviour | likelihood: high, follows: dotnet, alike: place | DOTNET_ROOT
  behaviour | | ASPNETCORE_* DOTNET_* NUGET_* MSBUILD* COMPlus_* CORECLR_* Platform VSTEST_*
  tool-setting | likelihood: low | DOTNET_CLI_* DOTNET_GENERATE_ASPNET_CERTIFICATE DOTNET_PRINT_TELEMETRY_MESSAGE
  # php | https://getcomposer.org/doc/03-cli.md#environment-variables | composer
  behaviour | | PHPRC PHP_INI_SCAN_DIR COMPOSER COMPOSER_* SYMFONY_* XDEBUG_* LARAVEL_* PHP_CS_FIXER_*
  # c | https://www.gnu.org/software/make/manual/html_node/Implicit-Variables.html | c cargo go npm pypi rubygems conan
  behaviour | likelihood: high, personal | CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS AR LD PKG_CONFIG_PATH[]
    PKG_CONFIG_LIBDIR[] CPATH[] LIBRARY_PATH[] C_INCLUDE_PATH[] CPLUS_INCLUDE_PATH[]
  behaviour | likelihood: high | MACOSX_DEPLOYMENT_TARGET
  behaviour | likelihood: high, alike: place | SDKROOT
  behaviour | | FC F77 FFLAGS AS NM RANLIB STRIP OBJCOPY ARFLAGS LDLIBS CMAKE_* CMAKE_PREFIX_PATH[] CMAKE_MODULE_PATH[]
    CTEST_* NINJA_STATUS PKG_CONFIG PKG_CONFIG_* CCACHE_* CCC_* CONAN_* VCPKG_* ARCHFLAGS OBJC_* OBJC_INCLUDE_PATH[]
    ACLOCAL_PATH[] GI_TYPELIB_PATH[] ASAN_OPTIONS LSAN_OPTIONS MSAN_OPTIONS TSAN_OPTIONS UBSAN_OPTIONS LLVM_* EM_*
    EMSDK* VCINSTALLDIR VSCMD_* WindowsSdk* INCLUDE[] LIB[] LIBPATH[]
  behaviour | alike: place | EMSDK
  behaviour | personal | OBJC_DISABLE_INITIALIZE_FORK_SAFETY
  # openmp | https://www.openmp.org/specifications/ | c cargo conan conda cran cuda julia pypi
  behaviour | | OMP_* MKL_* OPENBLAS_*
  behaviour | inert, alike: sizes | OMP_NUM_THREADS
  behaviour | alike: sizes | MKL_NUM_THREADS OPENBLAS_NUM_THREADS
  # cuda | https://docs.nvidia.com/cuda/cuda-c-programming-guide/#cuda-environment-variables | c cargo conan conda cran cuda julia pypi
  behaviour | | CUDA_VISIBLE_DEVICES
  behaviour | alike: place | CUDA_HOME CUDA_PATH
  # laravel-mix | https://laravel-mix.com/docs/6.0/environment-variables | composer hex npm
  behaviour | | MIX_*
  # elixir | https://hexdocs.pm/mix/Mix.html#module-environment-variables | hex
  behaviour | | MIX_ENV MIX_EXS MIX_HOME MIX_TARGET HEX_* ELIXIR_* ERL_* ERLANG_* KERL_* REBAR_*
  # perl | https://perldoc.perl.org/perlrun#ENVIRONMENT | perl
  behaviour | | PERL5LIB[] PERL5OPT PERLLIB[] PERL_MM_OPT PERL_MB_OPT PERL_LOCAL_LIB_ROOT PERL_* PERLBREW_*
  # lua | https://www.lua.org/manual/5.4/manual.html#7 | lua
  behaviour | | LUA_PATH[] LUA_CPATH[] LUA_INIT LUA_PATH_* LUA_CPATH_* LUA_INIT_*
  # r | https://stat.ethz.ch/R-manual/R-devel/library/base/html/EnvVar.html | cran
  behaviour | | R_LIBS[] R_LIBS_USER[] R_LIBS_SITE R_HOME R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER R_* RENV_*
  # julia | https://docs.julialang.org/en/v1/manual/environment-variables/ | julia
  behaviour | | JULIA_* JULIA_LOAD_PATH[] JULIA_DEPOT_PATH[]
  # haskell | https://downloads.haskell.org/ghc/latest/docs/users_guide/packages.html | hackage
  behaviour | | GHC_* GHCRTS STACK_ROOT STACK_WORK STACK_YAML STACK_XDG CABAL_*
  # haskell | https://www.haskell.org/ghcup/guide/ | hackage
  version-manager | | GHCUP_*
  # ocaml | https://opam.ocaml.org/doc/Manual.html | opam
  behaviour | | OCAMLPATH OCAMLPARAM OCAMLRUNPARAM CAML_LD_LIBRARY_PATH OPAM* OCAML_TOPLEVEL_PATH
  # dart | https://dart.dev/tools/pub/environment-variables | pub
  behaviour | | PUB_CACHE PUB_ENVIRONMENT PUB_HOSTED_URL FLUTTER_* DART_*
  # swift | https://developer.apple.com/documentation/xcode/build-settings-reference | swift cocoapods
  behaviour | | TOOLCHAINS SWIFT_* XCODE_* FASTLANE_* COCOAPODS_* CP_HOME_DIR CP_REPOS_DIR
  behaviour | alike: place | DEVELOPER_DIR
  # nix | https://nix.dev/manual/nix/stable/command-ref/env-common | nix
  behaviour | | NIX_PATH[] NIX_CONFIG NIX_REMOTE NIXPKGS_* IN_NIX_SHELL NIX_LDFLAGS NIX_CFLAGS_COMPILE NIX_*
  # nix | https://nix.dev/manual/nix/stable/command-ref/env-common
  shell | | NIX_PROFILES NIX_USER_PROFILE_DIR __ETC_PROFILE_NIX_SOURCED __NIXOS_SET_ENVIRONMENT_DONE
    NIX_XDG_DESKTOP_PORTAL_DIR
  # other | https://developer.hashicorp.com/terraform/cli/config/environment-variables | terraform
  behaviour | | TF_VAR_* TF_CLI_* TF_LOG TF_LOG_* TF_WORKSPACE TF_DATA_DIR TF_PLUGIN_CACHE_DIR TF_TOKEN_* TF_INPUT
    TF_IN_AUTOMATION TOFU_*
  # other | https://docs.docker.com/reference/cli/docker/#environment-variables | docker
  behaviour | | DOCKER_DEFAULT_PLATFORM DOCKER_TLS_VERIFY DOCKER_CERT_PATH DOCKER_API_VERSION COMPOSE_* BUILDKIT_*
    BUILDX_* TESTCONTAINERS_*
  behaviour | personal | DOCKER_HOST DOCKER_BUILDKIT DOCKER_CONTEXT DOCKER_CONFIG COMPOSE_DOCKER_CLI_BUILD COMPOSE_BAKE
    CONTAINER_HOST
  # other | https://helm.sh/docs/helm/helm/ | helm kubernetes
  tool-setting | | KUBECONFIG HELM_* KUBE_* MINIKUBE_* SKAFFOLD_*
  # other | https://github.com/bazelbuild/bazelisk | bazel
  tool-setting | | BAZEL_* USE_BAZEL_VERSION BAZELISK_*
`);
