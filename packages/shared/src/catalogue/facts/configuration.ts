// Facts about names, proxies and trust, and about the configuration of git, package managers, build tools and programs. Never a
// credential.

import { factTable } from './fact-table.ts';

export const networkFacts = factTable(String.raw`
  net.resolvers | list | none | never | always slight | The name servers, in the order in which they are asked.
    | unix: /etc/resolv.conf | family: resolver | namesHosts | reveals: Addresses of the network’s name servers.
    | repair: write the name servers {value} into /etc/resolv.conf
  net.searchDomains | list | none | never | possible | The domains that are appended to short host names.
    | unix: /etc/resolv.conf | family: resolver | namesHosts | reveals: Names of the internal domains.
    | repair: write the search domains {value} into /etc/resolv.conf
  net.resolverOptions | set | none | never | possible | How names are looked up, e.g. ndots:5. | unix: /etc/resolv.conf
    | family: resolver
    | repair: write the options {value} into /etc/resolv.conf
  net.nameSources | | | asked for | possible
    | Where host names are looked up, in order: files, dns, myhostname and others.
    | linux: /etc/nsswitch.conf, line “hosts” | repair: write “hosts: {value}” into /etc/nsswitch.conf
  net.hosts | set | none | item named localhost | slight if it does not count; else likely
    | Host names that the hosts file defines beyond the defaults, with the kind of address they lead to.
    | unix: /etc/hosts | windows: System32\drivers\etc\hosts | namesHosts
    | reveals: The host names, and whether each leads to this machine, a private or a public address.
    | repair: add {missing} to the hosts file
  net.localhost | set | | lacks item IPv4 | slight if it does not count; else likely
    | The kinds of address that the hosts file gives localhost. | unix: /etc/hosts
    | windows: System32\drivers\etc\hosts | repair: write “127.0.0.1 localhost” into the hosts file
  net.addressPreference | list | none | | possible | Rules that change whether IPv4 or IPv6 addresses come first.
    | linux: @lines /etc/gai.conf | personal
  net.mtu | number bytes | | less 1500 | context if B has as much; else rare
    | How large a packet of the default route may be; if it is larger than a tunnel allows, connections hang.
    | linux: /proc/net/route, /sys/class/net/*/mtu | personal
    | repair: give the interface of the default route an MTU of {value}
  net.proxies | set | none | | likely | Proxies that configuration files set, each with the program that uses it.
    | linux: configuration of git, npm, pip, curl, wget, apt, Maven, Gradle, Docker
    | macos: configuration of git, npm, pip, curl, wget, Maven, Gradle, Docker
    | windows: configuration of git, npm, pip, curl, Maven, Gradle, Docker; registry: Internet Settings | family: proxy
    | personal
    | namesHosts | reveals: Host and port of the proxies, never a user or a password.
    | repair: let the same programs use the same proxies ({missing})
  tls.certificates | digest | | none on one side | 26 if it does not count; else strong
    | Number and digest of the certificates that programs trust.
    | linux: /etc/ssl/certs/ca-certificates.crt and its places on other distributions; “none” or “damaged” if no program can
      use them | macos: /etc/ssl/cert.pem | repair: install the same certificates (the package ca-certificates)
    | reveals: That the machine trusts additional certificates, not which.
  tls.toolBundles | set | none | never | possible
    | Files of certificates that tools’ configuration names, each with the tool; “system” for the system’s own.
    | all: configuration of git, npm, pip, cargo, conda, curl | freeText
    | reveals: Paths of the files, the home folder written “~”.
    | repair: let the same tools use the same certificates ({missing})
  openssl.config | digest | none | one distribution | possible
    | Digest of OpenSSL’s configuration, without its comments and its security level.
    | linux: /etc/ssl/openssl.cnf or /etc/pki/tls/openssl.cnf
    | macos: /etc/ssl/openssl.cnf, or that of Homebrew’s OpenSSL | family: openssl | personal
    | repair: use the same configuration of OpenSSL (openssl.cnf, or the variable OPENSSL_CONF)
  openssl.securityLevel | number | OpenSSL’s default | one distribution | slight if it does not count; else possible
    | The security level below which OpenSSL refuses keys and protocols.
    | linux: /etc/ssl/openssl.cnf, SECLEVEL; crypto policies of Red Hat’s distributions
    | macos: /etc/ssl/openssl.cnf, SECLEVEL | family: openssl | personal
    | repair: use keys and certificates that the security level allows
  openssl.cryptoPolicy | | none | one distribution | likely
    | The system-wide policy of cryptography on Red Hat’s distributions.
    | linux: @file /etc/crypto-policies/state/current | family: openssl | personal
    | repair: use keys and protocols that the policy allows
`);

