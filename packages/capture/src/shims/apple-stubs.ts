// macOS: `/usr/bin/git`, `python3`, `java` and others are stubs that offer to install something when it is missing.

import { orderVersions } from '@envsnap/versions';
import type { MachineFiles } from '../system/machine-files.ts';
import type { ShimManager } from './shim.ts';

const developerTools = new Set(
  'git python3 pip3 gcc g++ clang clang++ make gmake swift swiftc m4 flex bison ld lldb svn xcodebuild gm4'.split(
    ' ',
  ),
);

/** Never started directly: a stub without its tool opens a window. */
export const appleStubManager: ShimManager = {
  name: 'xcode-select',
  recognises: ({ machine }, { name, path }) =>
    machine.platform === 'darwin' &&
    path === `/usr/bin/${name}` &&
    (developerTools.has(name) || name === 'java'),
  async resolve({ machine }, { name }) {
    if (name === 'java') {
      const home = machine.env.JAVA_HOME ?? (await newestJavaHome(machine.files));
      const path = home && `${home}/bin/java`;
      return path && (await machine.files.isFile(path))
        ? { kind: 'tool', path, selectedBy: machine.env.JAVA_HOME ? 'JAVA_HOME' : 'java_home', root: home }
        : { kind: 'absent', reason: 'no Java is installed' };
    }
    const selected = await machine.files.realPath('/var/db/xcode_select_link');
    const developerFolders = [
      machine.env.DEVELOPER_DIR,
      selected,
      '/Applications/Xcode.app/Contents/Developer',
      '/Library/Developer/CommandLineTools',
    ];
    for (const folder of developerFolders) {
      if (!folder) continue;
      for (const inner of ['usr/bin', 'Toolchains/XcodeDefault.xctoolchain/usr/bin']) {
        const path = `${folder}/${inner}/${name}`;
        if (await machine.files.isFile(path))
          return { kind: 'tool', path, selectedBy: 'xcode-select', root: folder };
      }
    }
    return { kind: 'absent', reason: 'the developer tools are not installed' };
  },
};

async function newestJavaHome(files: MachineFiles): Promise<string | undefined> {
  const root = '/Library/Java/JavaVirtualMachines';
  const homes = new Map<string, string>();
  for (const name of await files.names(root)) {
    const home = `${root}/${name}/Contents/Home`;
    const version = /^JAVA_VERSION="([^"]+)"/m.exec((await files.text(`${home}/release`)) ?? '')?.[1];
    if (version) homes.set(version, home);
  }
  return homes.get(orderVersions([...homes.keys()], 'generic').at(-1) ?? '');
}
