// Facts about the process that runs programs, the processor and the kernel, language and time, file systems and folders.

import { factTable } from './fact-table.ts';

export const processFacts = factTable(`
  limits.openFiles | limit files | | less 1024 | context if B has as much; slight if it does not count; else likely
    | How many files and sockets a program may have open at once (the soft limit). | limit: nofile soft Max open files
    | linux: /proc/self/limits, line “Max open files”; Node.js raises its own soft limit, so the value is that of
      the nearest parent process that is not Node.js
    | macos: getrlimit(2), as the process report of Node.js gives it: the hard limit, to which Node.js raises
    | family: open files | repair: raise the limit on open files ~ ulimit -n {value} | personal
  limits.openFilesHard | limit files | | never | always context
    | How far a program may raise its own limit of open files. | limit: nofile hard Max open files | family: open files
  limits.stack | limit bytes | | less 8388608 | context if B has as much; slight if it does not count; else possible
    | How large the stack of a program may grow. | limit: stack soft Max stack size
  limits.processes | limit processes | | never | context if B has as much; else slight
    | How many processes and threads the user may run. | limit: nproc soft Max processes
  limits.lockedMemory | limit bytes | | never | rare | How much memory a program may keep from being swapped out.
    | limit: memlock soft Max locked memory
  limits.core | limit bytes | | never | rare | How large the memory image of a crashed program may be.
    | limit: core soft Max core file size
  limits.fileSize | limit bytes | | less | possible | How large a file a program may write.
    | limit: fsize soft Max file size
  limits.addressSpace | limit bytes | | less | likely | How much memory a program may map.
    | limit: as soft Max address space
  limits.data | limit bytes | | less | possible | How large the data of a program may grow.
    | limit: data soft Max data size
  limits.cgroupProcesses | limit processes | unlimited | never | possible
    | How many processes and threads the container or service may run. | linux: @cgroup pids
    | repair: raise the limit on processes of the container or service to {value} (--pids-limit of Docker, TasksMax= of
      systemd)
  limits.cpuTime | limit | | less | slight if it does not count; else likely
    | How many seconds of processor time a program may use before it is killed. | unix: @limit soft Max cpu time
    | repair: raise the limit on processor time ~ ulimit -t {value}
  process.account | flag | | | likely | Whether the user of the process has an entry in the list of accounts.
    | unix: getpwuid(3) | true: give the user an entry in /etc/passwd, or run it as a user that has one
  process.ignoresBrokenPipe | flag | false | asked for | now and then
    | Whether programs start with SIGPIPE ignored: writing to a closed pipe then fails instead of ending them.
    | linux: /proc/PID/status, line “SigIgn”, of the nearest parent process that is not Node.js, if it is a shell
    | false: start it from a shell or a service that does not ignore SIGPIPE
  process.umask | | | not both among 0002 0022 | 40 if it does not count; else likely
    | Which permissions new files do not have. | linux: /proc/self/status, line “Umask” | macos: umask(2) | apply: umask
    | inert | personal
  process.root | flag | | | possible if B has true; else now and then
    | Whether programs run as the superuser, who may open every file. | linux: /proc/self/status, line “Uid”
    | macos: geteuid(2) | family: root | true: run it as root | false: run it as a user other than root
    | reveals: That the capture ran as the superuser. | personal
  process.capabilities | set | | | always now and then | Which superuser rights programs have.
    | linux: /proc/self/status, line “CapEff” | family: root | reveals: Which rights the account or container has.
    | personal
    | repair: give the container or service the same rights (--cap-add and --cap-drop of Docker)
  process.noNewPrivileges | flag | | | possible
    | Whether programs are kept from gaining rights, so that sudo and setuid programs fail. | linux: @status NoNewPrivs
    | false: start it without no_new_privs (NoNewPrivileges= of systemd, --security-opt of Docker) | personal
  process.seccomp | | | never | possible | Whether system calls are filtered: off, strict or filter.
    | linux: @status Seccomp = off strict filter
    | repair: run it under the same filter of system calls (--security-opt seccomp= of Docker)
  process.personality | | none | | possible
    | The processor that “uname -m” names if a personality (setarch) hides the real one; installers and builds
      use this name. | linux: /proc/self/personality, PER_LINUX32; then uname -m
    | repair: start it with the same setarch, or without one
  process.aslr | | | asked for | rare | How addresses of programs are randomised: off, partial or full.
    | linux: /proc/sys/kernel/randomize_va_space; off if /proc/self/personality says so | apply: aslr
    | repair: run it with addresses randomised as on the other side ({value}; “setarch -R” switches it off)
  process.confinement | | none | never | possible | The AppArmor profile or SELinux domain that confines programs.
    | linux: /proc/self/attr/current | reveals: The name of the profile.
    | repair: run it under the same profile of AppArmor or domain of SELinux
  process.sshAgent | flag | false | never | rare
    | Whether programs can use an SSH agent, from which git and ssh get keys. | variable: SSH_AUTH_SOCK
    | true: start it from a session with an SSH agent, or hand SSH_AUTH_SOCK on
    | false: unset SSH_AUTH_SOCK ~ unset SSH_AUTH_SOCK
  terminal.type | | not set | never | rare | The type of the terminal, for programs that write to it. | variable: TERM
    | reveals: Which terminal program is in use.
  terminal.columns | number | not set | never | rare
    | The width to which programs fit their output, if the variable COLUMNS sets it. | variable: COLUMNS | inert
  terminal.color | set | none | never | always possible
    | Which variables switch colour on or off, such as NO_COLOR and FORCE_COLOR.
    | all: @variable NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM
    | apply: variables NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM | family: colour | inert
  make.flags | | none | not sizes alone | possible | Options that every run of make takes. | variable: MAKEFLAGS
    | freeText | reveals: The options as they are written.
`);

