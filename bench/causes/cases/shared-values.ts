// Machines and values that cases of several sets share.

import type { MachineKind } from '../machines.ts';

type Pair = readonly [MachineKind, MachineKind];
export const laptops: Pair = ['fish laptop', 'zsh laptop'];
export const laptopFails: Pair = ['github runner', 'zsh laptop'];
export const runnerFails: Pair = ['zsh laptop', 'github runner'];
export const macFails: Pair = ['github runner', 'mac laptop'];
export const containerFails: Pair = ['zsh laptop', 'container'];
/** Instructions of a processor of today, and of one without AVX2. */
export const full = ['aes', 'avx', 'avx2', 'bmi1', 'bmi2', 'fma', 'popcnt', 'sse4_1', 'sse4_2', 'ssse3'];
export const old = ['aes', 'avx', 'popcnt', 'sse4_1', 'sse4_2', 'ssse3'];
export const proxy = 'http://proxy.corp.example:3128';
