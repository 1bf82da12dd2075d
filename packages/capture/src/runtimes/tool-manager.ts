// What put a tool where it is, recognised by its path.

import type { CapturedMachine } from '../system/machine.ts';

const markers: readonly (readonly [manager: string, path: RegExp])[] = [
  ['nix', /^\/nix\/store\//],
  ['snap', /^\/snap\//],
  ['flatpak', /\/flatpak\//],
  ['homebrew', /^\/opt\/homebrew\/|\/Cellar\/|\/linuxbrew\//],
  ['macports', /^\/opt\/local\//],
  ['nvm', /\/\.nvm\/versions\/|\/nvm\/versions\/node\/|\/nvm\/v\d+\.\d+\.\d+\//],
  ['fnm', /\/fnm\/node-versions\/|\/\.fnm\//],
  ['volta', /\/\.volta\/|\/Volta\/tools\//],
  ['corepack', /\/corepack\/v1\//],
  ['mise', /\/mise\/installs\//],
  ['asdf', /\/\.asdf\/installs\//],
  ['pyenv', /\/\.pyenv\/versions\//],
  ['rbenv', /\/\.rbenv\/versions\//],
  ['nodenv', /\/\.nodenv\/versions\//],
  ['sdkman', /\/\.sdkman\/candidates\//],
  ['rustup', /\/\.rustup\/toolchains\//],
  ['cargo', /\/\.cargo\/bin\//],
  ['pipx', /\/pipx\/venvs\//],
  ['uv', /\/uv\/(?:tools|python)\//],
  [
    'conda',
    /\/(?:mini|ana|mamba|micromamba|miniforge|mambaforge)(?:conda|forge)?\d?\/|\/\.conda\/|\/conda\//,
  ],
  ['ghcup', /\/\.ghcup\//],
  ['juliaup', /\/\.julia(?:up)?\/juliaup\//],
  ['npm', /\/lib\/node_modules\/|\/npm\/node_modules\/|\/AppData\/Roaming\/npm\//],
  ['scoop', /\/scoop\/apps\//i],
  ['chocolatey', /\/chocolatey\//i],
  ['winget', /\/WinGet\//],
];

/** The manager whose folder the tool stands in; undefined for the system's own and for unknown places. */
export function toolManager(machine: CapturedMachine, path: string, realPath: string): string | undefined {
  const [place, realPlace] = [path, realPath].map((each) => each.replaceAll('\\', '/'));
  const environment = machine.env.VIRTUAL_ENV?.replaceAll('\\', '/');
  if (environment && place?.startsWith(`${environment}/`)) return 'venv';
  return markers.find(([, marker]) => marker.test(place ?? '') || marker.test(realPlace ?? ''))?.[0];
}
