// Draws the healthy machines of machines.yaml, which explains its rows.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { createRandom, type Random } from './random.ts';

/** What a machine has; the project's own part is added by `environment.ts`. */
export interface Machine {
  readonly machineName: string;
  readonly os: 'linux' | 'darwin';
  readonly arch: 'x64' | 'arm64';
  readonly envVars: Record<string, string>;
  readonly runtimeVersions: Record<string, string>;
  readonly system: Record<string, unknown>;
  readonly locale: string;
  readonly timezone: string;
  readonly ci?: { readonly provider: string; readonly job: string };
  readonly facts: Record<string, string | number | boolean | readonly string[]>;
  readonly machinePackages: Record<string, Record<string, string>>;
}

export const machineKinds = [
  'zsh laptop',
  'fish laptop',
  'mac laptop',
  'wsl laptop',
  'github runner',
  'gitlab runner',
  'circle runner',
  'container',
] as const;
export type MachineKind = (typeof machineKinds)[number];

type Row = Readonly<Record<string, unknown>>;

interface Rows {
  readonly people: readonly string[];
  readonly places: readonly string[];
  readonly tools: Readonly<Record<string, readonly string[]>>;
  readonly parts: Readonly<Record<string, unknown>>;
  readonly kinds: Readonly<Record<MachineKind, Row>>;
}

const rows = load(readFileSync(new URL('machines.yaml', import.meta.url), 'utf8')) as Rows;

/** A person's machine, or a runner, drawn by a seed. `team` members share their language and mostly the time zone. */
export function createMachine(kind: MachineKind, seed: string, teamZone?: string): Machine {
  const random = createRandom(`${kind}/${seed}`);
  const user = random.pick(rows.people);
  const zone = teamZone ?? random.pick(rows.places);
  const { distribution, ...row } = rows.kinds[kind];
  const [id = '', version = '', libc = ''] = draw(random, distribution ?? [], {}) as string[];
  return draw(random, row, { user, zone, id, version, libc }) as Machine;
}

type Words = Readonly<Record<string, string>>;

function draw(random: Random, value: unknown, words: Words): unknown {
  if (typeof value === 'string') return drawText(random, value, words);
  if (Array.isArray(value)) return value.map((each) => draw(random, each, words));
  if (typeof value !== 'object' || value === null) return value;
  const row = value as Row;
  const again = (each: unknown) => draw(random, each, words);
  if (row.pick) return again(random.pick(row.pick as unknown[]));
  if (row.chance) return again(random.chance(row.chance as number) ? row.value : row.other);
  if (row.debian) return again(row[/^(?:debian|ubuntu)$/.test(words.id ?? '') ? 'debian' : 'other']);
  if (row.each) {
    const all = Object.entries(again(row.of) as Row);
    return Object.fromEntries(all.filter(() => random.chance(row.each as number)));
  }
  if (row.some) {
    const [least = 0, most = 0] = row.count as number[];
    const items = [...(row.beside as string[]), ...random.some(row.some as string[], least, most)];
    return row.sorted ? items.sort() : items;
  }
  if (row.folders) {
    const own = row.folders as string[];
    const drawn = random.some(own, Math.ceil(own.length / 2), own.length);
    return [...drawn, '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  }
  if (row.tools) {
    const [least = 0, most = 0] = row.tools as number[];
    const tools = random.some(Object.entries(rows.tools), least, most);
    return Object.fromEntries(tools.map(([name, versions]) => [name, random.pick(versions)]));
  }
  return drawEntries(random, row, words);
}

function drawEntries(random: Random, row: Row, words: Words): Row {
  const drawn: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    const part = name.startsWith('...') ? name.slice('...'.length) : undefined;
    const one = draw(random, part === undefined ? value : (value ?? rows.parts[part]), words);
    if (part !== undefined) Object.assign(drawn, one);
    else if (one !== undefined) drawn[name] = one;
  }
  return drawn;
}

function drawText(random: Random, text: string, words: Words): string {
  return text.replace(/\{([^{}]+)\}/g, (_, inner: string) => {
    const [, hex, length] = /^(hex)(\d+)$/i.exec(inner) ?? [];
    if (hex) return hex === 'HEX' ? random.hex(Number(length)).toUpperCase() : random.hex(Number(length));
    return inner.includes('|') ? random.pick(inner.split('|')) : (words[inner] ?? inner);
  });
}