export const kernelFacts = factTable(`
  cpu.features | set | | lacks item aes atomics avx avx2 bmi2 fma neon popcnt sse4_2 ssse3 | slight if it does not
    count; else strong | Instruction sets that programs test for, such as sse4_2, avx2, avx512f, aes, neon and sve.
    | linux: /proc/cpuinfo, lines “flags” and “Features” | macos: sysctl hw.optional and machdep.cpu | ofArchitecture
    | reveals: The generation of the processor.
    | repair: run it on a processor with the same instructions, or build it without them,
  cpu.allowed | number processors | | never | context if B has as much; else slight
    | How many processors this process may run on. | linux: /proc/self/status, line “Cpus_allowed_list”
    | apply: processors | inert
    | repair: let it run on {value} processors (taskset, or --cpuset-cpus of Docker)
  cpu.quota | limit processors | unlimited | never | context if B has as much; else slight
    | How many processors’ time the container or service may use. | linux: @cgroup cpu
    | repair: give the container or service {value} processors (--cpus of Docker, CPUQuota= of systemd)
  cpu.emulation | | none | | likely
    | The emulator for programs of another architecture: rosetta or qemu.
    | linux: /proc/cpuinfo, the interpreter of the process, /proc/sys/fs/binfmt_misc
    | macos: sysctl sysctl.proc_translated
    | windows: variable PROCESSOR_ARCHITEW6432, against the architecture of the process
    | repair: install programs built for the processor itself, so that no emulator is needed,
  memory.limit | limit bytes | unlimited | less 8589934592 | context if B has as much; slight if it does not count;
    else likely | How much memory the container or service may use. | linux: @cgroup memory
    | repair: raise the memory limit of the container or the service to {value} | personal
  memory.shared | limit bytes | | never | possible | How large /dev/shm is, which browsers and databases use.
    | linux: /proc/self/mountinfo, option “size” of /dev/shm | reveals: Roughly how much memory the machine has.
    | repair: make /dev/shm {value} bytes large (--shm-size of Docker, or “mount -o remount,size={value} /dev/shm”)
  memory.pageSize | number bytes | | | likely | The size of a memory page, which programs and libraries are built for.
    | linux: /proc/self/smaps, KernelPageSize of the first mapping | macos: sysctl hw.pagesize | ofArchitecture
    | repair: use a kernel with pages of {value} bytes, or programs that run on any page size,
  kernel.inotifyWatches | limit | | less 32768 | context if B has as much; slight if it does not count; else likely
    | How many files a user’s programs may watch for changes. | linux: @sysctl fs/inotify/max_user_watches
    | family: inotify | personal
  kernel.inotifyInstances | limit | | less 128 | context if B has as much; slight if it does not count; else now and
    then | How many watchers of files a user’s programs may have. | linux: @sysctl fs/inotify/max_user_instances
    | family: inotify | personal
  kernel.maxMapCount | limit | | less 65530 | context if B has as much; slight if it does not count; else now and then
    | How many memory areas a program may map; Elasticsearch and others refuse to start below their minimum.
    | linux: @sysctl vm/max_map_count | personal
  kernel.mmapRandomBits | number | | never | rare
    | How far the kernel spreads memory areas; sanitizers of older compilers fail above 28.
    | linux: @sysctl vm/mmap_rnd_bits | ofArchitecture
  kernel.overcommit | | | either is never | possible
    | Whether the kernel promises more memory than there is: heuristic, always or never.
    | linux: @sysctl vm/overcommit_memory = heuristic always never
  kernel.fileMax | limit | | never | rare | How many files all programs together may have open.
    | linux: @sysctl fs/file-max
  kernel.processIds | limit | | never | rare | How many processes and threads the whole machine may have.
    | linux: @sysctl kernel/pid_max
  kernel.listenBacklog | limit | | less 128 | rare | How many connections may wait for a server to accept them.
    | linux: @sysctl net/core/somaxconn
  kernel.unprivilegedPorts | number | | asked for | possible
    | The lowest port on which programs may listen without superuser rights.
    | linux: @sysctl net/ipv4/ip_unprivileged_port_start
  kernel.ephemeralPorts | limit | | less 10000 | possible
    | How many ports there are for connections that programs open and for servers on port 0.
    | linux: /proc/sys/net/ipv4/ip_local_port_range
    | repair: widen net.ipv4.ip_local_port_range to {value} ports
  net.ipv6 | flag | | | always likely | Whether programs can use IPv6, for localhost too.
    | linux: /proc/net/if_inet6, /proc/sys/net/ipv6/conf/{all,lo}/disable_ipv6 | true: switch IPv6 on
    | false: switch IPv6 off | personal
  kernel.userNamespaces | flag | | | possible
    | Whether programs without rights may create user namespaces, which browsers’ and containers’ sandboxes need.
    | linux: /proc/sys/user/max_user_namespaces,
      /proc/sys/kernel/{unprivileged_userns_clone,apparmor_restrict_unprivileged_userns} | personal
    | true: allow the program user namespaces (a profile of AppArmor with “userns”, user.max_user_namespaces above 0)
    | false: run it where user namespaces are not allowed
  kernel.ptraceScope | | | asked for | rare
    | Which programs a debugger may attach to: classic, children, admin or none.
    | linux: @sysctl kernel/yama/ptrace_scope = classic children admin none
  kernel.perfParanoid | number | | never | rare
    | How much programs without rights may measure; profilers fail above 1 or 2.
    | linux: @sysctl kernel/perf_event_paranoid
  kernel.cgroupVersion | | | asked for | possible
    | Version of the control groups that container engines work with: 1, 2 or hybrid.
    | linux: /proc/self/mountinfo, file systems cgroup and cgroup2
    | repair: use a machine whose kernel has control groups of version {value}, or an engine that supports the ones
      there,
  kernel.selinux | | off | asked for | possible | Whether SELinux enforces its rules: enforcing or permissive.
    | linux: @file /sys/fs/selinux/enforce = permissive enforcing
    | repair: label the files as SELinux expects (restorecon, or :Z at a volume of Docker), or extend its policy,
  devices.present | set | none | never | possible
    | Which devices that programs ask for are there: kvm, fuse, net/tun, dri, nvidia0, snd. | linux: names in /dev
    | repair: hand the same devices in (--device of Docker), or load their drivers,
  loader.preload | list | none | | strong | Libraries that the loader puts into every program.
    | linux: /etc/ld.so.preload | repair: make /etc/ld.so.preload the same, and see that its libraries are there,
    | reveals: Paths of the libraries.
  loader.folders | set | none | asked for | possible
    | Folders of libraries beyond those of the distribution, in which the loader looks.
    | linux: /etc/ld.so.conf, /etc/ld.so.conf.d | reveals: Paths of the folders.
    | repair: add {missing} to /etc/ld.so.conf.d, and run ldconfig,
`);

