// Version control, shells and the utilities that builds call.

import { pythonDistribution } from './python-distribution.ts';
import type { Tool } from './tool.ts';

export const versionControl: readonly Tool[] = [
  { name: 'git', withoutHome: true, debianPackage: 'git' },
  { name: 'git-lfs', withoutHome: true },
  {
    name: 'mercurial',
    executables: ['hg'],
    files: pythonDistribution('mercurial'),
    args: ['--version', '--quiet'],
    withoutHome: true,
  },
  { name: 'subversion', executables: ['svn'], args: ['--version', '--quiet'], withoutHome: true },
  { name: 'jj', withoutHome: true },
];

export const utilities: readonly Tool[] = [
  { name: 'bash', debianPackage: 'bash' },
  { name: 'zsh', debianPackage: 'zsh' },
  { name: 'fish', withoutHome: true },
  { name: 'nu' },
  { name: 'powershell', executables: ['pwsh'], withoutHome: true, heavy: true },
  { name: 'curl', args: ['--disable', '--version'], debianPackage: 'curl' },
  { name: 'wget', args: ['--no-config', '--version'], debianPackage: 'wget' },
  { name: 'openssl', args: ['version'], pattern: /SSL (\d[\w.]*)/, debianPackage: 'openssl' },
  {
    name: 'openssh',
    executables: ['ssh'],
    args: ['-V'],
    pattern: /OpenSSH_(?:for_Windows_)?(\d+\.\d+\w*)/,
    debianPackage: 'openssh-client',
  },
  { name: 'gpg', withoutHome: true, debianPackage: 'gpg' },
  { name: 'rsync', pattern: /version (\d\S+)/, debianPackage: 'rsync' },
  { name: 'jq', debianPackage: 'jq' },
  { name: 'yq', files: pythonDistribution('yq') },
  { name: 'ripgrep', executables: ['rg'], env: { RIPGREP_CONFIG_PATH: undefined } },
  { name: 'ffmpeg', args: ['-version'], pattern: /ffmpeg version n?(\d[^\s-]*)/ },
  {
    name: 'imagemagick',
    executables: ['magick', 'identify'],
    args: ['-version'],
    pattern: /ImageMagick (\d\S+)/,
    withoutHome: true,
  },
  { name: 'graphviz', executables: ['dot'], args: ['-V'] },
  { name: 'pandoc', withoutHome: true },
  { name: 'shellcheck', pattern: /version: (\d\S+)/ },
];