export const gitFacts = factTable(`
  git.core.autocrlf | | false | either is true | slight if it does not count; else likely
    | Whether git changes line endings when it checks files out and commits them. | git: core.autocrlf
    | all: core.autocrlf in git’s files | family: line ends | inert
  git.core.eol | | native | | likely | Which line endings text files get when git checks them out. | git: core.eol
    | family: line ends | inert
  git.core.safecrlf | | warn | asked for | rare | Whether git refuses a change of line endings that it could not undo.
    | git: core.safecrlf | family: line ends | inert
  git.core.ignoreCase | flag | false | | always rare | Whether git treats README and readme as one file.
    | git: core.ignorecase | family: case of file names
  git.core.fileMode | flag | true | | possible | Whether git notices that a file became executable.
    | git: core.filemode | inert
  git.core.symlinks | flag | true | | likely | Whether git checks symbolic links out as links. | git: core.symlinks
    | family: symbolic links
  git.core.longPaths | flag | false | | possible | Whether git on Windows writes paths longer than 260 characters.
    | git: core.longpaths | personal
  git.core.precomposeUnicode | flag | not set | asked for | always slight
    | Whether git on macOS composes characters in file names. | git: core.precomposeunicode
    | family: case of file names
  git.core.hooksPath | flag | false | asked for | now and then if B has true; else slight
    | Whether hooks run from a folder that the configuration names. | all: @setting git core.hookspath = presence
    | reveals: That it is set, not where it leads.
    | true: set core.hooksPath as on the other side
    | false: take core.hooksPath out of git’s configuration ~ git config --unset core.hooksPath ¦¦ git config --global
      --unset core.hooksPath
  git.core.attributesFile | flag | false | asked for | rare
    | Whether a file outside of repositories sets attributes too.
    | all: @setting git core.attributesfile = presence | reveals: That it is set, not where it leads.
    | true: set core.attributesFile as on the other side
    | false: take core.attributesFile out of git’s configuration ~ git config --unset core.attributesfile ¦¦ git config
      --global --unset core.attributesfile
  git.commit.gpgSign | flag | false | asked for | now and then if B has true; else slight
    | Whether every commit is signed, which fails without the key. | git: commit.gpgsign | family: signing
  git.tag.gpgSign | flag | false | asked for | now and then if B has true; else slight
    | Whether every tag is signed, which fails without the key. | git: tag.gpgsign | family: signing
  git.init.defaultBranch | | master | asked for | always slight | The first branch of new repositories.
    | git: init.defaultbranch | all: @setting git init.defaultbranch | inert
  git.pull.rebase | | false | asked for | always context | Whether a pull rebases or merges. | git: pull.rebase
  git.submodule.recurse | flag | false | asked for | possible | Whether commands also act on submodules.
    | git: submodule.recurse
  git.protocol.fileAllow | | user | | possible
    | Whether git clones from paths of this machine, as tests with submodules do. | git: protocol.file.allow | personal
  git.safe.bareRepository | | all | | rare | Whether git works in bare repositories that it comes across.
    | git: safe.barerepository | personal
  git.http.sslVerify | flag | true | | possible | Whether git checks certificates. | git: http.sslverify
  git.url.insteadOf | number | 0 | asked for | always slight
    | How many addresses git rewrites before it clones or pushes. | all: url.insteadof in git’s files
    | reveals: How many there are, not which.
    | repair: make the rewritten addresses the same, which “git config --get-regexp insteadof” shows,
  git.lfs | flag | false | asked for | rare if B has false; else context
    | Whether the filter of Git LFS is set up; without it large files stay pointers. | all: filter.lfs in git’s files
    | true: fetch the files of Git LFS ~ git lfs install ~ git lfs pull | setting only
  git.attributes | set | none | item with text eol crlf filter encoding | possible
    | Git attributes in the user’s own file, which apply to every repository.
    | all: ~/.config/git/attributes, or the file that core.attributesFile names | family: line ends | freeText
    | reveals: The lines of the file.
    | repair: write the same lines into ~/.config/git/attributes
  git.identity | flag | | asked for | possible | Whether git knows a name and an address for commits.
    | all: user.name and user.email in git’s files | true: set user.name and user.email in git’s configuration
    | reveals: That there is one, not which.
`);

