// Facts about file systems, the captured folder and the home folder.

import { by, factTable } from './fact.ts';
import { everywhere, onLinux, onUnix, onWindows, registry } from './origin.ts';

const mount = (place: 'folder' | 'temporary', option?: string) =>
  onUnix({ from: 'mount', place, ...(option && { option }) } as const);
const codePages = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Nls\\CodePage';

export const fileFacts = factTable({
  'fs.type': {
    what: 'Type of the file system that holds the captured folder, e.g. ext4, overlay, apfs.',
    read: mount('folder'),
    counts: 'never',
    weight: [{ weight: 'slight' }],
  },
  'fs.temporaryType': {
    what: 'Type of the file system that holds the folder of temporary files.',
    read: mount('temporary'),
    counts: 'never',
    weight: 'rare',
  },
  'fs.caseSensitive': {
    what: 'Whether README and readme are two files in the captured folder.',
    read: everywhere('an existing name of the folder, looked up in the other case'),
    kind: 'flag',
    weight: [{ a: 'false', weight: 70 }, { weight: 'possible' }],
    family: 'case of file names',
    repair: by('write the names of files in imports as the files are called, letter by letter,'),
  },
  'fs.symlinks': {
    what: 'Whether symbolic links can be made in the captured folder.',
    read: {
      ...onUnix('the type of file system'),
      windows: registry(
        'AllowDevelopmentWithoutDevLicense',
        'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\AppModelUnlock',
      ),
    },
    kind: 'flag',
    weight: 'likely',
    family: 'symbolic links',
  },
  'fs.noexec': {
    what: 'Whether programs in the captured folder are kept from running.',
    read: mount('folder', 'noexec'),
    kind: 'flag',
    weight: 'strong',
    repair: { false: by('use a folder that is not mounted with noexec') },
  },
  'fs.temporaryNoexec': {
    what: 'Whether programs in the folder of temporary files are kept from running.',
    read: mount('temporary', 'noexec'),
    kind: 'flag',
    weight: 'likely',
    repair: {
      false: by(
        'set TMPDIR (for a JVM, the option -Djava.io.tmpdir) to a folder that is not mounted with noexec',
      ),
    },
  },
  'fs.readOnly': {
    what: 'Whether the captured folder’s file system takes no writes.',
    read: mount('folder', 'ro'),
    kind: 'flag',
    weight: 'strong',
    repair: { false: by('use a folder that can be written to, or mount this one without “ro”') },
  },
  'fs.temporaryWritable': {
    what: 'Whether programs can write to the folder of temporary files.',
    read: everywhere({ from: 'access', place: 'temporary' } as const),
    kind: 'flag',
    weight: 'strong',
    repair: { true: by('let the user write to the folder of temporary files, or set TMPDIR to another') },
  },
  'fs.full': {
    what: 'Whether the file system of the captured folder has no space, or no room for another file.',
    read: everywhere({ from: 'space', place: 'folder' } as const),
    kind: 'flag',
    weight: 'strong',
    repair: { false: by('free space on the file system of the project') },
  },
  'fs.temporaryFull': {
    what: 'Whether the file system of temporary files has no space, or no room for another file.',
    read: everywhere({ from: 'space', place: 'temporary' } as const),
    kind: 'flag',
    weight: 'strong',
    repair: {
      false: by('free space on the file system of temporary files, or set TMPDIR to another folder'),
    },
  },
  'fs.sharedMemory': {
    what: 'Whether there is a folder of shared memory, which browsers and databases need.',
    read: onLinux('/dev/shm'),
    kind: 'flag',
    weight: 'likely',
    repair: { true: by('mount a tmpfs at /dev/shm') },
  },
  'dotenv.lineEnds': {
    what: 'Dotenv files of the captured folder with the line ends of Windows, which some programs take for a part of the value.',
    read: everywhere('the files'),
    kind: 'set',
    unset: 'none',
    weight: 'likely',
    repair: by('save the dotenv files with the same line ends (LF)'),
  },
  'folder.owned': {
    what: 'Whether the captured folder belongs to the user; if not, git refuses to work in it.',
    read: {
      linux: 'stat(2), against the user of the process',
      macos: 'stat(2), against the user',
      windows: null,
    },
    kind: 'flag',
    weight: 'likely',
    repair: { true: by('take the folder over', 'sudo chown -R "$(id -u):$(id -g)" .') },
  },
  'folder.plainPath': {
    what: 'Whether the path of the captured folder is free of blanks and of characters outside ASCII.',
    read: everywhere({ from: 'path', place: 'folder' } as const),
    kind: 'flag',
    weight: 'likely',
    repair: {
      true: by('move the project to a folder without blanks and without letters outside ASCII in its path'),
    },
    reveals: 'That the path holds such a character, not which.',
  },
  'home.default': {
    what: 'Whether HOME is the home folder of the user account.',
    read: { linux: '/etc/passwd', macos: 'getpwuid(3)', windows: null },
    kind: 'flag',
    weight: 'likely',
    apply: { by: 'home' },
    inert: true,
    repair: { true: by('set HOME', 'export HOME="$(getent passwd "$(id -u)" | cut -d: -f6)"') },
  },
  'home.writable': {
    what: 'Whether programs can write to the home folder.',
    read: everywhere({ from: 'access', place: 'home' } as const),
    kind: 'flag',
    weight: 'likely',
    apply: { by: 'home' },
    inert: true,
    repair: { true: by('let the user write to the home folder, or set HOME to another') },
  },
  'home.plainPath': {
    what: 'Whether the path of the home folder is free of blanks and of characters outside ASCII.',
    read: everywhere({ from: 'path', place: 'home' } as const),
    kind: 'flag',
    weight: 'likely',
    apply: { by: 'home' },
    inert: true,
    repair: {
      true: by('set HOME to a folder without blanks and without letters outside ASCII in its path'),
    },
    reveals: 'That the user name may hold such a character, not which.',
  },
  'windows.longPaths': {
    what: 'Whether Windows lets programs use paths longer than 260 characters.',
    read: onWindows(registry('LongPathsEnabled', 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\FileSystem')),
    kind: 'flag',
    weight: 'likely',
    repair: { true: by('set LongPathsEnabled to 1 in the registry') },
  },
  'windows.codePage': {
    what: 'The code page that programs without Unicode take text for.',
    read: onWindows(registry('ACP', codePages)),
    weight: 'possible',
    reveals: 'The region that the machine is set up for.',
  },
  'windows.consoleCodePage': {
    what: 'The code page that a new console takes the output of programs for.',
    read: onWindows(registry('OEMCP', codePages)),
    weight: 'possible',
    reveals: 'The region that the machine is set up for.',
  },
  'windows.executionPolicy': {
    what: 'Which scripts PowerShell runs: what a policy says, else the account, else the machine.',
    read: onWindows(
      registry(
        'ExecutionPolicy',
        'HKLM\\SOFTWARE\\Policies\\Microsoft\\Windows\\PowerShell',
        'HKCU\\SOFTWARE\\Policies\\Microsoft\\Windows\\PowerShell',
        'HKCU\\SOFTWARE\\Microsoft\\PowerShell\\1\\ShellIds\\Microsoft.PowerShell',
        'HKLM\\SOFTWARE\\Microsoft\\PowerShell\\1\\ShellIds\\Microsoft.PowerShell',
      ),
    ),
    weight: 'likely',
    repair: by('allow scripts', 'Set-ExecutionPolicy -Scope CurrentUser {value}'),
  },
  'windows.defenderExclusion': {
    what: 'Whether Microsoft Defender leaves the captured folder alone. Most accounts may not read the list.',
    read: onWindows('registry: Windows Defender\\Exclusions\\Paths'),
    kind: 'flag',
    counts: 'never',
    weight: 'rare',
  },
  'windows.wsl': {
    what: 'The default distribution of the Windows Subsystem for Linux, and which version of the subsystem runs it.',
    read: onWindows('registry: Lxss'),
    counts: 'never',
    weight: 'rare',
  },
});