export const languageFacts = factTable(`
  locale.installed | set | | lacks locale in use | slight if it does not count; else possible
    | Which locales programs can use; without one, they fall back to C.
    | linux: /usr/lib/locale: folders, and the index of locale-archive | macos: names in /usr/share/locale
    | family: language | repair: install the same locales (locale-gen, or the package locales-all)
    | reveals: Languages that the machine is set up for.
  locale.categories | set | none | item with LC_ALL LC_CTYPE LC_COLLATE LC_NUMERIC LC_TIME LC_MESSAGES LC_MONETARY LANG
    | likely | Categories (LC_*) in effect whose locale is not the overall one.
    | unix: variables LC_ALL, LC_*, LANG, in their order of precedence | family: language | personal
    | reveals: The language and region that are set.
    | repair: set {missing}
  time.tzdata | version | | none on one side | slight if it does not count; else likely
    | Version of the time zone database that programs read.
    | linux: /usr/share/zoneinfo/tzdata.zi or +VERSION, or the package database; “none” without zone files
    | macos: /usr/share/zoneinfo/+VERSION | repair: install the same time zones (the package tzdata)
  time.localtime | digest | a link | asked for | possible
    | Digest of the rules in /etc/localtime, if it is a copy instead of a link to a zone. | linux: /etc/localtime
    | family: time zone | reveals: The time zone, by comparing digests.
    | repair: link /etc/localtime to the file of the zone in /usr/share/zoneinfo
  node.icu | version | | | possible | Major version of ICU, with which Node.js formats dates, numbers and sorts text.
    | unix: include/node/config.gypi beside the binary, or the running Node.js if it is the same one
    | windows: the running Node.js if it is the one on the search path | ecosystems: npm | follows: node | personal
    | repair: use the same version of Node.js, or one with full ICU,
  node.unicode | version | | never | rare | Version of Unicode that Node.js knows.
    | unix: the running Node.js if it is the one on the search path, or what its ICU is made from
    | windows: the running Node.js if it is the one on the search path | follows: node
    | repair: use the same version of Node.js
  icu.system | version | none | never | rare | Version of the ICU library that other programs load.
    | linux: libicuuc.so.N in the library folders
    | repair: install the same version of the ICU library ({value})
`);