export const toolFacts = factTable(`
  npm.registry | | registry.npmjs.org | | likely | Where npm, pnpm and others download packages from.
    | setting: npm registry = address | apply: variable npm_config_registry | family: npm registry | personal
  npm.scopedRegistries | set | none | | likely | Scopes whose packages come from a registry of their own.
    | all: npmrc files: of the folder, the user and the installation | of: npm | family: npm registry | namesHosts
    | reveals: Scopes with host and path of their registries, never a user, password or token. | personal
    | repair: write the same registries of scopes into .npmrc ({missing})
  npm.engineStrict | flag | false | | likely | Whether an installation fails when a package asks for another Node.js.
    | setting: npm engine-strict | apply: variable npm_config_engine_strict | personal
  npm.ignoreScripts | flag | false | | likely
    | Whether packages’ installation scripts are left out, so that native parts are missing.
    | setting: npm ignore-scripts | apply: variable npm_config_ignore_scripts | personal
  npm.legacyPeerDeps | flag | false | | likely | Whether conflicts of peer dependencies are ignored.
    | setting: npm legacy-peer-deps | apply: variable npm_config_legacy_peer_deps
  npm.strictSsl | flag | true | | possible | Whether the registry’s certificate is checked. | setting: npm strict-ssl
    | apply: variable npm_config_strict_ssl
  npm.omit | set | none | | likely | Which kinds of dependencies an installation leaves out.
    | all: npmrc files: of the folder, the user and the installation | apply: variable npm_config_omit | of: npm
  npm.before | | not set | | possible
    | Whether recent versions are skipped (before, min-release-age, minimum-release-age).
    | setting: npm before min-release-age minimum-release-age | personal
  npm.nodeOptions | | none | not sizes alone | likely | Options of Node.js for every script that npm runs.
    | setting: npm node-options | apply: variable npm_config_node_options | freeText
  npm.scriptShell | | sh | | possible | The shell that runs scripts of package.json, by its name.
    | all: npmrc files: of the folder, the user and the installation | of: npm | personal
  npm.installStrategy | | hoisted | | possible | How npm lays packages out in node_modules.
    | setting: npm install-strategy | apply: variable npm_config_install_strategy
  pnpm.nodeLinker | | isolated | | likely | How pnpm lays packages out: isolated, hoisted or pnp.
    | setting: npm node-linker | apply: variable npm_config_node_linker
  pnpm.hoisting | set | default | | possible | Which packages pnpm hoists, so that undeclared imports find them.
    | setting: npm shamefully-hoist hoist hoist-pattern public-hoist-pattern
  pnpm.strictPeerDependencies | flag | false | | possible | Whether pnpm fails if peer dependencies conflict.
    | setting: npm strict-peer-dependencies | apply: variable npm_config_strict_peer_dependencies
  yarn.registry | | registry.yarnpkg.com | | likely | Where Yarn downloads packages from.
    | setting: yarn npmRegistryServer registry = address | apply: variable YARN_NPM_REGISTRY_SERVER
    | family: npm registry | personal
  yarn.nodeLinker | | default | | likely | How Yarn lays packages out: pnp, pnpm or node-modules.
    | setting: yarn nodeLinker | apply: variable YARN_NODE_LINKER
  yarn.enableScripts | flag | default | | possible | Whether packages’ installation scripts run.
    | setting: yarn enableScripts | apply: variable YARN_ENABLE_SCRIPTS
  bun.registry | | registry.npmjs.org | | likely | Where Bun downloads packages from.
    | all: bunfig.toml of the folder and of the home folder | of: npm | addresses | family: npm registry | personal
  npm.prefix | | that of Node.js | asked for | possible
    | Where npm keeps packages that are installed for every project. | setting: npm prefix
    | apply: variable npm_config_prefix | reveals: The folder, the home folder written “~”.
  pip.index | | pypi.org/simple | | likely | Where pip downloads packages from. | setting: pip index-url = address
    | apply: variable PIP_INDEX_URL | family: python index | personal
  pip.extraIndexes | set | none | | likely | Where else pip looks for packages.
    | setting: pip extra-index-url = address | apply: variable PIP_EXTRA_INDEX_URL | family: python index | personal
  pip.options | set | none | asked for | possible
    | Settings of pip that change what is installed, e.g. no-binary, pre, require-virtualenv.
    | setting: pip no-index no-binary only-binary prefer-binary pre require-virtualenv break-system-packages user
      no-build-isolation use-pep517 upgrade upgrade-strategy constraint find-links target prefix no-deps require-hashes
    | freeText | namesHosts: in part
  python.externallyManaged | flag | | asked for | possible
    | Whether the Python that runs refuses installations outside of virtual environments.
    | all: EXTERNALLY-MANAGED in the standard library of the Python that runs | of: pypi conda
    | true: use the Python of the distribution
    | false: install into a virtual environment
  uv.index | | pypi.org/simple | | likely | Where uv downloads packages from. | all: uv.toml of the user and the system
    | apply: variable UV_DEFAULT_INDEX | of: pypi | addresses | family: python index | personal
  conda.channels | list | defaults | | likely | Where conda looks for packages, in order.
    | all: condarc files of the system, the installation and the user | of: conda pypi | addresses | personal
  conda.channelPriority | | flexible | | possible | Whether an earlier channel wins over a newer version.
    | all: condarc files of the system, the installation and the user | of: conda pypi | personal
  python.environment | version | | | likely
    | Version of Python that the virtual environment of the folder was made for.
    | title: Python of the virtual environment
    | all: pyvenv.cfg of the virtual environment in the folder | of: pypi
    | repair: make the virtual environment again, with python {value}
  python.systemPackages | flag | | | likely
    | Whether the virtual environment of the folder also finds the packages of the system.
    | all: include-system-site-packages in pyvenv.cfg | of: pypi
    | true: make the virtual environment with --system-site-packages
    | false: make the virtual environment without --system-site-packages
  python.addedFolders | set | none | | possible
    | Folders that .pth files add to those that the virtual environment imports from.
    | all: *.pth in the packages of the virtual environment | of: pypi
    | reveals: The folders, the home folder written “~”.
    | repair: make the virtual environment again, so that its .pth files are the same,
  python.customize | set | none | | likely | Modules that run at the start of every Python.
    | all: sitecustomize.py and usercustomize.py where the interpreter looks for them | of: pypi
    | reveals: The folders that hold them.
    | repair: have the same sitecustomize.py and usercustomize.py, or none,
  python.userPackages | set | none | asked for | possible
    | Packages in the user’s own folder, which come before those of the system.
    | all: ~/.local/lib/python3.*/site-packages | of: pypi | reveals: Names and versions of the packages.
    | repair: keep packages out of ~/.local ~ export PYTHONNOUSERSITE=1
  cargo.registries | set | crates.io | | likely | Registries and replaced sources that cargo downloads crates from.
    | all: .cargo/config.toml of the folder, those above it, and the home folder | of: cargo | addresses | personal
  cargo.target | | host | | likely | The platform that cargo builds for by default.
    | all: .cargo/config.toml of the folder, those above it, and the home folder | apply: variable CARGO_BUILD_TARGET
    | of: cargo
  cargo.flags | list | none | | likely | Flags of the compiler and linkers that cargo adds to every build.
    | all: .cargo/config.toml of the folder, those above it, and the home folder | of: cargo | freeText | personal
  go.flags | | none | | likely | Options that every go command takes. | setting: go GOFLAGS | apply: variable GOFLAGS
    | freeText
  go.proxy | | proxy.golang.org,direct | | likely | Where go downloads modules from.
    | all: go/env in the user’s configuration folder, as “go env -w” writes it | apply: variable GOPROXY | of: go
    | addresses | personal
  go.private | | none | | possible | Modules that go downloads without proxy and checksum database.
    | setting: go GOPRIVATE | apply: variable GOPRIVATE | namesHosts | reveals: Patterns of private modules’ paths.
    | personal
  go.settings | set | none | | possible | Other settings of go, e.g. CGO_ENABLED, GOTOOLCHAIN, GOSUMDB.
    | setting: go CGO_ENABLED GOTOOLCHAIN GOSUMDB GONOSUMDB GONOPROXY GONOSUMCHECK GOINSECURE GOVCS GOARCH GOOS GOAMD64
      GOARM GOEXPERIMENT GO111MODULE GOWORK CC CXX CGO_CFLAGS CGO_LDFLAGS | freeText | namesHosts: in part | personal
  go.workspace | set | none | | likely | Modules with which a go.work replaces the versions that go.mod selects.
    | all: go.work of the folder or of one above it, or the file that GOWORK names | of: go
    | repair: switch the workspace off ~ export GOWORK=off | reveals: Paths and names of the modules.
  maven.mirrors | set | none | | likely | Repositories that Maven uses instead of others. | all: ~/.m2/settings.xml
    | of: maven | addresses | personal
  maven.profiles | set | none | | possible | Profiles that are active for every build. | all: ~/.m2/settings.xml
    | of: maven | personal
  gradle.jvmArguments | | default | not sizes alone | likely
    | Options of the Java process that runs builds, such as its memory. | setting: gradle org.gradle.jvmargs | freeText
    | namesHosts: in part
  gradle.properties | set | none | | possible | Other settings of Gradle (org.gradle.*).
    | all: gradle.properties of the folder and of ~/.gradle | of: maven | freeText | namesHosts: in part | personal
  gradle.initScripts | number | 0 | | possible | How many scripts change every build of the user.
    | all: ~/.gradle/init.d and ~/.gradle/init.gradle(.kts) | of: maven
    | reveals: How many there are, nothing of their content. | personal
    | repair: have the same scripts in ~/.gradle/init.d and ~/.gradle/init.gradle(.kts)
  bundler.settings | set | none | not sizes alone | likely
    | Settings of Bundler that change what is installed, e.g. without, path, frozen.
    | all: .bundle/config of the folder and of the home folder | of: rubygems | freeText | namesHosts: in part
  gem.sources | list | rubygems.org | | likely | Where gem downloads packages from. | all: ~/.gemrc and /etc/gemrc
    | of: rubygems | addresses | personal
  php.extensions | set | none | | likely | PHP extensions that the configuration loads, without those that are built in.
    | all: php.ini and its folder conf.d, as distributions, images and Homebrew place them | of: composer
    | repair: install the same extensions of PHP
  php.memoryLimit | | | | possible | How much memory a PHP script may use: memory_limit. | all: php.ini and its folder conf.d
    | of: composer | repair: set memory_limit in php.ini to {value}
  composer.repositories | set | packagist.org | | likely | Where Composer looks for packages besides the project’s own.
    | all: config.json in Composer’s home folder | of: composer | addresses | personal
  nuget.sources | set | api.nuget.org | | likely | Where NuGet looks for packages besides the project’s own.
    | all: NuGet.Config of the user | of: nuget | addresses | personal
  docker.context | | default | asked for | always slight
    | Which Docker engine commands go to, by the name of the context. | all: ~/.docker/config.json
    | apply: variable DOCKER_CONTEXT | namesHosts | reveals: The name of the context.
  docker.engine | set | none | never | possible
    | Settings of the Docker engine that change builds and containers, e.g. the storage driver.
    | linux: /etc/docker/daemon.json | macos: ~/.docker/daemon.json | freeText | namesHosts: in part | setting only
    | repair: write the same settings into the engine’s daemon.json
  curl.config | set | none | asked for | possible | Options that every run of curl takes, by their names.
    | unix: ~/.curlrc | windows: ~/_curlrc | reveals: Names of the options, not their values.
  docker.credentialHelper | flag | true | | likely
    | Whether the program from which Docker gets passwords is installed; without it, even public images fail to download.
    | all: credsStore in ~/.docker/config.json, against the search path
    | true: install the program that credsStore names, or take credsStore out of ~/.docker/config.json | setting only
  java.home | | | | likely
    | Whether JAVA_HOME is the folder of a Java: “jdk”, “jre” without a compiler, or “none”.
    | all: bin/java and bin/javac in the folder that JAVA_HOME names | of: maven
    | repair: set JAVA_HOME to the folder of an installed JDK
  java.trustStore | | | none on one side | slight if it does not count; else strong
    | How many certificates Java trusts; “present” if the store does not show the number, “none” for an empty store.
    | linux: lib/security/cacerts of the Java on the search path | macos: the same file | windows: the same file
    | repair: give Java the same certificates (the package ca-certificates-java, or the JDK’s own lib/security/cacerts)
    | setting only
  java.security | digest | | one distribution | slight if it does not count; else possible
    | Digest of Java’s rules for algorithms and protocols, without comments.
    | linux: conf/security/java.security of the Java on the search path | macos: the same file | windows: the same file
    | follows: java | setting only | personal
    | repair: use the same conf/security/java.security of the JDK
  imagemagick.policy | digest | | one distribution | possible | Digest of what ImageMagick’s policy forbids.
    | linux: /etc/ImageMagick-7/policy.xml or /etc/ImageMagick-6/policy.xml | setting only | personal
    | repair: use the same policy.xml of ImageMagick
`);

