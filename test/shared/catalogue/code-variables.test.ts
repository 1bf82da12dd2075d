// Which variables can run code, and which values of them cannot.

import { codeRisk, isVariableName } from '@envsnap/shared/catalogue/variables/code-variables';
import { variableCatalogue } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { describe, expect, it } from 'vitest';

describe('a variable that can run code', () => {
  it.each([
    ['NODE_OPTIONS', '--import=data:text/javascript,0'],
    ['NODE_OPTIONS', '--max-old-space-size=64 -r ./x.js'],
    ['NODE_OPTIONS', '--max-old-space-size=64 "--require" x'],
    ['node_options', '--experimental-loader=x'],
    ['JAVA_TOOL_OPTIONS', '-Xmx1g -javaagent:x.jar'],
    ['JAVA_TOOL_OPTIONS', '-XX:OnError=touch'],
    ['BASH_ENV', '/tmp/x'],
    ['bash_env', '/tmp/x'],
    ['Comſpec', 'x.exe'],
    ['SystemRoot', '//host/share'],
    ['BASH_FUNC_ls%%', '() { touch x; }'],
    ['LD_PRELOAD', 'x.so'],
    ['DYLD_INSERT_LIBRARIES', 'x.dylib'],
    ['GIT_SSH_COMMAND', 'touch x'],
    ['GIT_CONFIG_GLOBAL', 'x'],
    ['PROMPT_COMMAND', 'touch x'],
    ['RUSTC_WRAPPER', 'x'],
    ['GOFLAGS', '-toolexec=x'],
    ['npm_config_registry', 'https://example.org'],
    ['PIP_INDEX_URL', 'https://example.org'],
    ['LESSOPEN', '|x %s'],
  ])('is %s=%s', (name, value) => {
    expect(codeRisk(name, value)).toMatch(/^(load|start|name) /);
  });

  it.each([
    ['NODE_OPTIONS', '--max-old-space-size=4096 --no-warnings'],
    ['NODE_OPTIONS', ''],
    ['JAVA_TOOL_OPTIONS', '-Xmx2g -Duser.timezone=UTC -XX:+UseG1GC'],
    ['GIT_AUTHOR_NAME', 'A'],
    ['CGO_ENABLED', '0'],
    ['TZ', 'Asia/Kolkata'],
    ['LANG', 'tr_TR.UTF-8'],
    ['DATABASE_URL', 'postgres://db/x'],
    ['NODE_ENV', 'production'],
    ['PYTHONHASHSEED', '0'],
    ['HTTPS_PROXY', 'http://proxy:3128'],
  ])('is not %s=%s', (name, value) => {
    expect(codeRisk(name, value)).toBeUndefined();
  });

  it('is every list of folders of the catalogue but those of texts, and PATH, whose folders are looked at', () => {
    const lists = variableCatalogue.flatMap(({ pattern, list }) => (list ? [pattern] : []));
    const others = lists.filter((name) => codeRisk(name, '/x') === undefined);
    expect(others.sort()).toEqual(['INFOPATH', 'MANPATH', 'PATH', 'Path']);
  });
});

it('a process has no variable whose name is empty or holds = or NUL', () => {
  expect(['', '=C:', 'BASH_ENV=x', 'A=', 'A\0B'].filter(isVariableName)).toEqual([]);
  expect(['A', '__proto__', 'BASH_FUNC_ls%%', 'ProgramFiles(x86)', 'a b', 'é'].every(isVariableName)).toBe(
    true,
  );
});
