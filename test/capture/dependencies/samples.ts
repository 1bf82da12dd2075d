// One sound file of every format: where mutations start from.

/** File name (with its folder where that matters) to a small sound content. */
export const samples: Record<string, string> = {
  'npm-shrinkwrap.json':
    '{"lockfileVersion":1,"dependencies":{"a":{"version":"1.0.0","dependencies":{"b":{"version":"npm:c@2.0.0"}}}}}',
  'package-lock.json':
    '{"lockfileVersion":3,"packages":{"":{},"node_modules/@s/a":{"version":"1.0.0","resolved":"https://u:p@h.invalid/x?token=1"}}}',
  'yarn.lock':
    '# yarn lockfile v1\n\n"@s/a@^1", "@s/a@npm:b@2":\n  version "1.0.0"\n  resolved "git+https://h.invalid/x.git#abc"\n',
  'pnpm-lock.yaml':
    "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies: {}\n\npackages:\n\n  '@s/a@1.0.0':\n    resolution: {integrity: x}\n    deprecated: |-\n      text\n",
  'bun.lock': '{"workspaces":{"":{"name":"x"},},"packages":{"a":["a@1.0.0","",{},"sha"],/* c */},}',
  'deno.lock':
    '{"version":"5","npm":{"a@1.0.0_b@2":{}},"jsr":{"@s/c@1":{}},"remote":{"https://h.invalid/std@1.0/m.ts":"x"}}',
  'package.json': '{"dependencies":{"a":"^1.0.0"}}',
  'poetry.lock':
    '[[package]]\nname = "a"\nversion = "1.0"\n[package.source]\ntype = "git"\nresolved_reference = "abc"\n[metadata]\nx = 1\n',
  'uv.lock':
    'version = 1\n[[package]]\nname = "a"\nversion = "1.0"\nsource = { git = "https://h.invalid/x#abc" }\n',
  'pdm.lock': '[[package]]\nname = "a"\nversion = "1.0"\n[metadata]\nx = 1\n',
  'Pipfile.lock':
    '{"_meta":{},"default":{"a":{"version":"==1.0"},"b":{"git":"https://h.invalid/x","ref":"abc"}}}',
  'pylock.toml': 'lock-version = "1.0"\n[[packages]]\nname = "a"\nversion = "1.0"\n',
  'pyproject.toml':
    '[project]\ndependencies = ["a>=1.0,<2 ; python_version > \'3\'", "b @ https://h.invalid/b-1.0.tar.gz"]\n[tool.poetry.dependencies]\nc = [{version = "1"}]\n',
  Pipfile: '[packages]\na = "==1.0"\nb = {git = "https://h.invalid/x"}\n',
  'requirements.txt':
    'a==1.0 \\\n  --hash=sha256:x\nb[c]>=1.0,<2 ; python_version < "3" # x\n-e git+https://u:p@h.invalid/x.git@v1#egg=d\n-r other.txt\n./path/e-1.0.tar.gz\n',
  'environment.yml': 'dependencies:\n  - c::a=1.0=b\n  - b>=1,<2\n  - pip:\n    - d==1\n',
  'Cargo.lock':
    'version = 4\n[[package]]\nname = "a"\nversion = "1.0.0"\nsource = "git+https://h.invalid/x?branch=m#abc"\n',
  'Cargo.toml':
    '[dependencies]\na = "1"\nb = { workspace = true }\n[target.\'cfg(unix)\'.dependencies]\nc = { git = "x", rev = "y" }\n',
  'go.mod':
    'module m\n\nrequire (\n\ta.invalid/b v1.0.0 // indirect\n\t"q.invalid" v1\n)\nreplace a.invalid/b v1.0.0 => ../b\n',
  'go.sum': 'a.invalid/b v1.0.0 h1:x=\na.invalid/b v1.0.0/go.mod h1:x=\n',
  'vendor/modules.txt': '# a.invalid/b v1.0.0 => c.invalid/d v1.1.0\n## explicit\na.invalid/b\n',
  'Gemfile.lock':
    'GIT\n  remote: https://h.invalid/x\n  revision: abc\n  specs:\n    a (1.0.0-x86)\n      b (>= 1)\n\nDEPENDENCIES\n  a!\n',
  'x.gemfile.lock': 'GEM\n  specs:\n    a (1.0)\n',
  Gemfile: 'gem "a", "~> 1.0", [">= 1"], git: "x"\n',
  'composer.lock': '{"packages":[{"name":"a/b","version":"dev-main","source":{"reference":"abc"}}]}',
  'composer.json': '{"require":{"php":"^8"}}',
  'pom.xml':
    '<?xml version="1.0"?><!-- c --><!DOCTYPE p [<!ENTITY x "y">]><project a="b"><properties><v>1</v></properties><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>' +
    '$' +
    '{v}&amp;<![CDATA[x]]></version></dependency></dependencies></project>',
  'gradle.lockfile': '# c\na:b:1.0=x,y\nempty=\n',
  'libs.versions.toml':
    '[versions]\nv = { strictly = "1" }\n[libraries]\na = { module = "g:a", version.ref = "v" }\nb = "g:b:1"\n',
  'verification-metadata.xml':
    '<verification-metadata><components><component group="g" name="a" version="1"/></components></verification-metadata>',
  'build.sbt.lock': '{"dependencies":[{"org":"o","name":"n","version":"1"}]}',
  'maven_install.json': '{"artifacts":{"g:a:jar":{"version":"1"}}}',
  'packages.lock.json': '{"dependencies":{"net8.0":{"A":{"type":"Direct","resolved":"1.0.0"}}}}',
  'paket.lock': 'NUGET\n  remote: x\n    A (1.0)\n      B (>= 1)\nGITHUB\n  remote: o/r\n    f (abc)\n',
  'packages.config': '<packages><package id="A" version="1.0"/></packages>',
  'Directory.Packages.props':
    '<Project><ItemGroup><PackageVersion Include="A" Version="1"/></ItemGroup></Project>',
  'x.csproj':
    '<Project><PropertyGroup><V>1</V></PropertyGroup><ItemGroup><PackageReference Include="A;B" Version="[$(V)]"/></ItemGroup></Project>',
  'pubspec.lock':
    'packages:\n  a:\n    source: git\n    description: {resolved-ref: abc, url: x}\n    version: "1.0.0"\n',
  'pubspec.yaml': 'dependencies:\n  a: ^1\n  b: {git: {url: x}}\n  c:\n',
  'Podfile.lock': 'PODS:\n  - A/B (1.0):\n    - C\n  - C (2.0)\nCHECKOUT OPTIONS:\n  C:\n    :commit: abc\n',
  'Package.resolved':
    '{"version":2,"pins":[{"identity":"a","location":"x","state":{"revision":"abc","branch":"m"}}]}',
  'mix.lock':
    '%{\n  "a": {:hex, :a, "1.0.0", "h", [:mix], [], "hexpm", "h"},\n  "b": {:git, "https://h.invalid/x", "abc", []},\n}\n',
  'stack.yaml.lock':
    'packages:\n- completed:\n    hackage: a-1.0@sha256:x,1\nsnapshots:\n- completed:\n    url: https://h.invalid/lts/20/1.yaml\n',
  'cabal.project.freeze': 'constraints: any.a ==1.0,\n             b +flag\n',
  'Manifest.toml': 'manifest_format = "2.0"\n[[deps.A]]\nuuid = "x"\nversion = "1.0"\n',
  'renv.lock': '{"R":{"Version":"4"},"Packages":{"a":{"Version":"1.0","Source":"GitHub","RemoteSha":"abc"}}}',
  'conan.lock': '{"version":"0.5","requires":["a/1.0@u/c#r%1"]}',
  'x.opam.locked': 'depends: [\n  "a" {= "1.0"}\n  ("b" | "c" {>= "1"})\n]\n',
  'x.opam': 'depends: "a" {>= "1"}\n',
  'Chart.lock': 'dependencies:\n- name: a\n  version: 1.0.0\n',
  '.terraform.lock.hcl': 'provider "h.invalid/o/a" {\n  version = "1.0"\n  hashes = [\n    "x",\n  ]\n}\n',
  'flake.lock': '{"nodes":{"a":{"locked":{"type":"github","owner":"o","repo":"r","rev":"abc"}}}}',
  'compose.yaml':
    'services:\n  a: {image: "x/y:1@sha256:z"}\n  b: &b\n    image: q:' + '$' + '{T:-1}\n  c:\n    <<: *b\n',
  Dockerfile:
    'ARG V=3.12\nARG BASE="python:$V-slim"\nFROM --platform=linux/amd64 $BASE AS build\nRUN a && \\\n  b\nFROM build\nCOPY --from=x/y:1@sha256:z /a /b\n',
  '.devcontainer/devcontainer.json':
    '{\n  // base\n  "image": "x/y:1",\n  "features": {"ghcr.io/a/b:1": {}, "./own": {}},\n}\n',
  'devcontainer-lock.json':
    '{"features":{"ghcr.io/a/b:1":{"version":"1.2.0","resolved":"ghcr.io/a/b@sha256:x","integrity":"sha256:x"}}}',
  '.pre-commit-config.yaml':
    'repos:\n- repo: https://h.invalid/a\n  rev: v1\n  hooks: [{id: x}]\n- repo: local\n',
  'Chart.yaml': 'name: x\ndependencies:\n- name: a\n  version: ^1\n',
  'gradle-wrapper.properties': 'distributionUrl=https\\://h.invalid/gradle-8.5-bin.zip\n',
  'maven-wrapper.properties':
    'wrapperVersion=3.3.2\ndistributionUrl=https://h.invalid/apache-maven-3.9.6-bin.zip\n',
  'requirements.lock': '-e file:.\na==1.0\n',
  'requirements.in': 'a>=1\n',
  'setup.cfg':
    '[options]\ninstall_requires =\n    a>=1 ; python_version > "3"\n    b\n[options.extras_require]\nx = c; d\n',
  'pixi.lock':
    'version: 6\npackages:\n- conda: https://h.invalid/noarch/a-b-1.0-h_0.conda\n- pypi: https://h.invalid/c-1.0.whl\n  name: c\n  version: "1.0"\n',
  'pixi.toml':
    '[dependencies]\na = ">=1"\n[pypi-dependencies]\nb = { git = "https://h.invalid/b", rev = "x" }\n[feature.t.target.linux-64.dependencies]\nc = "*"\n',
  'conda-lock.yml':
    'package:\n- name: a\n  version: "1.0"\n  manager: conda\n- {name: b, version: "2", manager: pip}\n',
  'bower.json': '{"dependencies":{"a":"^1.0.0"}}',
  'deno.json': '{"imports":{"a":"jsr:@s/a@^1","b":"npm:b@2/x"},"scopes":{"x":{"c":"npm:/c"}}}',
  'conanfile.txt': '[requires]\na/1.0@u/c # x\nb/[>=1 <2]\n[generators]\nx\n',
  'vcpkg.json':
    '{"dependencies":["a",{"name":"b","version>=":"1"}],"overrides":[{"name":"c","version":"2"}],"builtin-baseline":"abc"}',
  'Cartfile.resolved': 'github "a/b" "1.0"\ngit "https://h.invalid/c" "v2"\n',
  Cartfile: '# c\ngithub "a/b" ~> 1.0\nbinary "https://h.invalid/x.json" >= 2\n',
  'shard.lock': 'version: 2.0\nshards:\n  a:\n    git: https://h.invalid/a\n    version: 1.0.0\n',
  'shard.yml': 'dependencies:\n  a:\n    github: o/a\n    version: ~> 1\n',
  'MODULE.bazel.lock':
    '{"lockFileVersion":11,"registryFileHashes":{"https://h.invalid/modules/a/1.0/source.json":"x","https://h.invalid/modules/a/0.9/MODULE.bazel":"y"}}',
  'dotnet-tools.json': '{"version":1,"tools":{"a":{"version":"1.0.0","commands":["a"]}}}',
  'rebar.lock':
    '{"1.2.0",\n[{<<"a">>,{pkg,<<"a">>,<<"1.0.0">>},0},\n {<<"b">>,{git,"https://h.invalid/b",{ref,"abc"}},1}]}.\n[{pkg_hash,[{<<"a">>, <<"X">>}]}].\n',
  'manifest.toml':
    'packages = [\n  { name = "a", version = "1.0.0", source = "hex" },\n]\n[requirements]\na = { version = ">= 1" }\n',
  'gleam.toml': 'name = "x"\n[dependencies]\na = ">= 1"\nb = { path = "../b" }\n',
  'Project.toml': '[deps]\nA = "uuid"\n[compat]\nA = "1"\n',
  'elm.json':
    '{"type":"application","dependencies":{"direct":{"elm/core":"1.0.5"},"indirect":{"elm/json":"1.1.3"}},"test-dependencies":{}}',
};
