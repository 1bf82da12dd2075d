import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from './collect-files.ts';

describe('Dart', () => {
  it('reads pubspec.lock with packages from an SDK, from git and from a path', async () => {
    const text = `packages:
  flutter:
    dependency: "direct main"
    description: flutter
    source: sdk
    version: "0.0.0"
  path:
    dependency: transitive
    description: {name: path, sha256: x, url: "https://index.invalid"}
    source: hosted
    version: "1.10"
  forked:
    dependency: "direct main"
    description:
      path: "."
      ref: main
      resolved-ref: "0123abc"
      url: "https://host.invalid/o/r.git"
    source: git
    version: "2.0.0"
sdks:
  dart: ">=3.0.0"
`;
    expect(await packagesOf('pubspec.lock', text)).toEqual({
      flutter: '0.0.0',
      path: '1.10',
      forked: '2.0.0+git.0123abc',
    });
  });

  it('reads pubspec.yaml where there is no lock file', async () => {
    const text = `name: app
dependencies:
  flutter: {sdk: flutter}
  a: ^1.0.0
  b:
  c: {git: {url: "https://host.invalid/c.git", ref: v1}}
  d: {path: ../d}
  e: {hosted: "https://index.invalid", version: ^2.0}
dev_dependencies:
  f: any
`;
    expect(await packagesOf('pubspec.yaml', text)).toEqual({
      flutter: 'sdk:flutter',
      a: '^1.0.0',
      b: '*',
      c: 'https://host.invalid/c.git#v1',
      d: 'path:../d',
      e: '^2.0',
      f: 'any',
    });
  });
});

describe('CocoaPods and Swift', () => {
  it('read Podfile.lock with items that are text or maps, subspecs and commits', async () => {
    const text = `PODS:
  - Alamofire (5.8.0)
  - Firebase/Core (10.0.0):
    - Firebase/CoreOnly
    - Alamofire (~> 5)
  - Firebase/CoreOnly (10.0.0)
  - Forked (1.0):
    - Alamofire

DEPENDENCIES:
  - Alamofire (~> 5)

CHECKOUT OPTIONS:
  Forked:
    :commit: 0123abc
    :git: https://host.invalid/o/r.git

PODFILE CHECKSUM: abc

COCOAPODS: 1.12.0
`;
    expect(await packagesOf('Podfile.lock', text)).toEqual({
      Alamofire: '5.8.0',
      'Firebase/Core': '10.0.0',
      'Firebase/CoreOnly': '10.0.0',
      Forked: '1.0+git.0123abc',
    });
  });

  it('read Package.resolved of versions 1, 2 and 3', async () => {
    const pins = [
      {
        identity: 'a',
        kind: 'remoteSourceControl',
        location: 'https://host.invalid/a',
        state: { revision: 'ff', version: '1.0.0' },
      },
      { identity: 'b', location: 'https://host.invalid/b', state: { branch: 'main', revision: '0123abc' } },
      { identity: 'c', location: 'https://host.invalid/c', state: { revision: '4567def' } },
    ];
    const expected = { a: '1.0.0', b: 'main+git.0123abc', c: 'https://host.invalid/c#4567def' };
    for (const version of [2, 3]) {
      expect(await packagesOf('Package.resolved', JSON.stringify({ version, pins }))).toEqual(expected);
    }
    const one = {
      version: 1,
      object: {
        pins: pins.map(({ identity, location, state }) => ({
          package: identity,
          repositoryURL: location,
          state,
        })),
      },
    };
    expect(await packagesOf('Package.resolved', JSON.stringify(one))).toEqual(expected);
  });
});

describe('Elixir', () => {
  it('reads mix.lock', async () => {
    const text = `%{
  "jason": {:hex, :jason, "1.4.1", "aaaa", [:mix], [{:decimal, "~> 1.0 or ~> 2.0", [hex: :decimal, repo: "hexpm", optional: true]}], "hexpm", "bbbb"},
  "renamed": {:hex, :"real-name", "2.0.0", "aaaa", [:mix], [], "hexpm", "bbbb"},
  "forked": {:git, "https://host.invalid/o/r.git", "0123abc", [branch: "main"]},
}
`;
    expect(await packagesOf('mix.lock', text)).toEqual({
      jason: '1.4.1',
      'real-name': '2.0.0',
      forked: 'https://host.invalid/o/r.git#0123abc',
    });
    expect(await packagesOf('mix.lock', '%{}\n')).toEqual({});
    const { warnings } = await collectFiles({ 'mix.lock': text.slice(0, -3) });
    expect(warnings).toHaveLength(1);
  });
});

