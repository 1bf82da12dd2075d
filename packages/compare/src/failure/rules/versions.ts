// Rules about versions that are asked for, and about what only another version understands.

import type { RuleRow } from '../rule.ts';

const node = ['tool:node'] as const;
const java = ['tool:java', 'tool:javac'] as const;

export const versionRules: readonly RuleRow[] = [
  {
    has: 'ebadengine;unsupported engine;err_pnpm_unsupported_engine;the engine "',
    names: [...node, 'tool:npm', 'tool:pnpm', 'tool:yarn'],
    hints: ['facts:npm.engineStrict'],
    report: 'ONSdigital/sdc-global-design-patterns/pull/102',
  },
  {
    has: `unsupported major.minor version;unsupportedclassversionerror;class file version;
      class file major version;invalid source release;invalid target release;invalid flag: --release;
      requires at least jvm;requires jvm;java_home;source option;jdk version;
      error: release version;nosuchmethoderror: java.;find a java installation;no matching toolchains;
      could not find tools.jar;inaccessibleobjectexception;unnamed module;illegal reflective`,
    names: java,
    report: 'TIBCOSoftware/bw6-plugin-maven/issues/27',
  },
  {
    has: `unknown directive;unknown block type;
      errors parsing go.;is not in goroot;is not in std;undefined: slices;undefined: min;
      undefined: max;cannot range over`,
    names: ['tool:go', 'env:GOTOOLCHAIN'],
    report: 'grafana/unused/pull/101',
  },
  {
    has: `-mod=;inconsistent vendoring;modules disabled;module lookup disabled;goproxy;proxy.golang.org;
      missing go.sum entry;go mod download;no required module provides;go.mod file not found;
      cannot find main module;cannot find package;go: ;checksum mismatch;sumdb;go.sum;build constraints exclude`,
    names: [
      'env:GOFLAGS',
      'env:CGO_ENABLED',
      'env:GOPROXY',
      'env:GO111MODULE',
      'env:GOPRIVATE',
      'env:GOWORK',
      'facts:go.flags',
      'facts:go.proxy',
      'facts:go.private',
      'facts:go.settings',
    ],
    report: 'ipfs/kubo/issues/7881',
  },
  {
    has: 'edition2024;e0658;use of unstable',
    names: ['tool:rustc', 'tool:cargo', 'env:RUSTUP_TOOLCHAIN'],
    report: 'bedrock-crustaceans/bedrock-rs/issues/120',
  },
  {
    has: `incompatible pointer type;incompatible-pointer-types;implicit declaration;
      implicit-function-declaration;unrecognized command-line option;unrecognized command line option;
      no member named;is not a member of;-werror;implicit-int`,
    names: [
      'runtimes:gcc',
      'runtimes:g++',
      'runtimes:clang',
      'env:CFLAGS',
      'env:CXXFLAGS',
      'env:CC',
      'env:CXX',
    ],
    report: 'ISCDtoolbox/Mshdist/issues/12',
  },
  {
    has: 'package-lock.json;eusage;eresolve;lockfileversion',
    names: ['tool:npm', 'facts:npm.legacyPeerDeps'],
    report: 'token-js/token.js/issues/166',
  },
  {
    has: 'pnpm-lock;err_pnpm;version of pnpm',
    names: ['runtimes:pnpm'],
    report: 'apache/dolphinscheduler/pull/13899',
  },
  {
    has: 'yarn.lock;err_yarn;yn0028;the lockfile would have been',
    names: ['runtimes:yarn'],
    report: 'token-js/token.js/issues/166',
  },
  {
    has: 'lockfile;lock file',
    names: [],
    hints: ['tool:npm', 'tool:pnpm', 'tool:yarn'],
    report: 'token-js/token.js/issues/166',
  },
  {
    has: 'lock file version;failed to parse lock file;cargo.lock;lockfile-bump',
    names: ['runtimes:cargo', 'runtimes:rustc'],
    report: 'LedgerHQ/ledger-device-rust-sdk/issues/214',
  },
  {
    has: 'clippy',
    names: [],
    hints: ['runtimes:rustc', 'runtimes:cargo'],
    report: 'modal-labs/blobnet/pull/36',
  },
  {
    has: 'keyword: :aliases;keyword: aliases;badalias;unknown alias;tried to load unspecified class',
    names: ['package:psych', 'tool:ruby'],
    report: 'appsignal/appsignal-ruby/issues/838',
  },
  {
    // Groovy reads classes that the JDK of the build has compiled.
    has: 'unsupported class file major version',
    names: ['runtimes:gradle'],
    hints: ['runtimes:maven'],
    report: 'alpha-asp/Alpha/issues/350',
  },
  {
    has: 'creation of dynamic property;is deprecated in;passing null to parameter',
    and: ['.php;::;$'],
    names: [],
    hints: ['tool:php'],
    report: 'reactphp/stream/pull/165',
  },
  {
    has: `structuredclone is not;fetch is not defined;.at is not a function;replaceall is not a function;
      hasown is not a function;findlast is not a function;tosorted is not a function;
      groupby is not a function;withresolvers is not;flatmap is not a function;
      allsettled is not a function;primordials is not defined;unexpected reserved word;err_require_esm;
      does not provide an export named;: unexpected token;bad option: ;is not allowed in node_options;
      err_unknown_file_extension;err_unsupported_dir_import;import assertions`,
    names: [...node, 'env:NODE_OPTIONS'],
    report: 'mozilla/platform-status/issues/227',
  },
  {
    has: 'err_ossl_evp_unsupported;digital envelope routines;error:0308010c',
    names: node,
    hints: ['env:NODE_OPTIONS', 'family:openssl'],
    report: 'nodejs/node/issues/50504',
  },
  // What each language says of code that is written for another version of it.
  {
    has: 'syntaxerror;referenceerror; is not a function;err_',
    and: ['node:;.js;.ts;.mjs;.cjs;javascript;is not a function;is not defined;err_'],
    names: [],
    hints: [...node, 'tool:npm', 'installed:*'],
    report: 'mozilla/platform-status/issues/227',
  },
  // V8's words, without the name of a file or of Node.js on the same line.
  {
    has: `syntaxerror: unexpected identifier;syntaxerror: unexpected token;syntaxerror: unexpected strict;
      syntaxerror: unexpected string;syntaxerror: unexpected reserved;syntaxerror: invalid regular expression;
      syntaxerror: invalid or unexpected token;syntaxerror: cannot use import;syntaxerror: missing initializer;
      syntaxerror: missing ) after`,
    names: [],
    hints: [...node, 'installed:*'],
    report: 'tree-sitter-perl/tree-sitter-perl/issues/206',
  },
  {
    has: `syntaxerror: invalid syntax;syntaxerror: f-string;syntaxerror: expected ;syntaxerror: unmatched;
      syntaxerror: multiple exception;syntaxerror: future feature;syntaxerror: invalid decimal;
      syntaxerror: cannot assign;indentationerror;taberror`,
    names: [],
    hints: ['tool:python'],
    report: 'ajtowns/bllsh/pull/1',
  },
  {
    has: `unexpected keyword argument;unsupported operand type(s) for |;
      object is not subscriptable;has no attribute;nameerror: name '`,
    names: [],
    hints: ['tool:python'],
    report: 'asfernandes/node-firebird-drivers/issues/141',
  },
  {
    has: `undefined method \`;undefined method ';uninitialized constant;nomethoderror;unknown keyword;
      wrong number of arguments;(syntaxerror);syntax errors found`,
    names: [],
    hints: ['tool:ruby'],
    report: 'flyerhzm/uniform_notifier/pull/66',
  },
  {
    has: `php parse error;parse error: syntax error;call to undefined function;call to undefined method;
      return type of `,
    and: ['php;::;()'],
    names: [],
    hints: ['tool:php'],
    report: 'xivapi/xivapi-php/issues/8',
  },
  {
    has: 'undefinedfunctionerror;is undefined or private;is undefined (module',
    names: [],
    hints: ['tool:elixir'],
    report: 'Hubs-Foundation/reticulum/pull/674',
  },
  {
    has: `error[e0432];error[e0433];error[e0599];error[e0658];error[e0425];is unstable;
      use of unstable library feature`,
    names: [],
    hints: ['tool:rustc'],
    report: 'darkrenaissance/darkfi/issues/89',
  },
  {
    has: ': undefined: ;is not in std;is not in goroot;cannot find package',
    and: ['.go:;std;goroot'],
    names: [],
    hints: ['tool:go'],
    report: 'ethereum/go-ethereum/issues/26679',
  },
  {
    has: `noclassdeffounderror;nosuchmethoderror;package javax.;warnings found and -werror;
      classnotfoundexception`,
    names: [],
    hints: java,
    report: 'ashald/EnvFile/issues/152',
  },
  {
    has: `server version;unsupported frontend protocol;operator does not exist;function does not exist;
      unrecognized configuration parameter;sql_mode;sqlstate`,
    names: [],
    hints: ['package:postgres', 'package:mysql', 'runtimes:postgres', 'runtimes:psql'],
    report: 'theory/pgtap/issues/277',
  },
];
