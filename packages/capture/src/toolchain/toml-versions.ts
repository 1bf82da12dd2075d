// What TOML files declare: `mise.toml`, `mise.lock`, `pyproject.toml`, `Cargo.toml`, `Pipfile`.

import { field, recordOf } from '@envsnap/shared/plain-object';
import type { DeclaredVersion } from './declared-version.ts';

/** A TOML parser; throws where the text is damaged. */
export type ReadTable = (text: string) => Record<string, unknown>;

/** `file` says which of them it is. */
export function tomlVersions(
  file: string,
  read: ReadTable,
  text: string,
  toolName: (plugin: string) => string,
): readonly DeclaredVersion[] {
  const table = read(text);
  if (file === 'pyproject.toml') return pyproject(table);
  if (file === 'Cargo.toml') return cargo(table);
  if (file === 'Pipfile') return pipfile(table);
  return mise(file, recordOf(table.tools), toolName);
}

function mise(
  file: string,
  tools: Record<string, unknown>,
  toolName: (plugin: string) => string,
): readonly DeclaredVersion[] {
  return Object.entries(tools).flatMap(([plugin, value]) => {
    const [first, ...rest] = [value].flat().flatMap((each: unknown) => {
      const version = field(each, 'version') ?? each;
      return typeof version === 'string' || typeof version === 'number' ? [String(version)] : [];
    });
    if (first === undefined) return [];
    const alternatives = rest.length > 0 ? { alternatives: rest } : {};
    return [
      { tool: toolName(plugin), source: file, declared: first, rule: 'prefix', ...alternatives } as const,
    ];
  });
}

function pyproject(table: Record<string, unknown>): readonly DeclaredVersion[] {
  const versions: DeclaredVersion[] = [];
  const required = recordOf(table.project)['requires-python'];
  if (typeof required === 'string') {
    versions.push({
      tool: 'python',
      source: 'pyproject.toml requires-python',
      declared: required,
      rule: 'python-range',
    });
  }
  const poetry = recordOf(recordOf(recordOf(table.tool).poetry).dependencies).python;
  if (typeof poetry === 'string') {
    versions.push({
      tool: 'python',
      source: 'pyproject.toml poetry',
      declared: poetry,
      rule: 'python-range',
    });
  }
  return versions;
}

function pipfile(table: Record<string, unknown>): readonly DeclaredVersion[] {
  const requires = recordOf(table.requires);
  const version = requires.python_full_version ?? requires.python_version;
  if (typeof version !== 'string') return [];
  return [{ tool: 'python', source: 'Pipfile requires', declared: version, rule: 'prefix' }];
}

function cargo(table: Record<string, unknown>): readonly DeclaredVersion[] {
  const own = recordOf(table.package)['rust-version'];
  const shared = recordOf(recordOf(table.workspace).package)['rust-version'];
  const version = typeof own === 'string' ? own : shared;
  return typeof version === 'string'
    ? [{ tool: 'rustc', source: 'Cargo.toml rust-version', declared: version, rule: 'minimum' }]
    : [];
}
