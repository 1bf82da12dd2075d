// What bisect applies of a stranger's snapshot: a row of the catalogue is inert only where it says so, and each that does is
// named here, so that somebody has thought about it.

import { factCatalogue } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { systemFactCatalogue } from '@envsnap/shared/catalogue/facts/system';
import { codeRisk } from '@envsnap/shared/catalogue/variables/code-variables';
import { variableCatalogue } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { describe, expect, it } from 'vitest';

describe('what a stranger may set', () => {
  const variables = variableCatalogue.filter(({ inert }) => inert).map(({ pattern }) => pattern);

  it('is these variables', () => {
    expect([...variables].sort()).toEqual(
      [
        ...['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES'],
        ...['LC_COLLATE', 'LC_NUMERIC', 'LC_TIME', 'LC_MONETARY', 'TZ', 'SOURCE_DATE_EPOCH'],
        ...['CI', 'NODE_ENV', 'APP_ENV', 'RAILS_ENV', 'RACK_ENV'],
        ...['COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE'],
        ...['PYTHONHASHSEED', 'PYTHONUTF8', 'UV_THREADPOOL_SIZE', 'OMP_NUM_THREADS'],
        ...['GOMAXPROCS', 'GOMEMLIMIT', 'GOGC'],
      ].sort(),
    );
  });

  it('is no pattern, and nothing that can run code', () => {
    for (const name of variables) {
      expect(name).not.toContain('*');
      expect(codeRisk(name, 'x'), name).toBeUndefined();
    }
  });

  it('is these facts', () => {
    const inertOf = (table: object) =>
      Object.entries(table as Record<string, { inert?: true }>)
        .filter(([, { inert }]) => inert)
        .map(([name]) => name);
    expect([...inertOf(factCatalogue), ...inertOf(systemFactCatalogue)].sort()).toEqual([
      ...['cpu.allowed', 'git.core.autocrlf', 'git.core.eol', 'git.core.fileMode', 'git.core.safecrlf'],
      ...['git.init.defaultBranch', 'home.default', 'home.plainPath', 'home.writable'],
      ...['limits.addressSpace', 'limits.core', 'limits.data', 'limits.fileSize', 'limits.lockedMemory'],
      ...['limits.openFiles', 'limits.openFilesHard', 'limits.processes', 'limits.stack', 'locale'],
      ...['process.umask', 'terminal.color', 'terminal.columns', 'timezone'],
    ]);
  });
});
