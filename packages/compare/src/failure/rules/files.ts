// Rules about files: line ends, the case of names, links, paths; and about git.

import type { RuleRow } from '../rule.ts';

export const fileRules: readonly RuleRow[] = [
  {
    has: `\\r\\n;\\r';\\r";\\r:;\\r ;^m;crlf;␍;line ending;linebreak;line end;line break;carriage return`,
    names: ['family:line ends', 'checkout:changed*'],
    report: 'gitextensions/gitextensions/pull/12548',
  },
  {
    // The kernel looks for the program of the first line, with a carriage return in its name.
    has: 'exec /;.sh: not found;.sh: no such file;.sh": no such file;.sh: cannot execute;.sh: line ',
    and: ['no such file;not found;cannot execute;command not found'],
    names: [],
    hints: ['family:line ends', 'checkout:changed*'],
    report: 'HKUDS/nanobot/pull/2883',
  },
  {
    // As git alone quotes an option that it does not know.
    has: 'unknown switch `;unknown option `;is not a git command',
    names: ['runtimes:git'],
    report: 'eclipse-che/che-theia/pull/1149',
  },
  {
    has: 'for a socket path;socket path;sun_path;path too long for unix;af_unix path too long',
    names: ['family:temporary folder', 'env:HOME', 'env:XDG_RUNTIME_DIR'],
    report: 'xymon-monitoring/xymon/issues/489',
  },
  {
    has: `is not recognized as the name of a cmdlet;is not recognized as an internal`,
    and: [`'c:\\`],
    names: [],
    hints: ['facts:home.plainPath', 'facts:folder.plainPath'],
    report: 'cloudbase/wnbd/issues/27',
  },
  {
    has: 'migration checksum mismatch;checksum mismatch for migration',
    names: ['family:line ends', 'checkout:changed*'],
    report: 'OHDSI/WebAPI/pull/18',
  },
  {
    has: 'casing;case sensitiv;case-sensitiv;different case;case insensitiv;case-insensitiv',
    and: ['file;path;import;module;folder;director'],
    names: ['family:case of file names'],
    report: 'ttlock/ttlock_flutter/issues/51',
  },
  {
    has: `no such file;enoent;not found;not exist;doesn't exist;already exists;eexist;file exists;
      can't resolve;cannot find`,
    form: 'capitals in a path',
    names: [],
    hints: ['family:case of file names', 'checkout:*'],
    report: 'cdapio/cdap/pull/9381',
  },
  {
    has: 'symlink;symbolic link;eloop;required privilege is not held',
    names: ['family:symbolic links'],
    hints: ['family:temporary folder'],
    report: 'debpalash/VoiceStudio/issues/1990',
  },
  {
    has: 'filename too long;file name too long;path too long;enametoolong;filename or extension is too long',
    names: ['facts:windows.longPaths', 'facts:git.core.longPaths', 'family:temporary folder'],
    report: 'actions/checkout/issues/242',
  },
  {
    has: '/private/;/var/folders/;tmpdir',
    names: ['family:temporary folder'],
    report: 'stacklok/toolhive/issues/5848',
  },
  {
    has: '/tmp',
    and: ['expected;received;actual;!=;==;got;want;assert'],
    names: [],
    hints: ['family:temporary folder', 'facts:fs.temporaryWritable', 'facts:fs.temporaryNoexec'],
    report: 'bpftrace/bpftrace/pull/3706',
  },
  {
    has: 'gpg failed;failed to sign;gpg: signing;gpg: skipped;error: gpg;no secret key;no tag message',
    names: ['family:signing'],
    report: 'genehack/Git-Wrapper/issues/91',
  },
  {
    has: `'master';"master";\`master\`;/master;master ;(master); master`,
    and: [`'main';"main";\`main\`;/main;main ; main`],
    names: ['facts:git.init.defaultBranch'],
    report: 'cocogitto/cocogitto/issues/235',
  },
  {
    has: `refspec master;refspec main;pathspec 'master';pathspec 'main';heads/master;heads/main;
      revision 'master';reference 'refs/heads;branch 'master';branch 'main';branch "master";branch "main"`,
    names: ['facts:git.init.defaultBranch'],
    report: 'NixOS/ofborg/pull/574',
  },
  {
    has: "transport 'file' not allowed",
    names: ['facts:git.protocol.fileAllow'],
    hints: ['runtimes:git'],
    report: 'mnauw/git-remote-hg/issues/53',
  },
  {
    has: 'reconcile divergent branches;not possible to fast-forward',
    names: ['facts:git.pull.rebase'],
    report: 'desktop/desktop/issues/14423',
  },
  {
    has: 'git-lfs;smudge filter;lfs pointer;git lfs',
    names: ['facts:git.lfs', 'runtimes:git-lfs', 'checkout:pointer*'],
    report: 'spack/spack/issues/2336',
  },
  {
    has: 'submodule',
    names: ['checkout:submodule*', 'facts:git.submodule.recurse'],
    report: 'ethereum/aleth/pull/3584',
  },
  {
    has: `unknown revision;shallow;bad revision;cannot describe;no names found;no tags can describe;
      unable to detect version;not a git repository`,
    names: ['checkout:repository', 'checkout:tags', 'checkout:shallow', 'checkout:commit'],
    report: 'flux-framework/flux-core/issues/534',
  },
  {
    has: 'tell me who you are;auto-detect email;empty ident name',
    names: [
      'facts:git.identity',
      'env:HOME',
      'facts:home.default',
      'env:GIT_AUTHOR_*',
      'env:GIT_COMMITTER_*',
      'env:EMAIL',
      'env:GIT_CONFIG_GLOBAL',
    ],
    report: 'genehack/Git-Wrapper/issues/91',
  },
  {
    has: 'insteadof;host key verification failed;permission denied (publickey);could not read username',
    names: [
      'env:GOPRIVATE',
      'facts:go.private',
      'facts:git.url.insteadOf',
      'env:GIT_SSH_COMMAND',
      'env:GIT_CONFIG_GLOBAL',
      'env:SSH_AUTH_SOCK',
    ],
    report: 'open-telemetry/opentelemetry-js/issues/1000',
  },
  {
    has: 'cache;config;log file;logs;default',
    and: ['directory;folder;file;mkdir', 'cannot;could not;unable;error;permission;not writ;read-only'],
    names: [],
    hints: ['env:HOME', 'facts:home.writable', 'facts:home.default', 'family:temporary folder', 'env:XDG_*'],
    report: 'tstack/lnav/issues/93',
  },
  {
    has: 'home directory;homedir;$home;homeless;home is not;no home; ~/',
    names: ['env:HOME', 'facts:home.default', 'facts:home.writable'],
    report: 'gafusion/omas/issues/62',
  },
];
