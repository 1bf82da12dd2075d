// Families of facts and variables with the same meaning. All members that differ are one cause.

/** A family by its name in the rows, and why its members change together. */
export const causeFamilies = {
  language: 'the language in effect follows from the variables',
  'time zone': 'the zone in effect follows from the variable',
  proxy: 'programs read the variables and files in turn',
  'temporary folder': 'programs read the variables in turn',
  certificates:
    'behind a proxy that inspects TLS, each program finds the certificate through its own variable',
  colour: 'programs read these in turn, and the terminal decides the rest',
  signing: 'one key signs commits and tags',
  'line ends': 'git reads these together',
  'case of file names': 'git asks the file system when it makes a clone',
  'symbolic links': 'git asks the file system when it makes a clone',
  'graphics driver': 'the toolkit comes with the driver',
  inotify: 'one package or setting raises both',
  'open files': 'the soft limit follows the hard one',
  openssl: 'one file or policy sets them',
  resolver: 'one file sets them',
  root: 'root has capabilities that others lack',
  'npm registry': 'managers of npm packages read each other’s settings',
  'python index': 'pip and uv read their own settings for one index',
  'basic tools': 'an operating system brings all of its basic tools',
} as const;

export type CauseFamily = keyof typeof causeFamilies;
