import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../../collect-files.ts';

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

  it('keeps of a build what it is made for, and nothing that differs between platforms', async () => {
    const text = `dependencies:
  - pytorch=2.1.0=py3.11_cuda12.1_cudnn8.9.2_0
  - torchvision=0.16.0=py311_cpu
  - tensorflow 2.15.0 cuda120py311h5cbd639_3
  - jaxlib=0.4.23=cuda112py39h1234567_200
  - libtorch=2.1.0=*cuda*
  - mkl=2023.2.0=h84fe81f_50496
  - cpuid=1.0=h5eee18b_0
  - https://conda.invalid/linux-64/faiss-1.7.4-py3.9_h28a55e0_0_cuda11.4.tar.bz2
`;
    expect(await packagesOf('environment.yml', text)).toEqual({
      pytorch: '2.1.0=cuda12.1',
      torchvision: '0.16.0=cpu',
      tensorflow: '2.15.0=cuda120',
      jaxlib: '0.4.23=cuda112',
      libtorch: '2.1.0=cuda',
      mkl: '2023.2.0',
      cpuid: '1.0',
      faiss: '1.7.4=cuda11.4',
    });
  });

  it('takes name and version of a package file from its name, and nothing of its address', async () => {
    const text = `dependencies:
  - https://bob:hunter2@conda.invalid/t/tk-SECRET/ch/linux-64/pkg-1.0-0.conda
  - https://conda.invalid/t/tk-SECRET/ch/noarch/with-dash-2.1-py_0.tar.bz2#0123abc
  - file:///opt/packages/local-3-h1_0.conda
  - ./vendor/near-4.0-0.conda[md5=0123abc]
  - https://bob:hunter2@conda.invalid/t/tk-SECRET/ch/linux-64::spec=5.0
  - conda-forge/linux-64::sub=6.0=h_0
`;
    expect(await packagesOf('environment.yml', text)).toEqual({
      pkg: '1.0',
      'with-dash': '2.1',
      local: '3',
      near: '4.0',
      spec: '5.0',
      sub: '6.0',
    });
  });

  it('reports an address that names no package file, without it', async () => {
    const { dependencies, warnings } = await collectFiles({
      'environment.yml': 'dependencies:\n  - numpy=1\n  - https://conda.invalid/t/tk-SECRET/ch\n',
    });
    expect({ ...dependencies['environment.yml'] }).toEqual({ numpy: '1' });
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).not.toContain('tk-SECRET');
  });
});

describe('conda-lock.yml', () => {
  it('says for what a package is built', async () => {
    const item = (file: string) =>
      `- name: a\n  version: 2.1.0\n  manager: conda\n  url: https://conda.invalid/linux-64/${file}\n`;
    const lock = (file: string) => packagesOf('conda-lock.yml', `package:\n${item(file)}`);
    expect(await lock('a-2.1.0-cuda120_mkl_py311h1_300.conda')).toEqual({ a: '2.1.0=cuda120' });
    expect(await lock('a-2.1.0-cpu_mkl_py311h1_100.conda')).toEqual({ a: '2.1.0=cpu' });
    expect(await lock('a-2.1.0-py311h1_0.conda')).toEqual({ a: '2.1.0' });
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
