// Differences that are made on one machine, one at a time: how each is made, and under which keys it must be seen.

import {
  changedFile,
  config,
  type Injection,
  injectionsOf,
  kernelFile,
  limit,
  overlay,
} from './injection.ts';

export const injections: readonly Injection[] = [
  limit('nofile', '256:256', 'openFiles', 'openFilesHard'),
  limit('stack', '1048576', 'stack'),
  limit('nproc', '5000:5000', 'processes'),
  limit('memlock', '65536:65536', 'lockedMemory'),
  limit('core', '1000000', 'core'),
  limit('fsize', '500000000', 'fileSize'),
  limit('as', '300000000000', 'addressSpace'),
  limit('data', '40000000000', 'data'),
  changedFile('/proc/cpuinfo', "sed 's/ avx[^ ]*//g; s/ fma / /'", 'facts:cpu.features'),
  kernelFile('/proc/sys/fs/inotify/max_user_watches', '8192', 'kernel.inotifyWatches'),
  kernelFile('/proc/sys/fs/inotify/max_user_instances', '8', 'kernel.inotifyInstances'),
  kernelFile('/proc/sys/vm/max_map_count', '1000', 'kernel.maxMapCount'),
  kernelFile('/proc/sys/vm/overcommit_memory', '2', 'kernel.overcommit'),
  kernelFile('/proc/sys/fs/file-max', '1000', 'kernel.fileMax'),
  kernelFile('/proc/sys/kernel/pid_max', '4096', 'kernel.processIds'),
  kernelFile('/proc/sys/net/core/somaxconn', '128', 'kernel.listenBacklog'),
  kernelFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', '80', 'kernel.unprivilegedPorts'),
  kernelFile('/proc/sys/user/max_user_namespaces', '0', 'kernel.userNamespaces'),
  kernelFile('/proc/sys/net/ipv6/conf/all/disable_ipv6', '1', 'net.ipv6'),
  kernelFile('/proc/sys/kernel/perf_event_paranoid', '4', 'kernel.perfParanoid'),
  kernelFile('/proc/sys/kernel/randomize_va_space', '1', 'process.aslr'),
  changedFile('/usr/share/zoneinfo/tzdata.zi', "sed '1s/version .*/version 2020a/'", 'facts:time.tzdata'),
  changedFile('/etc/resolv.conf', "sed 's/^nameserver .*/nameserver 192.0.2.53/'", 'facts:net.resolvers'),
  changedFile('/etc/resolv.conf', "sed '$ a search corp.example'", 'facts:net.searchDomains'),
  changedFile('/etc/resolv.conf', "sed '$ a options ndots:5'", 'facts:net.resolverOptions'),
  changedFile('/etc/hosts', "sed '$ a 10.0.0.5 db.example'", 'facts:net.hosts'),
  changedFile('/etc/nsswitch.conf', "sed 's/^hosts:.*/hosts: dns files/'", 'facts:net.nameSources'),
  changedFile('/etc/gai.conf', "sed '$ a precedence ::ffff:0:0/96 100'", 'facts:net.addressPreference'),
  changedFile('/etc/ssl/openssl.cnf', "sed '$ a [legacy_sect]\\nactivate = 1'", 'facts:openssl.config'),
  config('$HOME/.gitconfig', '[core]\n autocrlf = input', 'git.core.autocrlf'),
  config('$HOME/.gitconfig', '[commit]\n gpgSign = true', 'git.commit.gpgSign'),
  config('$HOME/.gitconfig', '[init]\n defaultBranch = trunk', 'git.init.defaultBranch'),
  config('$HOME/.gitconfig', '[url "https://x/"]\n insteadOf = y:', 'git.url.insteadOf'),
  config('$HOME/.gitconfig', '[core]\n hooksPath = /tmp/hooks', 'git.core.hooksPath'),
  config('$HOME/.gitconfig', '[http]\n proxy = http://u:p@proxy:3128', 'net.proxies'),
  config('$PROJECT/.git/config', '[core]\n fileMode = false', 'git.core.fileMode'),
  config('$HOME/.npmrc', 'registry=https://npm.corp.example/', 'npm.registry'),
  config('$HOME/.npmrc', 'ignore-scripts=true', 'npm.ignoreScripts'),
  config('$HOME/.npmrc', 'engine-strict=true', 'npm.engineStrict'),
  config('$HOME/.npmrc', 'legacy-peer-deps=true', 'npm.legacyPeerDeps'),
  config('$HOME/.npmrc', 'omit=dev', 'npm.omit'),
  config('$HOME/.yarnrc.yml', 'nodeLinker: node-modules', 'yarn.nodeLinker'),
  config('$HOME/.config/pip/pip.conf', '[global]\nindex-url = https://pypi.corp.example/simple', 'pip.index'),
  config('$HOME/.config/pip/pip.conf', '[global]\nno-binary = :all:', 'pip.options'),
  config('$HOME/.condarc', 'channels: [conda-forge]', 'conda.channels'),
  config('$HOME/.cargo/config.toml', '[build]\ntarget = "wasm32-wasip1"', 'cargo.target'),
  config('$HOME/.config/go/env', 'GOFLAGS=-mod=mod', 'go.flags'),
  config('$HOME/.config/go/env', 'GOPROXY=https://goproxy.corp.example', 'go.proxy'),
  config('$HOME/.gradle/gradle.properties', 'org.gradle.jvmargs=-Xmx256m', 'gradle.jvmArguments'),
  config('$HOME/.gradle/init.d/corp.gradle', '// corp', 'gradle.initScripts'),
  config('$HOME/.bundle/config', 'BUNDLE_WITHOUT: "production"', 'bundler.settings'),
  config('$HOME/.docker/config.json', '{"currentContext":"remote"}', 'docker.context'),
  config('$HOME/.curlrc', 'insecure', 'curl.config'),
  config('$HOME/.gitconfig', '[core]\n eol = crlf', 'git.core.eol'),
  config('$HOME/.gitconfig', '[core]\n safecrlf = true', 'git.core.safecrlf'),
  config('$HOME/.gitconfig', '[core]\n ignoreCase = true', 'git.core.ignoreCase'),
  config('$HOME/.gitconfig', '[core]\n symlinks = false', 'git.core.symlinks'),
  config('$HOME/.gitconfig', '[core]\n longPaths = true', 'git.core.longPaths'),
  config('$HOME/.gitconfig', '[core]\n precomposeUnicode = true', 'git.core.precomposeUnicode'),
  config('$HOME/.gitconfig', '[core]\n attributesFile = ~/attributes', 'git.core.attributesFile'),
  config('$HOME/.gitconfig', '[tag]\n gpgSign = true', 'git.tag.gpgSign'),
  config('$HOME/.gitconfig', '[pull]\n rebase = true', 'git.pull.rebase'),
  config('$HOME/.gitconfig', '[submodule]\n recurse = true', 'git.submodule.recurse'),
  config('$HOME/.gitconfig', '[protocol "file"]\n allow = always', 'git.protocol.fileAllow'),
  config('$HOME/.gitconfig', '[safe]\n bareRepository = explicit', 'git.safe.bareRepository'),
  config('$HOME/.gitconfig', '[http]\n sslVerify = false', 'git.http.sslVerify'),
  config('$HOME/.npmrc', '@corp:registry=https://npm.corp.example/', 'npm.scopedRegistries'),
  config('$HOME/.npmrc', 'before=2024-01-01', 'npm.before'),
  config('$HOME/.npmrc', 'install-strategy=nested', 'npm.installStrategy'),
  config('$HOME/.npmrc', 'node-options=--max-old-space-size=4096', 'npm.nodeOptions'),
  config('$HOME/.npmrc', 'script-shell=/bin/bash', 'npm.scriptShell'),
  config('$HOME/.npmrc', 'strict-ssl=false', 'npm.strictSsl'),
  config('$HOME/.npmrc', 'cafile=/etc/corp.pem', 'tls.toolBundles'),
  config('$HOME/.npmrc', 'shamefully-hoist=true', 'pnpm.hoisting'),
  config('$HOME/.npmrc', 'node-linker=hoisted', 'pnpm.nodeLinker'),
  config('$HOME/.npmrc', 'strict-peer-dependencies=true', 'pnpm.strictPeerDependencies'),
  config('$HOME/.yarnrc.yml', 'npmRegistryServer: "https://yarn.corp.example"', 'yarn.registry'),
  config('$HOME/.yarnrc.yml', 'enableScripts: false', 'yarn.enableScripts'),
  config('$HOME/.bunfig.toml', '[install]\nregistry = "https://bun.corp.example/"', 'bun.registry'),
  config(
    '$HOME/.config/pip/pip.conf',
    '[global]\nextra-index-url = https://pypi.corp.example/simple',
    'pip.extraIndexes',
  ),
  config('$HOME/.config/uv/uv.toml', 'index-url = "https://pypi.corp.example/simple"', 'uv.index'),
  config('$HOME/.condarc', 'channel_priority: strict', 'conda.channelPriority'),
  config('$HOME/.cargo/config.toml', '[build]\nrustflags = ["-C", "target-cpu=native"]', 'cargo.flags'),
  config(
    '$HOME/.cargo/config.toml',
    '[registries.corp]\nindex = "https://crates.corp.example/"',
    'cargo.registries',
  ),
  config('$HOME/.config/go/env', 'GOPRIVATE=corp.example', 'go.private'),
  config('$HOME/.config/go/env', 'CGO_ENABLED=0', 'go.settings'),
  config('$HOME/.gradle/gradle.properties', 'org.gradle.parallel=true', 'gradle.properties'),
  config('$HOME/.gemrc', ':sources:\n- https://gems.corp.example/', 'gem.sources'),
  ...(['date', 'find', 'grep', 'make', 'tar'] as const).map(
    (name): Injection => ({
      name: `${name} is BusyBox’s`,
      setup: overlay(
        '/usr/bin',
        `printf 'BusyBox v1.36.1' >"$WORK/${name}"; chmod +x "$WORK/${name}"; cp "$WORK/${name}" /usr/bin/${name}`,
      ),
      seen: [`facts:program.${name}`],
      also: [`runtimes:${name}`],
    }),
  ),
  ...injectionsOf(`
  umask 077 -> facts:process.umask
    umask 077
  not root -> facts:process.root ~ facts:process.capabilities, facts:python.externallyManaged,
      facts:folder.owned, facts:home.*, system:*, runtimes:*, facts:path.shadowed,
      installed:requirements.txt/python
    run setpriv --reuid=65534 --regid=65534 --clear-groups
  without a capability -> facts:process.capabilities
    run setpriv --bounding-set=-net_raw,-sys_ptrace
  no new privileges -> facts:process.noNewPrivileges
    run setpriv --no-new-privs
  no address randomisation -> facts:process.aslr
    run setarch -R
  one processor -> facts:cpu.allowed ~ system:cpu.count
    run taskset -c 0
  an SSH agent -> facts:process.sshAgent
    env SSH_AUTH_SOCK=/run/agent.sock
  TERM=dumb -> facts:terminal.type
    env TERM=dumb
  COLUMNS=40 -> facts:terminal.columns
    env COLUMNS=40
  FORCE_COLOR=1 -> facts:terminal.color
    env FORCE_COLOR=1
  NO_COLOR=1 -> facts:terminal.color
    env NO_COLOR=1
  MAKEFLAGS=-j8 -> facts:make.flags
    env MAKEFLAGS=-j8
  LC_TIME -> facts:locale.categories ~ env:LC_TIME
    env LC_TIME=de_DE.UTF-8
  TZ -> env:TZ ~ system:timezone
    env TZ=Asia/Tokyo
  NODE_OPTIONS -> env:NODE_OPTIONS
    env NODE_OPTIONS=--max-old-space-size=512
  HTTPS_PROXY -> env:HTTPS_PROXY
    env HTTPS_PROXY=http://proxy:3128
  /dev/shm of 64 MiB -> facts:memory.shared
    mount -t tmpfs -o size=64m tmpfs /dev/shm
  no IPv6 (unshare -n) -> facts:net.ipv6
    run unshare -n
  another locale -> facts:locale.installed
    overlay /usr/lib/locale: mkdir /usr/lib/locale/de_DE.utf8
  /var/lib/dpkg/status: sed '/^Package: libssl3$/,/^$/s/^Version: .*/Version: 3.0.1-1/' -> dependencies:/var/lib/dpkg/status/libssl3
    sed '/^Package: libssl3$/,/^$/s/^Version: .*/Version: 3.0.1-1/' </var/lib/dpkg/status >"$WORK/file"; mount --bind "$WORK/file" /var/lib/dpkg/status
  /var/lib/dpkg/status: sed '/^Package: bash$/,/^$/s/^Version: .*/Version: 4.0-1/' -> dependencies:/var/lib/dpkg/status/bash
    sed '/^Package: bash$/,/^$/s/^Version: .*/Version: 4.0-1/' </var/lib/dpkg/status >"$WORK/file"; mount --bind "$WORK/file" /var/lib/dpkg/status
  a folder of fonts -> facts:fonts.installed
    overlay /usr/share/fonts: touch /usr/share/fonts/New.ttf
  project on tmpfs -> facts:fs.type
    cp -a "$PROJECT/." "$WORK/copy"; mount -t tmpfs tmpfs "$PROJECT"; cp -a "$WORK/copy/." "$PROJECT"
  project noexec -> facts:fs.noexec
    mount --bind "$PROJECT" "$PROJECT"; mount -o remount,bind,noexec "$PROJECT"
  project read-only -> facts:fs.readOnly
    mount --bind "$PROJECT" "$PROJECT"; mount -o remount,bind,ro "$PROJECT"
  project of another user -> facts:folder.owned
    chown 65534 "$PROJECT"
  /tmp on another file system -> facts:fs.temporaryType ~ env:TMPDIR
    mkdir "$WORK/t"; mount -t tmpfs tmpfs "$WORK/t"
    env TMPDIR=$WORK/t
  temporary folder noexec -> facts:fs.temporaryNoexec ~ env:TMPDIR
    mkdir "$WORK/t"; mount --bind "$WORK/t" "$WORK/t"; mount -o remount,bind,noexec "$WORK/t"
    env TMPDIR=$WORK/t
  home read-only -> facts:home.writable
    mount --bind "$HOME" "$HOME"; mount -o remount,bind,ro "$HOME"
  home with a blank -> facts:home.plainPath
    mkdir "$WORK/my home"
    env HOME=$WORK/my home
  half a processor -> facts:cpu.quota
    printf 50000 >"$WORK/quota"; printf 100000 >"$WORK/period"; for each in quota period; do mount --bind "$WORK/$each" "/sys/fs/cgroup/cpu/cpu.cfs_$each"_us; done
  a memory limit of 512 MiB -> facts:memory.limit ~ system:memory.total
    printf 536870912 >"$WORK/file"; mount --bind "$WORK/file" /sys/fs/cgroup/memory/memory.limit_in_bytes
  a limit of processes of the control group -> facts:limits.cgroupProcesses
    mount -t tmpfs tmpfs /sys/fs/cgroup/pids; printf 64 >/sys/fs/cgroup/pids/pids.max
  control groups of version 2 alone -> facts:kernel.cgroupVersion ~ facts:memory.limit, facts:cpu.quota,
      system:memory.total
    umount -R /sys/fs/cgroup; mount -t cgroup2 cgroup2 /sys/fs/cgroup
  /proc/cpuinfo: sed 's/^model name.*/model name : QEMU TCG CPU/' -> facts:cpu.emulation ~ system:cpu.model
    sed 's/^model name.*/model name : QEMU TCG CPU/' </proc/cpuinfo >"$WORK/file"; mount --bind "$WORK/file" /proc/cpuinfo
  SELinux enforces -> facts:kernel.selinux
    mkdir "$WORK/groups"; mount --rbind /sys/fs/cgroup "$WORK/groups"; mount -t tmpfs tmpfs /sys/fs; mkdir /sys/fs/cgroup /sys/fs/selinux; mount --rbind "$WORK/groups" /sys/fs/cgroup; echo 1 >/sys/fs/selinux/enforce
  a graphics driver -> facts:gpu.driver
    mount -t tmpfs tmpfs /sys/module; mkdir /sys/module/nouveau
  without /dev/net/tun -> facts:devices.present
    mount -t tmpfs tmpfs /dev/net
  a filter of system calls -> facts:process.seccomp
    run ["perl", "-e", "my $code = pack(\\"SCCL\\", 6, 0, 0, 0x7fff0000); syscall(157, 22, 2, pack(\\"S x6 P\\", 1, $code)) == 0 or die $!; exec @ARGV"]
  another ICU -> facts:icu.system
    overlay /usr/lib/x86_64-linux-gnu: touch /usr/lib/x86_64-linux-gnu/libicuuc.so.99.1
  the time zone as a file -> facts:time.localtime ~ system:timezone
    overlay /etc: rm -f /etc/localtime; cp /usr/share/zoneinfo/Asia/Tokyo /etc/localtime
  the policy of cryptography -> facts:openssl.cryptoPolicy
    overlay /etc: mkdir -p /etc/crypto-policies/state; echo LEGACY >/etc/crypto-policies/state/current
  the temporary folder read-only -> facts:fs.temporaryWritable ~ env:TMPDIR
    mkdir "$WORK/t"; mount --bind "$WORK/t" "$WORK/t"; mount -o remount,bind,ro "$WORK/t"
    env TMPDIR=$WORK/t
  /etc/passwd: awk -F: -v OFS=: -v home="$HOME" '$1 == "root" { $6 = home } 1' -> facts:home.default
    awk -F: -v OFS=: -v home="$HOME" '$1 == "root" { $6 = home } 1' </etc/passwd >"$WORK/file"; mount --bind "$WORK/file" /etc/passwd
  a certificate more -> facts:tls.certificates
    awk "/BEGIN/{n++} n==1" /etc/ssl/certs/ca-certificates.crt | sed "2s/^...../AAAAA/" >"$WORK/extra"; cat /etc/ssl/certs/ca-certificates.crt "$WORK/extra" >"$WORK/file"; mount --bind "$WORK/file" /etc/ssl/certs/ca-certificates.crt
  /etc/ssl/openssl.cnf: sed '$ a CipherString = DEFAULT@SECLEVEL=0' -> facts:openssl.securityLevel
    sed '$ a CipherString = DEFAULT@SECLEVEL=0' </etc/ssl/openssl.cnf >"$WORK/file"; mount --bind "$WORK/file" /etc/ssl/openssl.cnf
  sh is bash -> facts:program.sh
    overlay /usr/bin: ln -sf bash /usr/bin/sh
  awk is original-awk -> facts:program.awk
    overlay /etc: cp /bin/true "$WORK/original-awk"; ln -sf "$WORK/original-awk" /etc/alternatives/awk
  a sed that hides the system’s -> facts:path.shadowed ~ facts:program.sed, paths:PATH
    mkdir "$WORK/bin"; printf '#!/bin/sh\\nexec /usr/bin/sed "$@"\\n' >"$WORK/bin/sed"; chmod +x "$WORK/bin/sed"
    env PATH=$WORK/bin:$PATH
  CUDA -> facts:gpu.cuda
    overlay /usr/local: rm -rf /usr/local/cuda; mkdir /usr/local/cuda; echo '{"cuda":{"version":"12.4.1"}}' >/usr/local/cuda/version.json
  another zod in node_modules -> installed:package-lock.json/zod
    printf '{"version":"4.0.1"}' >"$PROJECT/node_modules/zod/package.json"
  a package missing from node_modules -> installed:package-lock.json/left-pad
    rm -r "$PROJECT/node_modules/left-pad"
  another requests in the virtual environment -> installed:requirements.txt/requests
    cd "$PROJECT"/.venv/lib/python3*/site-packages; mv requests-2.32.0.dist-info requests-2.30.0.dist-info
  another value in .env -> env:.env:PORT ~ checkout:changed/.env
    printf 'PORT=4000\\n' >"$PROJECT/.env"
  a new .env.local -> env:.env.local:DEBUG ~ checkout:untracked
    printf 'DEBUG=1\\n' >"$PROJECT/.env.local"
  $HOME/.gitconfig: the filter of Git LFS -> facts:git.lfs
    if git config --get filter.lfs.process >/dev/null; then value=; else value="git-lfs filter-process"; fi; printf '[filter "lfs"]\\n process = %s\\n smudge = %s\\n' "$value" "$value" >>"$HOME/.gitconfig"
  $HOME/.m2/settings.xml: <settings><mirrors><mirror><mirrorOf>*</ -> facts:maven.mirrors
    mkdir -p "$(dirname "$HOME/.m2/settings.xml")"; printf '%s\\n' '<settings><mirrors><mirror><mirrorOf>*</mirrorOf><url>https://m.example/</url></mirror></mirrors></settings>' >>"$HOME/.m2/settings.xml"
  $HOME/.m2/settings.xml: <settings><activeProfiles><activeProfile -> facts:maven.profiles
    mkdir -p "$(dirname "$HOME/.m2/settings.xml")"; printf '%s\\n' '<settings><activeProfiles><activeProfile>corp</activeProfile></activeProfiles></settings>' >>"$HOME/.m2/settings.xml"
  $HOME/.config/composer/config.json: {"repositories":{"corp":{"type":"compose -> facts:composer.repositories
    mkdir -p "$(dirname "$HOME/.config/composer/config.json")"; printf '%s\\n' '{"repositories":{"corp":{"type":"composer","url":"https://php.corp.example"}}}' >>"$HOME/.config/composer/config.json"
  $HOME/.nuget/NuGet/NuGet.Config: <configuration><packageSources><add key= -> facts:nuget.sources
    mkdir -p "$(dirname "$HOME/.nuget/NuGet/NuGet.Config")"; printf '%s\\n' '<configuration><packageSources><add key="corp" value="https://nuget.corp.example/v3/index.json" /></packageSources></configuration>' >>"$HOME/.nuget/NuGet/NuGet.Config"
  another storage driver of the Docker engine -> facts:docker.engine
    overlay /etc: mkdir -p /etc/docker; echo '{"storage-driver":"vfs"}' >/etc/docker/daemon.json
`),
];
