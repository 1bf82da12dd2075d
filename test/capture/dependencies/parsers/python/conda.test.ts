import { describe, expect, it } from 'vitest';
import { packagesOf } from '../../collect-files.ts';

describe('environment.yml', () => {
  it('reads channels, builds, ranges and the nested pip list', async () => {
    const text = `name: env
channels: [conda-forge]
dependencies:
  - python=3.10
  - conda-forge::numpy=1.26.0=py311h64a7726_0
  - exact==1.0
  - spaced 2.0 h123_0
  - ranged>=1.0,<2
  - bare
  - starred=1.*
  - pip
  - pip:
    - requests==2.31.0
    - -r more.txt
    - Flask>=2
`;
    expect(await packagesOf('environment.yml', text)).toEqual({
      python: '3.10',
      numpy: '1.26.0',
      exact: '1.0',
      spaced: '2.0',
      ranged: '>=1.0,<2',
      bare: '*',
      starred: '1.*',
      pip: '*',
      requests: '2.31.0',
      Flask: '>=2',
    });
  });
});

describe('pixi.lock of version 7', () => {
  it('records packages that Pixi builds from a folder or a repository', async () => {
    const text = `version: 7
environments: {}
packages:
- conda: https://conda.invalid/linux-64/bzip2-1.0.8-h4bc722e_7.conda
- conda_source: cpp_math[3a644c82] @ .
  depends: [libgcc >=15]
- conda_source: cpp_math[5decad0c] @ .
- conda_source: view[0dac006c] @ packages/view
- conda_source: sdl[10db969c] @ git+https://user:secret@host.invalid/o/sdl.git#0123abc
- pypi: https://files.invalid/rich-13.0.0-py3-none-any.whl
  name: rich
  version: 13.0.0
`;
    expect(await packagesOf('pixi.lock', text)).toEqual({
      bzip2: '1.0.8',
      cpp_math: 'path:.',
      view: 'path:packages/view',
      sdl: 'git+https://host.invalid/o/sdl.git#0123abc',
      rich: '13.0.0',
    });
  });
});
