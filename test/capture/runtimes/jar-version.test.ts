// Maven's version, from the build properties in an archive whose name has no version.

import { deflateRawSync } from 'node:zlib';
import { expect, it, test } from 'vitest';
import { captureEnvironment } from '../../../packages/capture/src/capture-environment.ts';
import { mavenCoreJar } from '../../../packages/capture/src/runtimes/jar-version.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createFakeSystem } from '../../support/fake-system.ts';
import { plainOptions } from '../plain-options.ts';

const entry = 'META-INF/maven/org.apache.maven/maven-core/pom.properties';

/** A ZIP archive of compressed files. */
function archive(files: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = deflateRawSync(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const listed = Buffer.alloc(46);
    listed.writeUInt32LE(0x02014b50, 0);
    listed.writeUInt16LE(8, 10);
    listed.writeUInt32LE(content.length, 20);
    listed.writeUInt16LE(name.length, 28);
    listed.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), content);
    directory.push(listed, Buffer.from(name));
    offset += local.length + name.length + content.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

function versionIn(jar: Buffer): Promise<string | undefined> {
  const machine = openMachine(
    createFakeSystem({ files: { '/usr/share/maven/lib/maven-core-3.x.jar': jar } }),
  );
  const realPath = '/usr/share/maven/bin/mvn';
  return mavenCoreJar({ machine, path: '/usr/bin/mvn', realPath, folder: '/work' });
}

const properties =
  '#Created by Apache Maven\nartifactId=maven-core\nformer.version=3.8.0\nversion=3.9.9\ngroupId=org.apache.maven\n';

it('is the value of the line that names it, wherever that line is', async () => {
  expect(await versionIn(archive({ 'META-INF/MANIFEST.MF': 'x', [entry]: properties }))).toBe('3.9.9');
});

it.each([
  ['without the properties', archive({ 'META-INF/MANIFEST.MF': 'version=1.0' })],
  ['whose properties name no version', archive({ [entry]: 'former.version=3.8.0\n' })],
  ['that is damaged', archive({ [entry]: properties }).subarray(0, 60)],
])('is unknown for an archive %s', async (_, jar) => {
  expect(await versionIn(jar)).toBeUndefined();
});

test('a program that pnpm wrote as a script into node_modules/.bin has the version of its package, and is not started', async () => {
  const system = createFakeSystem({
    env: { PATH: '/srv/app/node_modules/.bin:/usr/bin', HOME: '/home/dev', EDITOR: 'vi' },
    homeDir: '/home/dev',
    files: {
      '/srv/app/node_modules/.bin/tsc': { executable: true, content: '#!/bin/sh\nexec node x "$@"\n' },
      '/srv/app/node_modules/typescript/package.json': '{"name":"typescript","version":"7.0.2"}',
    },
  });
  const { snapshot } = await captureEnvironment(system, { folder: '/srv/app', ...plainOptions });
  expect(snapshot.runtimeVersions.typescript).toBe('7.0.2');
  expect(snapshot.metadata.capture).not.toHaveProperty('unknown');
  expect(system.executions).toEqual([]);
});
