import { describe, expect, it } from 'vitest';
import { packagesOf } from './collect-files.ts';

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