describe('Haskell', () => {
  it('reads stack.yaml.lock', async () => {
    const text = `packages:
- completed:
    hackage: acme-missiles-0.3@sha256:aaaa,613
    pantry-tree: {sha256: x, size: 1}
  original:
    hackage: acme-missiles-0.3
- completed:
    name: forked
    version: 1.2.0
    git: https://host.invalid/o/r.git
    commit: 0123abc
snapshots:
- completed:
    sha256: x
    size: 1
    url: https://host.invalid/stackage-snapshots/lts/20/26.yaml
  original: lts-20.26
`;
    expect(await packagesOf('stack.yaml.lock', text)).toEqual({
      'acme-missiles': '0.3',
      forked: '1.2.0+git.0123abc',
      snapshot: 'lts-20.26',
    });
  });

  it('reads cabal.project.freeze', async () => {
    const text = `active-repositories: hackage.invalid:merge
constraints: any.aeson ==2.1.0.0,
             aeson -cffi +ordered-keymap,
             any.base ==4.17.0.0
index-state: hackage.invalid 2023-01-01T00:00:00Z
`;
    expect(await packagesOf('cabal.project.freeze', text)).toEqual({ aeson: '2.1.0.0', base: '4.17.0.0' });
  });

  it('reads every version of a name that cabal.project.freeze has several of', async () => {
    const text = `constraints: any.a ==1.10 || ==1.9,
             any.b ==2.0||==2.1 || ==3.*,
             any.c >=1 || ==1.1,
             d ==1 || installed
`;
    expect(await packagesOf('cabal.project.freeze', text)).toEqual({
      a: '1.9, 1.10',
      b: '2.0, 2.1, 3.*',
      d: '1',
    });
  });

  it('keeps the pin of an address in flake.lock apart from its query', async () => {
    const lock = (url: string, narHash: string) =>
      JSON.stringify({ nodes: { a: { locked: { type: 'tarball', url, narHash } }, root: {} } });
    const url = 'https://host.invalid/archive.tar.gz';
    for (const [query, kept] of [
      ['?sha=aaaa', '?sha=aaaa'],
      ['?token=secret', ''],
      ['?token=secret&rev=1', '?rev=1'],
    ])
      expect(await packagesOf('flake.lock', lock(`${url}${query}`, 'sha256-x/y+z='))).toEqual({
        a: `tarball:${url}${kept}/sha256-x/y+z=`,
      });
  });
});

describe('Julia and R', () => {
  it('read Manifest.toml of formats 1 and 2, with the standard library', async () => {
    const entries = (prefix: string) => `
[[${prefix}Dates]]
uuid = "x"
[[${prefix}JSON]]
uuid = "x"
version = "0.21.4"
git-tree-sha1 = "aa"
[[${prefix}Forked]]
uuid = "x"
version = "1.0.0"
repo-url = "https://host.invalid/o/r"
repo-rev = "main"
git-tree-sha1 = "0123abc"
`;
    const expected = { Dates: '*', JSON: '0.21.4', Forked: '1.0.0+git.0123abc' };
    expect(await packagesOf('Manifest.toml', entries(''))).toEqual(expected);
    const two = `julia_version = "1.10.0"\nmanifest_format = "2.0"\n[deps]\n${entries('deps.')}`;
    expect(await packagesOf('Manifest.toml', two)).toEqual(expected);
    expect(await packagesOf('Manifest-v1.11.toml', two)).toEqual(expected);
  });

  it('read renv.lock', async () => {
    const lock = {
      R: { Version: '4.3.1' },
      Packages: {
        dplyr: { Package: 'dplyr', Version: '1.1.2', Source: 'Repository', RemoteSha: '1.1.2' },
        forked: { Package: 'forked', Version: '0.1.0', Source: 'GitHub', RemoteSha: '0123abc' },
      },
    };
    expect(await packagesOf('renv.lock', JSON.stringify(lock))).toEqual({
      dplyr: '1.1.2',
      forked: '0.1.0+git.0123abc',
    });
  });
});

describe('Conan', () => {
  it('reads conan.lock of versions 1 and 2', async () => {
    const two = {
      version: '0.5',
      requires: ['zlib/1.2.13#aaaa%1686.5', 'fmt/10.0@user/channel#bbbb'],
      build_requires: ['cmake/3.26.4#cccc%1'],
      python_requires: [],
    };
    expect(await packagesOf('conan.lock', JSON.stringify(two))).toEqual({
      zlib: '1.2.13',
      fmt: '10.0',
      cmake: '3.26.4',
    });
    const one = {
      graph_lock: {
        nodes: {
          0: { ref: 'app/1.0', path: 'conanfile.py' },
          1: { ref: 'zlib/1.2.13#0' },
          2: { ref: 'fmt/9@u/c#0' },
        },
      },
      version: '0.4',
    };
    expect(await packagesOf('conan.lock', JSON.stringify(one))).toEqual({ zlib: '1.2.13', fmt: '9' });
  });
});