export const programFacts = factTable(`
  program.sh | | | busybox on one side | 56 if B has dash or BusyBox and the project uses make; 46 if B has dash or
    BusyBox; slight if A has dash; else rare
    | Which shell runs scripts that begin with #!/bin/sh: dash, bash, BusyBox or another. | program: sh | personal
  program.awk | | | busybox on one side | possible if B has BSD or BusyBox; else rare
    | Which awk runs: GNU, mawk, original-awk or BusyBox. | program: awk | personal
  program.sed | | | | 70 if A has GNU; else now and then | Which sed runs: GNU, BSD or BusyBox. | program: sed
    | personal
  program.grep | | | | 70 if A has GNU; else now and then | Which grep runs: GNU, BSD or BusyBox. | program: grep
    | personal
  program.tar | | | | 70 if A has GNU; else now and then | Which tar runs: GNU, BSD or BusyBox. | program: tar
    | personal
  program.find | | | | 70 if A has GNU; else now and then | Which find runs: GNU, BSD or BusyBox. | program: find
    | personal
  program.date | | | | 70 if A has GNU; else now and then | Which date runs: GNU, BSD, uutils or BusyBox.
    | program: date | personal
  program.make | | | uses make | slight if it does not count; else likely | Which make runs: GNU, BSD or BusyBox.
    | program: make | personal
  program.ld | | | uses gcc g++ clang rust cargo swift ghc | slight if it does not count; else likely
    | Which linker runs: GNU, gold, LLD or mold. | program: ld | personal
  path.shadowed | set | none | never | likely
    | Programs in the system’s folders that an earlier folder of the search path hides.
    | all: the folders of the search path
    | reveals: Names of programs and of the folders that hold them, the home folder written ~.
    | repair: put the folders of PATH into the same order
  path.programs | set | | never | possible
    | Which common programs, such as ps, which and unzip, are on the search path.
    | unix: the folders of the search path | repair: install what is missing | reveals: Names from a fixed list.
  gpu.driver | | none | never | context if A has none; likely if the project uses cuda; slight if B has none; else now
    and then | The graphics driver in the kernel, with its version if it has one.
    | linux: /proc/driver/nvidia/version, /sys/module/*/version, /sys/class/drm | family: graphics driver
    | repair: install the graphics driver {value}
  gpu.cuda | version | none | some on both sides | context if A has none; likely if the project uses cuda; slight if B
    has none; else possible | Version of the CUDA toolkit.
    | linux: /usr/local/cuda/version.json, or where that folder leads to | windows: variable CUDA_PATH
    | family: graphics driver | personal
    | repair: install CUDA {value}
  fonts.installed | digest | | none on one side | possible if the project uses browser; rare if it does not count; else
    possible | Number and digest of the installed fonts, which decide how pages and images are drawn.
    | linux: /usr/share/fonts, /usr/local/share/fonts, ~/.local/share/fonts, ~/.fonts
    | macos: /Library/Fonts, /System/Library/Fonts, ~/Library/Fonts | windows: the folder Fonts of Windows
    | repair: install the same fonts | reveals: That fonts differ, not which.
`);
