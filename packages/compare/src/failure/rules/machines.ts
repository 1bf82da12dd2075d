// Rules about limits and rights, the network, language, time and what tests compare, files and git.

import { rulesOf } from '../rule.ts';

const failing = 'fail;error;not ok;assert;panicked;____;✗;✘;●;×';
const differing = 'fail;error;not ok;assert;panicked;expected;differ;____;✗;✘';

export const machineRules = rulesOf(`
  hashicorp/nomad/pull/6311 = family:open files ~ facts:kernel.inotifyInstances
    too many open;file descriptors;maxfiles; emfile;'emfile;"emfile;(emfile;[emfile;errno 24
  nystudio107/craft-scripts/issues/16 = facts:kernel.fileMax
    too many open files in system;enfile;errno 23
  netty/netty-incubator-transport-io_uring/issues/41 = facts:process.seccomp
    io_uring;io uring;iouring;seccomp;bad system call;sigsys
  paulmillr/chokidar/issues/255 = family:inotify
    file watchers;inotify;fsnotify
  flutter/flutter/issues/84717 = facts:fs.full, facts:fs.temporaryFull ~ family:temporary folder,
    family:inotify
    enospc;no space left on device;not enough space;disk is full;disk quota exceeded
  harlan-zw/harlan-nuxt/pull/121 = facts:memory.limit, facts:limits.addressSpace, facts:limits.data,
    env:NODE_OPTIONS, env:JAVA_TOOL_OPTIONS, env:MAVEN_OPTS, env:GRADLE_OPTS, facts:gradle.jvmArguments,
    facts:npm.nodeOptions ~ facts:kernel.overcommit
    heap out of memory;outofmemoryerror;cannot allocate memory;enomem;oomkilled;out of memory;code 137;
    code: 137;signal 9;signal: 9;sigkill;killed;memoryerror;bad_alloc;heap space;daemon disappeared;
    daemon has disappeared;metaspace;memory exhausted;allowed memory size;insufficient memory;
    not enough memory;memory limit;status 137;out_of_memory
  jax-ml/jax/issues/24631 = facts:limits.processes, facts:limits.cgroupProcesses
    resource temporarily unavailable;eagain;unable to create native thread;pthread_create;
    can't start new thread;cannot fork;fork: ;os error 11;spawn thread
  nstepien/iltorb/issues/51 = facts:limits.stack ~ facts:cpu.features, system:libc
    stack overflow;stack-overflow;stack_overflow;stack level too deep;maximum call stack;segmentation fault;
    sigsegv;recursionerror;code 139
  groonga/groonga/issues/1660 = facts:memory.shared, facts:fs.sharedMemory
    /dev/shm;bus error;sigbus;shared memory;page crash;tab crashed;target crashed
  ResearchObject/ro-crate-py/issues/57 ~ facts:process.root, facts:process.capabilities
    did not raise;to throw an error;exception not raised;expected an error;should have failed;should fail;
    expected error;unexpectedly succeeded
  con/duct/issues/348 ~ facts:process.root, facts:process.capabilities, facts:folder.owned,
    facts:process.umask
    permission;unreadable;unwritable;read_only;readonly;read-only;eacces;denied;chmod;not_writable;
    nopermission
    & ${failing}
  patchloom/patchloom/issues/1276 = facts:process.root, facts:process.capabilities
    cannot be run as root;as root is not;as root without;be run as root;running as root;run as root;
    must be root;requires root;only root;effective uid;euid
  caddyserver/caddy/issues/3348 = facts:kernel.unprivilegedPorts, facts:process.root,
    facts:process.capabilities
    bind;listen
    & permission denied;eacces
  npm/cli/issues/5145 = facts:npm.prefix, facts:process.root, facts:process.capabilities
    /lib/node_modules
    & permission denied;eacces
  eradman/rset/issues/14 = facts:fs.noexec, facts:fs.temporaryNoexec, facts:home.writable, facts:fs.readOnly,
    facts:process.noNewPrivileges, facts:folder.owned ~ facts:process.root, facts:process.capabilities,
    facts:process.umask, family:temporary folder, facts:kernel.unprivilegedPorts, facts:kernel.selinux,
    facts:kernel.ptraceScope, facts:kernel.userNamespaces, checkout:changed*
    permission denied;operation not permitted;eacces;eperm
  libgit2/libgit2/pull/3529 = facts:process.umask ~ facts:git.core.fileMode
    umask;group-writable;group writable;world-readable;bad permissions;too open;file mode;st_mode;-rw-;drwx
  xerial/sqlite-jdbc/issues/571 = facts:fs.temporaryNoexec, facts:fs.noexec ~ family:temporary folder
    failed to map segment
  nvm-windows/nvm/issues/1301 = facts:windows.executionPolicy
    running scripts is disabled;execution of scripts is disabled;about_execution_policies
  dorny/test-reporter/issues/226 = facts:folder.owned, facts:process.root, runtimes:git
    dubious ownership;obtaining vcs status;safe.directory
  coder/websocket/pull/511 = facts:kernel.userNamespaces, facts:process.root, facts:process.capabilities
    no usable sandbox;suid sandbox;user namespace;unshare;newuidmap;failed to move to new namespace
  Textualize/rich/pull/3226 = facts:terminal.type, env:TERM ~ env:CI, env:COLUMNS
    not a tty;inappropriate ioctl;tput: ;ncurses;terminal is not fully functional;term environment variable;
    unknown terminal;terminfo
  mysqljs/mysql/issues/2547 = facts:net.localhost ~ tool:node, env:NODE_OPTIONS
    econnrefused ::1
  enarx-archive/tlssock/issues/8 = facts:net.ipv6, facts:net.localhost, facts:net.addressPreference ~
    facts:net.hosts
    ::1;[::];eaddrnotavail;address family not supported;eafnosupport;af_inet6;ipv6;
    cannot assign requested address
  facebook/wdt/issues/192 = facts:net.hosts, family:resolver, facts:net.nameSources ~ family:proxy,
    family:npm registry, family:python index
    ; enotfound;'enotfound';eai_again;getaddrinfo;could not resolve host;name resolution;
    name or service not known;no such host;unknown host;unknownhostexception;temporary failure resolving;
    server misbehaving;nxdomain;name does not resolve;nodename nor servname;no address associated
  apache/incubator-pagespeed-mod/issues/205 = family:proxy
    proxyerror;via proxy;proxyconnect;407 proxy;proxy authentication;proxy request;proxy server;
    connect to proxy;proxy connect;through proxy;http_proxy;https_proxy;proxy_url;proxyurl;squid;
    tunnel connection failed;tunneling socket;proxy.;proxy:;proxies
  modelcontextprotocol/python-sdk/pull/1857 = family:proxy
    localhost;127.0.0.1
    & ; 502; 503; 504; 403;bad gateway;service unavailable;gateway time
  erikd/http-proxy/issues/8 ~ family:proxy, family:npm registry, family:python index, facts:maven.mirrors,
    facts:go.proxy, env:GOPROXY, facts:net.ipv6, facts:docker.context
    bad gateway; 502; 503;remotedisconnected;max retries exceeded;connection refused;econnreset;etimedout;
    timed out;timeout;econnrefused
  jasongin/nvs/issues/87 = family:certificates, facts:tls.certificates, facts:tls.toolBundles,
    package:ca-certificates, facts:npm.strictSsl ~ family:proxy, env:NODE_TLS_REJECT_UNAUTHORIZED,
    facts:git.http.sslVerify
    self_signed_cert;self signed certificate;self-signed certificate;unable_to_get_issuer;
    unable to get local issuer;unable_to_verify_leaf;unable to verify the first;certificate_verify_failed;
    certificate verify failed;unknown authority;ssl certificate problem;certificate signed by;cert_untrusted;
    invalid peer certificate;certificate verification failed;sslerror;cafile;unknown ca
  npm/npm/issues/6367 ~ family:certificates, facts:tls.certificates, package:ca-certificates, family:openssl,
    family:proxy
    certificate;x509;ssl;tls:;tlsv;tls handshake;tls connection;tls alert;tls_;(tls
    & error;fail;exception;expired;invalid;refused;handshake;unable;cannot;could not;abort
  docker-library/openjdk/issues/228 = facts:java.trustStore, package:ca-certificates-java ~ family:certificates,
    facts:tls.certificates, family:proxy
    pkix path building;trustanchors parameter
  racket/racket/issues/2748 = family:openssl, env:OPENSSL_CONF, runtimes:openssl
    dh key too small;ca md too weak;ee key too small;unsafe legacy renegotiation;unsupported protocol;
    legacy sigalg;no protocols available;handshake failure;wrong signature type;tlsv1 alert;sslv3 alert;
    no ciphers available;dh_key_too_small;legacy_renegotiation
  qinshihu/itops-agent-platform/pull/100 = family:npm registry, env:NPM_TOKEN, env:NODE_AUTH_TOKEN
    npm err;npm error;err_pnpm_fetch;npmmirror;registry
    & http;registry;e404;e401;e403;etimedout;timeout
  apache/libcloud/pull/1236 = family:python index, tool:python, facts:pip.options ~ arch:arch, system:libc,
    tool:pip
    no matching distribution;could not find a version that satisfies
  Riduidel/aadarchi/issues/168 = runtimes:maven, facts:maven.mirrors
    maven-default-http-blocker;blocked mirror
  reposense/RepoSense/issues/2266 = facts:maven.mirrors, facts:maven.profiles ~ family:proxy, tool:java
    could not transfer artifact;could not resolve dependencies;could not find artifact
  peter-evans/docker-compose-healthcheck/pull/22 = env:PG*, env:POSTGRES_*, env:MYSQL_*, env:DATABASE_URL
    role ";authentication failed for user;access denied for user;no password supplied
  openonion/connectonion/pull/328 ~ env:*_KEY, env:*_TOKEN, env:*_SECRET, env:*_PASSWORD, env:*_CREDENTIALS
    unauthorized;not authenticated;authentication;api key;api_key;apikey;credential; 401; 403;access token;
    secret
    & error;fail;missing;invalid;must;denied;not ;no ;unable;cannot;exception
  testcontainers/testcontainers-java/issues/6165 = env:DOCKER_HOST, runtimes:docker, env:DOCKER_CONTEXT ~
    facts:docker.context
    docker daemon;docker.sock;docker_engine;valid docker environment
  aws/chalice/pull/208 = env:AWS_*, env:GOOGLE_APPLICATION_CREDENTIALS
    unable to locate credentials;nocredentialserror;config profile;profilenotfound;default credentials;
    credentialsprovidererror;expiredtoken;invalidclienttokenid;aws_;botocore;boto3;amazonaws
  storj/storj/issues/4769 = family:time zone, package:tzdata ~ facts:time.tzdata
    zoneinfo;time zone;timezone;unknown zone;tzinfo;tzdata;utc offset;pytz;daylight;gmt+;gmt-;utc+;utc-;
    etc/utc;europe/;america/;asia/
  alxshelepenok/lumen/issues/893 ~ family:time zone ! date
    ; expected;(expected;:expected;<expected;"expected;received;actual;!=; == ;assert; got;to be;to equal;
    want
  docker-exec/dexec/issues/26 = family:language, env:PYTHONIOENCODING, env:PYTHONUTF8, facts:windows.codePage
    unicodedecodeerror;unicodeencodeerror;'ascii' codec;'charmap' codec;invalid byte sequence;us-ascii;
    ascii-8bit;configured to use ascii;ascii as encoding;invalid multibyte;incompatible character encodings;
    unmappable character;malformedinputexception;surrogateescape;codec can't;default encoding is;
    file.encoding
  smithlabcode/methpipe/issues/166 = family:language
    not sorted;not properly sorted;not in sorted order;unsorted;disorder;sort order;sorted order;out of order;
    sorting rules;text ordering;collat
  smithlabcode/methpipe/issues/166 = family:language ! foreign
    datei oder verzeichnis;aucun fichier;no existe el archivo;нет такого файла;没有那个文件;そのような;nie ma takiego;
    nenhum arquivo;keine berechtigung;fehler;erreur;ошибка;错误;błąd;ungültig;nicht gefunden;не найден
  yegor256/netbout/issues/850 = facts:windows.codePage
    windows-125;cp125;cp437;cp850;cp932;cp936;code page;codepage
  gcovr/gcovr/pull/487 = family:language, facts:locale.installed
    cannot change locale;setting locale failed;unsupported locale;cannot set lc_;can't set the locale;
    locale.error;setlocale;utf-8 locale;lc_all;lc_ctype;lc_collate;lc_numeric; locale;locale ;locale:
  djcb/mu/issues/2631 ~ family:language, env:PYTHONUTF8, facts:windows.codePage
    encoding;charset;utf-8;utf8;unicode;multibyte;non-ascii;locale;language
    & ${differing}
  vim/vim/issues/7609 ~ family:language
    sort;order
    & ${differing}
  adaptivecomputing/torque/issues/292 ~ family:time zone
    today;tomorrow;yesterday;midnight; day; date;_utc;utc_;strftime;localtime;mktime;zoneddatetime;timestamp;
    time_s;datetime
    & ${differing}
  sunfounder/nas-kit/issues/6 = env:LC_NUMERIC, facts:locale.categories, family:language ! decimal comma
    could not convert;cannot convert;numberformatexception;invalid decimal;invalid number;invalid literal
  mcp-hangar/mcp-hangar/issues/1521 = family:colour ~ env:CI
    \\x1b[;\\u001b[;\\033[;\\e[;[31m;[0m;[1m;[32m;[33m;[36m;[39m;[2m;[22m;␛[;escape code;ansi;no_color;
    force_color;colorterm;truecolor;clicolor
  transcom/mymove/pull/1710 = env:CI
    process.env.ci;warnings as errors;will not be written;not written. the update flag;ci=true;\`ci\`;'ci';
    treating warnings
  Textualize/rich/pull/3226 = family:colour ~ env:CI
    color;colour
    & ${differing}
  skyportal/skyportal/issues/2250 = facts:fonts.installed ~ runtimes:chromium, runtimes:chrome
    image snapshot;imagesnapshot;screenshot; pixel;fontconfig;no fonts; font;visual regression;argos;percy;
    baseline image;glyph;image pixels;findfont;images not close
  dfinity/nns-dapp/pull/1910 = tool:node, facts:node.icu, env:NODE_ICU_DATA ~ family:language
    ;\u202f;\\u202f;\\u00a0;\\xa0;\\xe2\\x80\\xaf
  nodejs/node/issues/52258 = facts:node.icu, facts:icu.system, env:NODE_ICU_DATA ~ tool:node, family:language
    intl.;datetimeformat;tolocale;numberformat;icu
  gitextensions/gitextensions/pull/12548 = family:line ends, checkout:changed*
    \\r\\n;\\r';\\r";\\r:;\\r ;^m;crlf;␍;line ending;linebreak;line end;line break;carriage return
  # The kernel looks for the program of the first line, with a carriage return in its name.
  HKUDS/nanobot/pull/2883 ~ family:line ends, checkout:changed*
    exec /;.sh: not found;.sh: no such file;.sh": no such file;.sh: cannot execute;.sh: line ;
    & no such file;not found;cannot execute;command not found
  # As git alone quotes an option that it does not know.
  eclipse-che/che-theia/pull/1149 = runtimes:git
    unknown switch \`;unknown option \`;is not a git command
  xymon-monitoring/xymon/issues/489 = family:temporary folder, env:HOME, env:XDG_RUNTIME_DIR
    for a socket path;socket path;sun_path;sun_len;path too long for unix;af_unix path too long
  cloudbase/wnbd/issues/27 ~ facts:home.plainPath, facts:folder.plainPath
    is not recognized as the name of a cmdlet;is not recognized as an internal
    & 'c:\\
  ttlock/ttlock_flutter/issues/51 = family:case of file names
    casing;case sensitiv;case-sensitiv;different case;case insensitiv;case-insensitiv
    & file;path;import;module;folder;director
  cdapio/cdap/pull/9381 ~ family:case of file names, checkout:* ! capitals in a path
    no such file;enoent;not found;not be found;not exist;doesn't exist;already exists;eexist;file exists;can't resolve;
    cannot find
  debpalash/VoiceStudio/issues/1990 = family:symbolic links ~ family:temporary folder
    symlink;symbolic link;eloop;required privilege is not held
  actions/checkout/issues/242 = facts:windows.longPaths, facts:git.core.longPaths, family:temporary folder
    filename too long;file name too long;path too long;enametoolong;filename or extension is too long
  stacklok/toolhive/issues/5848 = family:temporary folder
    /private/;/var/folders/;tmpdir
  bpftrace/bpftrace/pull/3706 ~ family:temporary folder, facts:fs.temporaryWritable, facts:fs.temporaryNoexec
    /tmp
    & expected;received;actual;!=;==;got;want;assert
  genehack/Git-Wrapper/issues/91 = family:signing
    gpg failed;failed to sign;gpg: signing;gpg: skipped;error: gpg;no secret key;no tag message
  NixOS/ofborg/pull/574 = facts:git.init.defaultBranch
    refspec master;refspec main;reference: master;reference: main;pathspec 'master';pathspec 'main';
    heads/master;heads/main;revision 'master';reference 'refs/heads;branch 'master';branch 'main';
    branch "master";branch "main"
  mnauw/git-remote-hg/issues/53 = facts:git.protocol.fileAllow ~ runtimes:git
    transport 'file' not allowed
  spack/spack/issues/2336 = facts:git.lfs, runtimes:git-lfs, checkout:pointer*
    git-lfs;smudge filter;lfs pointer;git lfs
  ethereum/aleth/pull/3584 = checkout:submodule*, facts:git.submodule.recurse
    submodule
  flux-framework/flux-core/issues/534 = checkout:repository, checkout:tags, checkout:shallow, checkout:commit
    unknown revision;shallow;bad revision;cannot describe;no names found;no tags can describe;
    unable to detect version;not a git repository
  genehack/Git-Wrapper/issues/91 = facts:git.identity, env:HOME, facts:home.default, env:GIT_AUTHOR_*,
    env:GIT_COMMITTER_*, env:EMAIL, env:GIT_CONFIG_GLOBAL
    tell me who you are;auto-detect email;empty ident name;user.name;user.email
  open-telemetry/opentelemetry-js/issues/1000 = env:GOPRIVATE, facts:go.private, facts:git.url.insteadOf,
    env:GIT_SSH_COMMAND, env:GIT_CONFIG_GLOBAL, env:SSH_AUTH_SOCK
    insteadof;host key verification failed;permission denied (publickey);could not read username
  tstack/lnav/issues/93 ~ env:HOME, facts:home.writable, facts:home.default, family:temporary folder,
    env:XDG_*
    cache;config;log file;logs;default
    & directory;folder;file;mkdir
    & cannot;could not;unable;error;permission;not writ;read-only
  gafusion/omas/issues/62 = env:HOME, facts:home.default, facts:home.writable
    home directory;homedir;$home;homeless;home is not;no home; ~/
`);