describe('OCaml', () => {
  it('reads opam files, and locked ones in their place', async () => {
    const text = `opam-version: "2.0"
# depends: [ "comment" ]
depends: [
  "ocaml" {>= "4.14" & < "5.2"}
  "dune" {= "3.10.0"}
  ("a" {= "1.0" & with-test} | "b")
  "bare"
]
build: ["dune" "build" "-p" name]
`;
    expect(await packagesOf('app.opam', text)).toEqual({
      ocaml: '>= "4.14" & < "5.2"',
      dune: '3.10.0',
      a: '1.0',
      b: '*',
      bare: '*',
    });
    const { dependencies } = await collectFiles({
      'app.opam': text,
      'app.opam.locked': 'depends: "x" {= "1"}\n',
    });
    expect(JSON.stringify(dependencies)).toBe('{"app.opam.locked":{"x":"1"}}');
    const { warnings } = await collectFiles({ 'app.opam': 'depends: [\n "a"\n' });
    expect(warnings).toHaveLength(1);
  });
});

describe('infrastructure', () => {
  it('reads the requirements of a Helm 2 chart, whose lock file is not one of Python', async () => {
    const { dependencies, warnings } = await collectFiles({
      'Chart.yaml': 'name: shop\nversion: 1.0.0\n',
      'requirements.yaml': 'dependencies:\n- name: redis\n  repository: "@stable"\n  version: 4.2.1\n',
      'requirements.lock': 'dependencies:\n- name: redis\n  version: 4.2.1\ndigest: sha256:x\n',
      'roles/requirements.yaml': 'dependencies:\n- python=3.9\n',
    });
    expect(dependencies).toEqual({ 'requirements.yaml': { redis: '4.2.1' } });
    expect(warnings).toEqual([]);
  });

  it('records no image with a user and a password in its address', async () => {
    const text =
      'FROM https://user:hunter2@images.invalid/a:1\nFROM user:hunter2@images.invalid/b:1\nFROM c:2@sha256:abc\n';
    const { dependencies, warnings } = await collectFiles({ Dockerfile: text, 'Dockerfile.eex': text });
    expect(dependencies).toEqual({ Dockerfile: { c: '2@sha256:abc' } });
    expect(warnings).toHaveLength(2);
    expect(JSON.stringify(warnings)).not.toContain('hunter2');
  });

  it('reads Chart.lock, .terraform.lock.hcl and flake.lock', async () => {
    const chart = `dependencies:\n- name: redis\n  repository: https://charts.invalid\n  version: 17.0.10\ndigest: sha256:x\n`;
    expect(await packagesOf('Chart.lock', chart)).toEqual({ redis: '17.0.10' });
    const terraform = `# This file is maintained automatically
provider "registry.invalid/hashicorp/aws" {
  version     = "5.10.0"
  constraints = "~> 5.0"
  hashes = [
    "h1:x=",
  ]
}
`;
    expect(await packagesOf('.terraform.lock.hcl', terraform)).toEqual({
      'registry.invalid/hashicorp/aws': '5.10.0',
    });
    const flake = {
      nodes: {
        nixpkgs: {
          locked: { type: 'github', owner: 'NixOS', repo: 'nixpkgs', rev: '0123abc', narHash: 'x' },
        },
        local: { locked: { type: 'path', path: './x', narHash: 'sha256-y' } },
        root: { inputs: { nixpkgs: 'nixpkgs' } },
      },
      root: 'root',
      version: 7,
    };
    expect(await packagesOf('flake.lock', JSON.stringify(flake))).toEqual({
      nixpkgs: 'github:NixOS/nixpkgs/0123abc',
      local: 'path:./x/sha256-y',
    });
  });

  it('reads images of compose files, with merge keys and tags of the application', async () => {
    const text = `x-base: &base
  image: "base:1.0"
services:
  inherits:
    <<: *base
  db:
    image: postgres:15.3@sha256:aaaa
    ports: !reset []
  registry: {image: "host.invalid:5000/team/app"}
  variable: {image: "team/app:\${TAG:-1.0}"}
  digest: {image: "x@sha256:bb"}
  built: {build: .}
`;
    expect(await packagesOf('compose.yaml', text)).toEqual({
      base: '1.0',
      postgres: '15.3@sha256:aaaa',
      'host.invalid:5000/team/app': 'latest',
      'team/app': `\${TAG:-1.0}`,
      x: '@sha256:bb',
    });
    expect(await packagesOf('docker-compose.override.yml', 'services: {a: {image: b}}')).toEqual({
      b: 'latest',
    });
  });

  it('leaves .tool-versions, mise.toml and .nvmrc to the toolchain', async () => {
    const { dependencies, warnings } = await collectFiles({
      '.tool-versions': 'node 20 18\n',
      'mise.toml': '[tools]\nnode = "22"\n',
      '.nvmrc': '20\n',
    });
    expect([Object.keys(dependencies), warnings]).toEqual([[], []]);
  });
});
