// The environment of a new Windows terminal, from the output of `reg query`.

import { describe, expect, it } from 'vitest';
import { newTerminal } from '../../../packages/cli/src/references/capture-process.ts';

const machine = `
HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment
    ComSpec    REG_EXPAND_SZ    %SystemRoot%\\system32\\cmd.exe
    OS    REG_SZ    Windows_NT
    Path    REG_EXPAND_SZ    %SystemRoot%\\system32;%SystemRoot%;
    TEMP    REG_EXPAND_SZ    %SystemRoot%\\TEMP
    JAVA_HOME    REG_SZ    C:\\Java\\21

`;
const account = `
HKEY_CURRENT_USER\\Environment
    PATH    REG_EXPAND_SZ    %JAVA_HOME%\\bin;%NOT_SET%\\bin
    TEMP    REG_EXPAND_SZ    %USERPROFILE%\\AppData\\Local\\Temp
    EDITOR    REG_SZ    code --wait
    EMPTY    REG_SZ    
    SIZE    REG_DWORD    0x1

`.replaceAll('\n', '\r\n');
const session = `
HKEY_CURRENT_USER\\Volatile Environment
    USERPROFILE    REG_SZ    C:\\Users\\dev

`;

describe('the environment of a new terminal on Windows', () => {
  it('holds what the settings say, not what this process was given', () => {
    const processVariables = {
      SystemRoot: 'C:\\Windows',
      'ProgramFiles(x86)': 'C:\\Program Files (x86)',
      USERPROFILE: 'C:\\Users\\dev',
      EDITOR: 'notepad',
      VIRTUAL_ENV: 'C:\\app\\.venv',
    };
    expect(newTerminal([machine, session, account], processVariables)).toEqual({
      SystemRoot: 'C:\\Windows',
      'ProgramFiles(x86)': 'C:\\Program Files (x86)',
      ComSpec: 'C:\\Windows\\system32\\cmd.exe',
      OS: 'Windows_NT',
      Path: 'C:\\Windows\\system32;C:\\Windows;C:\\Java\\21\\bin;%NOT_SET%\\bin',
      TEMP: 'C:\\Users\\dev\\AppData\\Local\\Temp',
      JAVA_HOME: 'C:\\Java\\21',
      USERPROFILE: 'C:\\Users\\dev',
      EDITOR: 'code --wait',
      EMPTY: '',
    });
  });
});
