// Rules about programs, modules and libraries that are not found, or that take other options.

import type { RuleRow } from '../rule.ts';

const libraryPaths = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'LD_PRELOAD'].flatMap(
  (name) => [`env:${name}`, `paths:${name}`] as const,
);

export const programRules: readonly RuleRow[] = [
  {
    has: `[[: not found;bad substitution;illegal option -o pipefail;pushd: not found;source: not found;
      syntax error: "(" unexpected;bad for loop variable;syntax error: redirection unexpected`,
    names: ['facts:program.sh'],
    report: 'phoerious/rs-backup-suite/issues/7',
  },
  {
    // What bash has since its version 4, which macOS does not.
    has: `declare: -a: invalid option;local: -a: invalid option;typeset: -a: invalid option;
      mapfile: command not found;readarray: command not found;coproc: command not found;
      shopt: globstar: invalid;,,}: bad substitution;^^}: bad substitution`,
    names: ['runtimes:bash', 'facts:program.sh'],
    report: 'nerdgeneration/www.sh/issues/2',
  },
  {
    // The program itself is named by what is missing.
    has: `command not found;: not found;is not recognized as an internal;spawn ;executable file not found;
      no such file or directory: ;env: `,
    names: [],
    hints: [
      ...(['env:NODE_ENV', 'facts:npm.omit'] as const),
      ...(['paths:PATH', 'installed:*', 'system:libc'] as const),
    ],
    report: 'GoogleCloudPlatform/nodejs-docker/issues/155',
  },
  {
    has: `could not find ;cannot find ;unable to find ;can't find ;not found: ;not find program ;which: no ;
      find executable ;linker \``,
    names: [],
    hints: ['paths:PATH'],
    report: 'the-benchmarker/web-frameworks/pull/9583',
  },
  {
    // What an install leaves out, or brings for one platform only.
    has: `optional dependenc;prebuil;native binding;could not load the ";bindings file;.node';.node";
      install script;postinstall;failed to load native`,
    names: [],
    hints: [
      'facts:npm.ignoreScripts',
      'facts:npm.omit',
      'system:libc',
      'arch:arch',
      'installed:*',
      'runtimes:node',
    ],
    report: 'BoundaryML/baml/issues/1466',
  },
  {
    has: 'distutils',
    names: ['runtimes:python', 'package:setuptools'],
    report: 'nodejs/node-gyp/issues/2869',
  },
  {
    has: 'gyp err!',
    names: ['runtimes:python'],
    hints: ['runtimes:node', 'runtimes:gcc', 'runtimes:g++', 'runtimes:make'],
    report: 'nodejs/node-gyp/issues/3124',
  },
  {
    has: `cannot find module ;cannot find package ;can't resolve ;failed to resolve import ;could not resolve `,
    names: [],
    hints: ['env:NODE_ENV', 'facts:npm.omit', 'installed:*', 'env:NODE_PATH', 'paths:NODE_PATH'],
    report: 'npm/npm/issues/6803',
  },
  {
    has: `cannot find module '.;cannot find module "./;can't resolve '.;can't resolve "./;
      could not resolve './;could not resolve "./;could not resolve '../;could not resolve "../;
      failed to resolve import './;failed to resolve import "./;failed to resolve import "../`,
    names: ['family:case of file names', 'checkout:*'],
    report: 'graphprotocol/contracts/pull/229',
  },
  {
    has: 'no module named ;cannot import name;attributeerror: module ;importerror: ',
    names: [],
    hints: [
      ...(['env:PYTHONPATH', 'paths:PYTHONPATH', 'env:VIRTUAL_ENV', 'env:PYTHONHOME'] as const),
      ...(['installed:*', 'runtimes:python'] as const),
    ],
    report: '8ball030/auto_dev/issues/591',
  },
  {
    has: "cannot load such file -- ;could not find gem ;can't find gem ;could not find ",
    names: [],
    hints: ['env:GEM_HOME', 'env:BUNDLE_GEMFILE', 'env:RUBYLIB', 'paths:RUBYLIB'],
    report: 'the-benchmarker/web-frameworks/pull/9583',
  },
  {
    has: 'glibc_',
    and: ['glibc_2'],
    names: ['system:libc'],
    hints: ['system:distribution'],
    older: true,
    report: 'vectorize-io/hindsight/issues/2321',
  },
  {
    // A program built for one platform, or a list of platforms without this one.
    has: `only supports platforms;not supported on;unsupported platform;cannot be used on;not available for;
      previously recorded in the dependency lock file;match any of the checksums;add the current platform;
      --add-platform;ebadplatform;notsup;unsupported os;unsupported architecture;no prebuilt;no binary for;
      -linux-x64;-linux-arm64;-darwin-x64;-darwin-arm64;-win32-x64;-x64-gnu;-x64-musl;-arm64-gnu;-arm64-musl;
      x86_64-linux;aarch64-linux;arm64-darwin;x86_64-darwin;linux_amd64;linux_arm64;darwin_arm64`,
    and: [
      'only support;unsupported;not support;cannot;not available;checksum;previously recorded;platform;no prebuilt;no binary;not found;missing;could not;failed;error',
    ],
    names: ['os:os', 'arch:arch'],
    hints: ['system:libc'],
    report: 'camping/camping/issues/168',
  },
  {
    has: '__isoc23_',
    names: ['system:libc'],
    hints: ['system:distribution'],
    report: 'JRufer/VoxCtrl/pull/62',
  },
  {
    has: 'glibcxx_;cxxabi_',
    names: ['package:libstdc++6', 'package:libstdc++', 'tool:g++', 'tool:gcc'],
    hints: ['system:distribution', 'system:libc'],
    report: 'curie-eng/curie/issues/1341',
  },
  {
    has: `cannot open shared object file;library not loaded;error while loading shared libraries;
      image not found;unable to load library;failed to load shared library;symbol lookup error;undefined symbol;
      no version information available;dlopen`,
    names: libraryPaths,
    hints: ['dependencies:/*', 'system:libc', 'system:distribution'],
    report: 'ROCm/TheRock/pull/8113',
  },
  {
    has: 'directory of openssl;packages of openssl;openssl/ssl.h;openssl/opensslv.h',
    names: ['package:libssl-dev', 'package:openssl-devel', 'package:openssl-dev', 'env:OPENSSL_DIR'],
    report: 'emilk/eframe_template/issues/21',
  },
  {
    has: 'cannot load backend',
    names: ['env:MPLBACKEND', 'env:DISPLAY'],
    report: 'matplotlib/matplotlib/issues/29713',
  },
  {
    has: '.net to run;following frameworks were found;compatible .net sdk;netsdk1045;current .net sdk',
    names: ['tool:dotnet', 'env:DOTNET_ROOT', 'env:DOTNET_ROLL_FORWARD'],
    report: 'openbullet/OpenBullet2/issues/893',
  },
  {
    has: 'corepack',
    names: ['runtimes:corepack'],
    hints: ['runtimes:node'],
    report: 'nodejs/corepack/issues/631',
  },
  {
    has: 'linuxmusl;linux-musl;ld-linux;ld-musl;error relocating;_chk: symbol not found;symbol not found',
    names: ['system:libc'],
    hints: ['system:distribution'],
    report: 'Level/leveldown/issues/388',
  },
  {
    has: 'node_module_version;was compiled against a different node',
    names: ['runtimes:node', 'installed:*'],
    report: 'ONSdigital/sdc-global-design-patterns/pull/102',
  },
  {
    has: 'illegal instruction;sigill;avx;sse4;instruction set;x86-64-v;exit code 132;illegal hardware instruction',
    names: ['facts:cpu.features', 'facts:cpu.emulation'],
    hints: ['arch:arch'],
    report: 'zlib-ng/zlib-ng/issues/553',
  },
  {
    has: `exec format error;bad cpu type;wrong elf class;incompatible architecture;no matching manifest;
      for another platform;is not a supported wheel;bad image type`,
    names: ['arch:arch', 'os:os', 'facts:cpu.emulation', 'env:DOCKER_DEFAULT_PLATFORM'],
    report: 'Level/leveldown/issues/388',
  },
  {
    has: `illegal option --;invalid option --;unrecognized option;busybox v;illegal byte sequence;
      invalid command code`,
    names: ['family:basic tools'],
    report: 'syndesisio/syndesis/issues/7355',
  },
  {
    has: ' awk: ;gawk: ;mawk: ',
    and: ['not an option;syntax error;invalid;unexpected;undefined;never defined;cannot;fatal'],
    names: ['facts:program.awk', 'package:gawk', 'package:mawk'],
    report: 'gissf1/zram-hibernate/issues/6',
  },
  {
    has: ' sc1;(sc1;[sc1;_sc1; sc2;(sc2;[sc2;_sc2',
    and: ['shellcheck;(warning;(error;(info;(style;^--;double quote;in '],
    names: ['runtimes:shellcheck'],
    report: 'brave/security-action/pull/954',
  },
  {
    has: 'no such container;no such service;is not a docker command;docker-compose: ',
    names: ['runtimes:docker-compose'],
    hints: ['runtimes:docker'],
    report: 'atsign-foundation/at_client_sdk/pull/1282',
  },
  {
    has: 'client version ;api version;minimum supported api',
    and: ['too old;too new;minimum supported;maximum supported'],
    names: ['runtimes:docker', 'env:DOCKER_API_VERSION'],
    report: 'testcontainers/testcontainers-java/issues/11212',
  },
  {
    has: '*** missing separator;multiple target patterns',
    names: ['runtimes:make', 'facts:program.make', 'facts:make.flags'],
    hints: ['facts:program.sh', 'family:basic tools'],
    report: 'tomwillfixit/unity3d/pull/5',
  },
  {
    has: `cuda driver version is insufficient;no cuda-capable device;libcuda.so;nvidia-smi has failed;
      cuda error;cudnn`,
    names: ['family:graphics driver', 'env:CUDA_VISIBLE_DEVICES'],
    report: 'uzh-rpg/rpg_open_remode/issues/9',
  },
];
