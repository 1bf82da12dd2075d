// Facts about Python: the configuration of its package managers, and what an environment adds. Never a credential.

import { factTable } from './fact.ts';
import { addresses, addressSetting, from, settingsOf } from './tool-setting.ts';

export const pythonToolFacts = factTable({
  'pip.index': {
    ...addressSetting('pip', ['pypi', 'conda'])('index-url', 'PIP_INDEX_URL'),
    what: 'Where pip downloads packages from.',
    unset: 'pypi.org/simple',
    family: 'python index',
  },
  'pip.extraIndexes': {
    ...addressSetting('pip', ['pypi', 'conda'], 'set')('extra-index-url', 'PIP_EXTRA_INDEX_URL'),
    what: 'Where pip looks for packages besides.',
    unset: 'none',
    family: 'python index',
  },
  'pip.options': {
    ...settingsOf('pip', ['pypi', 'conda'])(
      'no-index no-binary only-binary prefer-binary pre require-virtualenv break-system-packages user no-build-isolation ' +
        'use-pep517 upgrade upgrade-strategy constraint find-links target prefix no-deps require-hashes',
    ),
    what: 'Settings of pip that change what is installed, e.g. no-binary, pre, require-virtualenv.',
    freeText: true,
    kind: 'set',
    unset: 'none',
    weight: 'possible',
    counts: { when: 'asked for' },
    namesHosts: 'in part',
  },
  'python.externallyManaged': {
    ...from('EXTERNALLY-MANAGED in the standard library of the Python that runs', ['pypi', 'conda']),
    what: 'Whether the Python that runs refuses installations outside of virtual environments.',
    kind: 'flag',
    weight: 'possible',
    counts: { when: 'asked for' },
  },
  'uv.index': {
    ...from('uv.toml of the user and the system', ['pypi'], 'UV_DEFAULT_INDEX'),
    what: 'Where uv downloads packages from.',
    unset: 'pypi.org/simple',
    weight: 'likely',
    ...addresses,
    family: 'python index',
  },
  'conda.channels': {
    ...from('condarc files of the system, the installation and the user', ['conda', 'pypi']),
    what: 'Where conda looks for packages, in order.',
    kind: 'list',
    unset: 'defaults',
    weight: 'likely',
    ...addresses,
  },
  'conda.channelPriority': {
    ...from('condarc files of the system, the installation and the user', ['conda', 'pypi']),
    what: 'Whether an earlier channel wins over a newer version.',
    unset: 'flexible',
    weight: 'possible',
  },
  'python.environment': {
    ...from('pyvenv.cfg of the virtual environment in the folder', ['pypi']),
    what: 'Version of Python that the virtual environment of the folder was made for.',
    kind: 'version',
    weight: 'likely',
  },
  'python.systemPackages': {
    ...from('include-system-site-packages in pyvenv.cfg', ['pypi']),
    what: 'Whether the virtual environment of the folder also finds the packages of the system.',
    kind: 'flag',
    weight: 'likely',
  },
  'python.addedFolders': {
    ...from('*.pth in the packages of the virtual environment', ['pypi']),
    what: 'Folders that .pth files add to those that the virtual environment imports from.',
    kind: 'set',
    unset: 'none',
    weight: 'possible',
    reveals: 'The folders, the home folder written “~”.',
  },
  'python.customize': {
    ...from('sitecustomize.py and usercustomize.py where the interpreter looks for them', ['pypi']),
    what: 'Modules that run at the start of every Python.',
    kind: 'set',
    unset: 'none',
    weight: 'likely',
    reveals: 'The folders that hold them.',
  },
  'python.userPackages': {
    ...from('~/.local/lib/python3.*/site-packages', ['pypi']),
    what: 'Packages of the user’s own folder, which go before those of the system.',
    kind: 'set',
    unset: 'none',
    counts: { when: 'asked for' },
    weight: 'possible',
    reveals: 'Names and versions of the packages.',
  },
});
