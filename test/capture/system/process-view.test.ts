// The variables of another process.

import { expect, it } from 'vitest';
import { parseVariables } from '../../../packages/capture/src/system/process-view.ts';

it('reads each variable up to its first equals sign, and leaves out entries without a name', () => {
  const environ = 'URL=a=b\0EMPTY=\0=C:=C:\\work\0nothing\0';
  expect(Object.entries(parseVariables(environ))).toEqual([
    ['URL', 'a=b'],
    ['EMPTY', ''],
  ]);
});