export const fileFacts = factTable(String.raw`
  fs.type | | | never | always slight
    | Type of the file system that holds the captured folder, e.g. ext4, overlay, apfs. | unix: @mount folder
    | repair: put the folder on a file system of the type {value}
  fs.temporaryType | | | never | rare | Type of the file system that holds the folder of temporary files.
    | unix: @mount temporary
    | repair: put the folder of temporary files on a file system of the type {value}, or set TMPDIR,
  fs.caseSensitive | flag | | | 70 if A has false; else possible
    | Whether README and readme are two files in the captured folder.
    | all: an existing name of the folder, looked up in the other case | family: case of file names
    | repair: write the names of files in imports as the files are called, letter by letter,
  fs.symlinks | flag | | | likely | Whether symbolic links can be made in the captured folder.
    | unix: the type of file system
    | windows: @registry AllowDevelopmentWithoutDevLicense
      HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\AppModelUnlock | family: symbolic links
    | true: allow symbolic links (Developer Mode of Windows), or use a file system that has them,
    | false: use a file system without symbolic links
  fs.noexec | flag | | | strong | Whether programs in the captured folder are kept from running.
    | unix: @mount folder noexec | false: use a folder that is not mounted with noexec
  fs.temporaryNoexec | flag | | | likely | Whether programs in the folder of temporary files are kept from running.
    | unix: @mount temporary noexec
    | false: set TMPDIR (for a JVM, the option -Djava.io.tmpdir) to a folder that is not mounted with noexec
  fs.readOnly | flag | | | strong | Whether the captured folder’s file system takes no writes. | unix: @mount folder ro
    | false: use a folder that can be written to, or mount this one without “ro”
  fs.temporaryWritable | flag | | | strong | Whether programs can write to the folder of temporary files.
    | all: @access temporary | true: let the user write to the folder of temporary files, or set TMPDIR to another
  fs.full | flag | | | strong
    | Whether the file system of the captured folder has no space, or no room for another file. | all: @space folder
    | false: free space on the file system of the project
  fs.temporaryFull | flag | | | strong
    | Whether the file system of temporary files has no space, or no room for another file. | all: @space temporary
    | false: free space on the file system of temporary files, or set TMPDIR to another folder
  fs.sharedMemory | flag | | | likely | Whether there is a folder of shared memory, which browsers and databases need.
    | linux: /dev/shm | true: mount a tmpfs at /dev/shm
  dotenv.lineEnds | set | none | | likely
    | Dotenv files of the captured folder with Windows line endings, which some programs read as part of the value.
    | all: the files | repair: save the dotenv files with the same line endings (LF)
  folder.owned | flag | | | likely
    | Whether the captured folder belongs to the user; if not, git refuses to work in it.
    | linux: stat(2), against the user of the process | macos: stat(2), against the user
    | true: take the folder over ~ sudo chown -R "$(id -u):$(id -g)" .
  folder.plainPath | flag | | | likely
    | Whether the path of the captured folder is free of spaces and of characters outside ASCII. | all: @path folder
    | true: move the project to a folder without spaces and without letters outside ASCII in its path
    | reveals: That the path holds such a character, not which. | personal
  home.default | flag | | | likely | Whether HOME is the home folder of the user account. | linux: /etc/passwd
    | macos: getpwuid(3) | apply: home | inert
    | true: set HOME ~ export HOME="$(getent passwd "$(id -u)" ¦ cut -d: -f6)"
  home.writable | flag | | | likely | Whether programs can write to the home folder. | all: @access home | apply: home
    | inert | true: let the user write to the home folder, or set HOME to another
  home.plainPath | flag | | | likely
    | Whether the path of the home folder is free of spaces and of characters outside ASCII. | all: @path home
    | apply: home | inert | true: set HOME to a folder without spaces and without letters outside ASCII in its path
    | reveals: That the user name may hold such a character, not which. | personal
  windows.longPaths | flag | | | likely | Whether Windows lets programs use paths longer than 260 characters.
    | windows: @registry LongPathsEnabled HKLM\SYSTEM\CurrentControlSet\Control\FileSystem
    | true: set LongPathsEnabled to 1 in the registry
  windows.codePage | | | | possible | The code page in which programs without Unicode read text.
    | windows: @registry ACP HKLM\SYSTEM\CurrentControlSet\Control\Nls\CodePage
    | reveals: The region that the machine is set up for.
    | repair: let programs read and write UTF-8 (PYTHONUTF8=1, -Dfile.encoding=UTF-8), or set the system’s code page to
      {value},
  windows.consoleCodePage | | | | possible | The code page in which a new console reads the output of programs.
    | windows: @registry OEMCP HKLM\SYSTEM\CurrentControlSet\Control\Nls\CodePage
    | reveals: The region that the machine is set up for.
    | repair: switch the console over ~ chcp {value}
  windows.executionPolicy | | | | likely
    | Which scripts PowerShell may run: set by policy, else for the account, else for the machine.
    | windows: @registry ExecutionPolicy HKLM\SOFTWARE\Policies\Microsoft\Windows\PowerShell
      HKCU\SOFTWARE\Policies\Microsoft\Windows\PowerShell
      HKCU\SOFTWARE\Microsoft\PowerShell\1\ShellIds\Microsoft.PowerShell
      HKLM\SOFTWARE\Microsoft\PowerShell\1\ShellIds\Microsoft.PowerShell
    | repair: allow scripts ~ Set-ExecutionPolicy -Scope CurrentUser {value}
  windows.defenderExclusion | flag | | never | rare
    | Whether Microsoft Defender leaves the captured folder alone. Most accounts may not read the list.
    | windows: registry: Windows Defender\Exclusions\Paths
    | true: keep the project on a Dev Drive, which Microsoft Defender checks in the background,
    | false: keep the project where Microsoft Defender checks it
  windows.wsl | | | never | rare
    | The default distribution of the Windows Subsystem for Linux, and which version of the subsystem runs it.
    | windows: registry: Lxss
    | repair: use the same subsystem ({value}; wsl --set-default, wsl --set-version)
`);
