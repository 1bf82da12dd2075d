// The recipes of package managers, filled as for a release, and read by their programs if these are installed.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load } from 'js-yaml';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveOf } from '../../scripts/executables/programs.ts';
import { type TargetName, targets } from '../../scripts/executables/targets.ts';
import { buildDeb } from '../../scripts/packaging/build-deb.ts';
import { fillRecipes } from '../../scripts/packaging/fill-recipes.ts';
import { readTestData } from '../support/test-data.ts';

const { contents } = readTestData<{ contents: string }>(import.meta);

const names = (Object.keys(targets) as TargetName[]).map((name) => archiveOf('envsnap', name));
const digests = new Map(names.map((name, index) => [name, `${index}`.repeat(64)]));

describe('recipes of package managers', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'envsnap-recipes-'));
    fillRecipes('1.2.3', digests, folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

  it('name the release and archives that are made, and leave nothing to fill in', () => {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (statSync(path.join(folder, file)).isDirectory()) continue;
      const text = read(file);
      expect(text).not.toMatch(/@(?:VERSION|SHA256)/);
      for (const [, version, archive = ''] of text.matchAll(/releases\/download\/v([\d.]+)\/([\w.-]+)/g))
        expect([version, digests.has(archive)]).toEqual(['1.2.3', true]);
    }
  });

  it('are refused where an archive has no digest', () => {
    expect(() => fillRecipes('1.2.3', new Map(), folder)).toThrow(/needs envsnap-\S+, which is not there/);
  });

  it('for Homebrew is Ruby, with each archive beside its digest', () => {
    const formula = read('homebrew/envsnap.rb');
    const pairs = [...formula.matchAll(/url "\S+\/([\w.-]+)"\n\s+sha256 "(\w+)"/g)];
    expect(pairs).toHaveLength(4);
    for (const [, archive = '', digest] of pairs) expect(digests.get(archive)).toBe(digest);
    const { status, error } = spawnSync('ruby', ['-c', path.join(folder, 'homebrew/envsnap.rb')]);
    if (!error) expect(status).toBe(0);
  });

  it('for winget agree with each other and with the archive', () => {
    const manifests = ['', '.installer', '.locale.en-US'].map(
      (part) => load(read(`winget/envsnap.envsnap${part}.yaml`)) as Record<string, unknown>,
    );
    for (const manifest of manifests)
      expect(manifest).toMatchObject({ PackageIdentifier: 'envsnap.envsnap', PackageVersion: '1.2.3' });
    expect(manifests[1]).toMatchObject({
      NestedInstallerFiles: [{ RelativeFilePath: 'envsnap-win-x64\\envsnap.exe' }],
      Installers: [{ InstallerSha256: digests.get('envsnap-win-x64.zip') }],
    });
  });

  it('for mise name an archive and its digest for each platform', () => {
    const { tools } = parse(read('mise/envsnap.mise.toml')) as unknown as {
      tools: Record<string, { platforms: Record<string, { url: string; checksum: string }> }>;
    };
    const platforms = Object.values(tools['http:envsnap']?.platforms ?? {});
    expect(platforms).toHaveLength(5);
    for (const { url, checksum } of platforms)
      expect(checksum).toBe(`sha256:${digests.get(path.posix.basename(url))}`);
  });

  it.skipIf(spawnSync('dpkg-deb', ['--version']).status !== 0)(
    'for Debian is a package without scripts',
    () => {
      const made = path.join(folder, 'made');
      mkdirSync(made, { mode: 0o700 });
      for (const name of ['envsnap', 'LICENSE', 'LICENSE-Node.js', 'THIRD-PARTY-LICENSES.txt'])
        writeFileSync(path.join(made, name), name, { mode: 0o600 });
      const deb = buildDeb('envsnap', 'linux-x64', made, '1.2.3', made);
      const listed = (option: string) => spawnSync('dpkg-deb', [option, deb], { encoding: 'utf8' }).stdout;
      expect(listed('--contents').replace(/^(\S+ \S+).*(?= \.\/)/gm, '$1')).toBe(contents);
      expect(listed('--info')).not.toMatch(/postinst|preinst|postrm|prerm/);
    },
  );

  it('for asdf lists releases in order, and installs the one that is asked for', { tags: 'release' }, () => {
    const repository = path.join(folder, 'repository');
    const git = (...args: string[]) => spawnSync('git', ['-C', repository, ...args]);
    spawnSync('git', ['init', '--quiet', repository]);
    git('-c', 'user.name=x', '-c', 'user.email=x', 'commit', '--quiet', '--allow-empty', '-m', 'x');
    for (const tag of ['v1.10.0', 'v1.2.3', 'other']) git('tag', tag);
    const release = path.join(repository, 'envsnap-linux-x64');
    mkdirSync(release);
    writeFileSync(path.join(release, 'envsnap'), '#!/bin/sh\necho envsnap/1.2.3\n', { mode: 0o755 });
    spawnSync(
      'sh',
      ['-c', 'tar -czf envsnap-linux-x64.tar.gz envsnap-linux-x64; sha256sum *.tar.gz >SHA256SUMS'],
      { cwd: repository },
    );
    // Replaces the network; it has the files of release 1.2.3.
    const curl = `#!/bin/sh\nfor word; do case $word in */download/v1.2.3/*) from=\${word##*/} ;; esac; done\n[ -n "$from" ] || exit 22\ncp "${repository}/$from" "$word"\n`;
    mkdirSync(path.join(folder, 'network'));
    writeFileSync(path.join(folder, 'network/curl'), curl, { mode: 0o755 });
    const asdf = (script: string, version = '') =>
      spawnSync(path.join(folder, 'asdf/bin', script), {
        encoding: 'utf8',
        env: {
          PATH: `${path.join(folder, 'network')}:${process.env.PATH}`,
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: `url.${repository}.insteadOf`,
          GIT_CONFIG_VALUE_0: 'https://github.com/envsnap/envsnap',
          ASDF_INSTALL_TYPE: 'version',
          ASDF_INSTALL_VERSION: version,
          ASDF_INSTALL_PATH: path.join(folder, 'installs', version),
        },
      });
    expect(asdf('list-all').stdout).toBe('1.2.3 1.10.0 ');
    expect(asdf('download', '1.2.3').status).toBe(0);
    if (process.platform !== 'linux' || process.arch !== 'x64') return;
    expect(asdf('install', '1.2.3')).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(path.join(folder, 'installs/1.2.3/bin'))).toEqual(['envsnap']);
    expect(asdf('install', '9.9.9').status).toBe(1);
  });

  it('for dev containers bring the installer along, pinned to the version', () => {
    expect(JSON.parse(read('devcontainer/devcontainer-feature.json'))).toMatchObject({ version: '1.2.3' });
    expect(read('devcontainer/install.sh')).toContain('--version "1.2.3"');
    for (const script of ['install.sh', 'install-envsnap.sh'])
      expect(spawnSync('sh', ['-n', path.join(folder, 'devcontainer', script)]).status).toBe(0);
  });
});
