// Rules about programs, modules and libraries that are not found or take other options, and about versions.

import { rulesOf } from '../rule.ts';

export const programRules = rulesOf(`
  phoerious/rs-backup-suite/issues/7 = facts:program.sh
    [[: not found;bad substitution;illegal option -o pipefail;pushd: not found;source: not found;
    syntax error: "(" unexpected;bad for loop variable;syntax error: redirection unexpected
  # What bash has since its version 4, which macOS does not.
  nerdgeneration/www.sh/issues/2 = runtimes:bash, facts:program.sh
    declare: -a: invalid option;local: -a: invalid option;typeset: -a: invalid option;
    mapfile: command not found;readarray: command not found;coproc: command not found;
    shopt: globstar: invalid;,,}: bad substitution;^^}: bad substitution
  # The program itself is named by what is missing.
  GoogleCloudPlatform/nodejs-docker/issues/155 ~ env:NODE_ENV, facts:npm.omit, paths:PATH, installed:*,
    system:libc
    command not found;: not found;is not recognized as an internal;spawn ;executable file not found;
    no such file or directory: ;env: ;
  the-benchmarker/web-frameworks/pull/9583 ~ paths:PATH
    could not find ;cannot find ;unable to find ;can't find ;not found: ;not find program ;which: no ;
    find executable ;linker \`
  # What an install leaves out, or brings for one platform only.
  BoundaryML/baml/issues/1466 ~ facts:npm.ignoreScripts, facts:npm.omit, system:libc, arch:arch, installed:*,
    runtimes:node
    optional dependenc;prebuil;native binding;could not load the ";bindings file;.node';.node";install script;
    postinstall;failed to load native
  nodejs/node-gyp/issues/2869 = runtimes:python, package:setuptools
    distutils
  nodejs/node-gyp/issues/3124 = runtimes:python ~ runtimes:node, runtimes:gcc, runtimes:g++, runtimes:make
    gyp err!
  npm/npm/issues/6803 ~ env:NODE_ENV, facts:npm.omit, installed:*, env:NODE_PATH, paths:NODE_PATH
    cannot find module ;cannot find package ;can't resolve ;failed to resolve import ;could not resolve ;
  graphprotocol/contracts/pull/229 = family:case of file names, checkout:*
    cannot find module '.;cannot find module "./;can't resolve '.;can't resolve "./;could not resolve './;
    could not resolve "./;could not resolve '../;could not resolve "../;failed to resolve import './;
    failed to resolve import "./;failed to resolve import "../
  8ball030/auto_dev/issues/591 ~ env:PYTHONPATH, paths:PYTHONPATH, env:VIRTUAL_ENV, env:PYTHONHOME,
    installed:*, runtimes:python
    no module named ;cannot import name;attributeerror: module ;importerror: ;
  the-benchmarker/web-frameworks/pull/9583 ~ env:GEM_HOME, env:BUNDLE_GEMFILE, env:RUBYLIB, paths:RUBYLIB
    cannot load such file -- ;could not find gem ;can't find gem ;could not find ;
  vectorize-io/hindsight/issues/2321 = system:libc ~ system:distribution ! older
    glibc_
    & glibc_2
  # A program built for one platform, or a list of platforms without this one.
  camping/camping/issues/168 = os:os, arch:arch ~ system:libc
    only supports platforms;not supported on;unsupported platform;cannot be used on;not available for;
    previously recorded in the dependency lock file;match any of the checksums;add the current platform;
    --add-platform;ebadplatform;notsup;unsupported os;unsupported architecture;no prebuilt;no binary for;
    -linux-x64;-linux-arm64;-darwin-x64;-darwin-arm64;-win32-x64;-x64-gnu;-x64-musl;-arm64-gnu;-arm64-musl;
    x86_64-linux;aarch64-linux;arm64-darwin;x86_64-darwin;linux_amd64;linux_arm64;darwin_arm64
    & only support;unsupported;not support;cannot;not available;checksum;previously recorded;platform;
    no prebuilt;no binary;not found;missing;could not;failed;error
  curie-eng/curie/issues/1341 = package:libstdc++6, package:libstdc++, tool:g++, tool:gcc ~ system:distribution,
    system:libc
    glibcxx_;cxxabi_
  ROCm/TheRock/pull/8113 = env:LD_LIBRARY_PATH, paths:LD_LIBRARY_PATH, env:DYLD_LIBRARY_PATH,
    paths:DYLD_LIBRARY_PATH, env:LD_PRELOAD, paths:LD_PRELOAD ~ dependencies:/*, system:libc,
    system:distribution
    cannot open shared object file;library not loaded;error while loading shared libraries;image not found;
    unable to load library;failed to load shared library;symbol lookup error;undefined symbol;
    no version information available;dlopen
  emilk/eframe_template/issues/21 = package:libssl-dev, package:openssl-devel, package:openssl-dev,
    env:OPENSSL_DIR
    directory of openssl;packages of openssl;openssl/ssl.h;openssl/opensslv.h
  matplotlib/matplotlib/issues/29713 = env:MPLBACKEND, env:DISPLAY
    cannot load backend
  openbullet/OpenBullet2/issues/893 = tool:dotnet, env:DOTNET_ROOT, env:DOTNET_ROLL_FORWARD
    .net to run;following frameworks were found;compatible .net sdk;netsdk1045;current .net sdk
  Level/leveldown/issues/388 = system:libc ~ system:distribution
    linuxmusl;linux-musl;ld-linux;ld-musl;error relocating;_chk: symbol not found;symbol not found
  nodejs/corepack/issues/631 = runtimes:corepack ~ runtimes:node
    corepack;/corepack/
  ONSdigital/sdc-global-design-patterns/pull/102 = runtimes:node, installed:*
    node_module_version;was compiled against a different node
  zlib-ng/zlib-ng/issues/553 = facts:cpu.features, facts:cpu.emulation ~ arch:arch
    illegal instruction;sigill;avx;sse4;instruction set;x86-64-v;exit code 132;illegal hardware instruction
  Level/leveldown/issues/388 = arch:arch, os:os, facts:cpu.emulation, env:DOCKER_DEFAULT_PLATFORM
    exec format error;bad cpu type;wrong elf class;incompatible architecture;no matching manifest;
    for another platform;is not a supported wheel;bad image type
  syndesisio/syndesis/issues/7355 = family:basic tools
    illegal option --;invalid option --;unrecognized option;busybox v;illegal byte sequence;
    invalid command code
  gissf1/zram-hibernate/issues/6 = facts:program.awk, package:gawk, package:mawk
    ; awk: ;gawk: ;mawk: ;
    & not an option;syntax error;invalid;unexpected;undefined;never defined;cannot;fatal
  atsign-foundation/at_client_sdk/pull/1282 = runtimes:docker-compose ~ runtimes:docker
    no such container;no such service;is not a docker command;docker-compose: ;compose file version;
    compose file format
  testcontainers/testcontainers-java/issues/11212 = runtimes:docker, env:DOCKER_API_VERSION
    client version ;api version;minimum supported api
    & too old;too new;minimum supported;maximum supported
  uzh-rpg/rpg_open_remode/issues/9 = family:graphics driver, env:CUDA_VISIBLE_DEVICES
    cuda driver version is insufficient;no cuda-capable device;libcuda.so;nvidia-smi has failed;cuda error;
    cudnn
  ONSdigital/sdc-global-design-patterns/pull/102 = tool:node, tool:npm, tool:pnpm, tool:yarn ~
    facts:npm.engineStrict
    ebadengine;unsupported engine;err_pnpm_unsupported_engine;the engine "
  TIBCOSoftware/bw6-plugin-maven/issues/27 = tool:java, tool:javac
    unsupported major.minor version;unsupportedclassversionerror;class file version;class file major version;
    invalid source release;invalid target release;invalid flag: --release;requires at least jvm;requires jvm;
    java_home;source option;jdk version;error: release version;nosuchmethoderror: java.;
    find a java installation;no matching toolchains;could not find tools.jar;inaccessibleobjectexception;
    unnamed module;illegal reflective
  # Tools run the compiler of JAVA_HOME, and an empty one leaves /bin/java.
  WebDataConsulting/billing/issues/10 = env:JAVA_HOME
    java_home; /bin/java: no such;invalid source release;invalid target release;javac: invalid
  grafana/unused/pull/101 = tool:go, env:GOTOOLCHAIN
    unknown directive;unknown block type;errors parsing go.;is not in goroot;is not in std;undefined: slices;
    undefined: min;undefined: max;cannot range over
  ipfs/kubo/issues/7881 = env:GOFLAGS, env:CGO_ENABLED, env:GOPROXY, env:GO111MODULE, env:GOPRIVATE,
    env:GOWORK, facts:go.flags, facts:go.proxy, facts:go.private, facts:go.settings
    -mod=;/@v/;inconsistent vendoring;modules disabled;module lookup disabled;goproxy;proxy.golang.org;
    missing go.sum entry;go mod download;no required module provides;go.mod file not found;
    cannot find main module;cannot find package;go: ;checksum mismatch;sumdb;go.sum;build constraints exclude
  bedrock-crustaceans/bedrock-rs/issues/120 = tool:rustc, tool:cargo, env:RUSTUP_TOOLCHAIN
    edition2024;e0658;use of unstable
  ISCDtoolbox/Mshdist/issues/12 = runtimes:gcc, runtimes:g++, runtimes:clang, env:CFLAGS, env:CXXFLAGS,
    env:CC, env:CXX
    incompatible pointer type;incompatible-pointer-types;implicit declaration;implicit-function-declaration;
    unrecognized command-line option;unrecognized command line option;no member named;is not a member of;
    -werror;implicit-int
  token-js/token.js/issues/166 = tool:npm, facts:npm.legacyPeerDeps
    package-lock.json;eusage;eresolve;lockfileversion
  apache/dolphinscheduler/pull/13899 = runtimes:pnpm
    pnpm-lock;err_pnpm;version of pnpm
  token-js/token.js/issues/166 ~ tool:npm, tool:pnpm, tool:yarn
    lockfile;lock file
  LedgerHQ/ledger-device-rust-sdk/issues/214 = runtimes:cargo, runtimes:rustc
    lock file version;failed to parse lock file;cargo.lock;lockfile-bump
  modal-labs/blobnet/pull/36 ~ runtimes:rustc, runtimes:cargo
    clippy
  appsignal/appsignal-ruby/issues/838 = package:psych, tool:ruby
    keyword: :aliases;keyword: aliases;badalias;unknown alias;tried to load unspecified class
  # Groovy reads classes that the JDK of the build has compiled.
  alpha-asp/Alpha/issues/350 = runtimes:gradle ~ runtimes:maven
    unsupported class file major version
  reactphp/stream/pull/165 ~ tool:php
    creation of dynamic property;is deprecated in;passing null to parameter
    & .php;::;$
  mozilla/platform-status/issues/227 = tool:node, env:NODE_OPTIONS
    structuredclone is not;fetch is not defined;.at is not a function;replaceall is not a function;
    hasown is not a function;findlast is not a function;tosorted is not a function;groupby is not a function;
    withresolvers is not;flatmap is not a function;allsettled is not a function;primordials is not defined;
    unexpected reserved word;err_require_esm;does not provide an export named;: unexpected token;bad option: ;
    is not allowed in node_options;err_unknown_file_extension;err_unsupported_dir_import;import assertions
  nodejs/node/issues/50504 = tool:node ~ env:NODE_OPTIONS, family:openssl
    err_ossl_evp_unsupported;digital envelope routines;error:0308010c
  # What each language says of code that is written for another version of it.
  mozilla/platform-status/issues/227 ~ tool:node, tool:npm, installed:*
    syntaxerror;referenceerror; is not a function;err_
    & node:;.js;.ts;.mjs;.cjs;javascript;is not a function;is not defined;err_
  # V8's words, without the name of a file or of Node.js on the same line.
  tree-sitter-perl/tree-sitter-perl/issues/206 ~ tool:node, installed:*
    syntaxerror: unexpected identifier;syntaxerror: unexpected token;syntaxerror: unexpected strict;
    syntaxerror: unexpected string;syntaxerror: unexpected reserved;syntaxerror: invalid regular expression;
    syntaxerror: invalid or unexpected token;syntaxerror: cannot use import;syntaxerror: missing initializer;
    syntaxerror: missing ) after
  ajtowns/bllsh/pull/1 ~ tool:python
    syntaxerror: invalid syntax;syntaxerror: f-string;syntaxerror: expected ;syntaxerror: unmatched;
    syntaxerror: multiple exception;syntaxerror: future feature;syntaxerror: invalid decimal;
    syntaxerror: cannot assign;indentationerror;taberror
  asfernandes/node-firebird-drivers/issues/141 ~ tool:python
    unexpected keyword argument;unsupported operand type(s) for |;object is not subscriptable;
    has no attribute;nameerror: name '
  flyerhzm/uniform_notifier/pull/66 ~ tool:ruby
    undefined method \`;undefined method ';uninitialized constant;nomethoderror;unknown keyword;
    wrong number of arguments;(syntaxerror);syntax errors found
  xivapi/xivapi-php/issues/8 ~ tool:php
    php parse error;parse error: syntax error;call to undefined function;call to undefined method;
    return type of ;
    & php;::;()
  darkrenaissance/darkfi/issues/89 ~ tool:rustc
    error[e0432];error[e0433];error[e0599];error[e0658];error[e0425];is unstable;
    use of unstable library feature
  ethereum/go-ethereum/issues/26679 ~ tool:go
    : undefined: ;is not in std;is not in goroot;cannot find package
    & .go:;std;goroot
  ashald/EnvFile/issues/152 ~ tool:java, tool:javac
    noclassdeffounderror;nosuchmethoderror;package javax.;warnings found and -werror;classnotfoundexception
  theory/pgtap/issues/277 ~ package:postgres, package:mysql, runtimes:postgres, runtimes:psql
    server version;unsupported frontend protocol;operator does not exist;function does not exist;
    unrecognized configuration parameter;sql_mode;sqlstate
`);
