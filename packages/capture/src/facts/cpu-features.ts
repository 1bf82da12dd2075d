// Which instruction sets the processor has, of those that programs test for.

import { askSysctl, firstProcessor } from '../machine/ask-machine.ts';
import type { FactReading, FactSources } from './fact-reader.ts';

/** Names as Linux writes them; the rest of a hundred flags is of no interest to programs. */
const features = new Set(
  (
    'sse3 ssse3 sse4_1 sse4_2 popcnt cx16 lahf_lm movbe avx f16c fma bmi1 bmi2 lzcnt avx2 avx512f avx512bw avx512cd ' +
    'avx512dq avx512vl avx512_vnni avx_vnni amx_tile aes pclmulqdq sha_ni vaes adx rdrand rdseed sse4a ' +
    // ARM
    'neon asimd crc32 sha1 sha2 atomics asimdhp asimddp sve sve2 bf16 i8mm sme ' +
    // POWER, RISC-V, IBM Z
    'altivec vsx vx'
  ).split(' '),
);
/** One feature under several names: Linux, ARM's older kernels, Intel's own. */
const synonyms: Readonly<Record<string, string>> = {
  pni: 'sse3',
  abm: 'lzcnt',
  asimd: 'neon',
  pmull: 'pclmulqdq',
  'sse4.1': 'sse4_1',
  'sse4.2': 'sse4_2',
  'avx1.0': 'avx',
  avx512_f: 'avx512f',
};

export async function readCpuFeatures({ machine }: FactSources): Promise<FactReading> {
  if (machine.platform === 'linux') {
    const line = /^(?:flags|Features)\s*:(.*)$/m.exec(await firstProcessor(machine))?.[1];
    return line === undefined ? undefined : known(line.split(/\s+/));
  }
  const text = machine.platform === 'darwin' && (await askSysctl(machine, 'hw.optional', 'machdep.cpu'));
  if (!text) return undefined;
  const listed = text.matchAll(/^machdep\.cpu\.(?:leaf7_)?features: (.*)$/gm);
  const optional = text.matchAll(/^hw\.optional\.(?:arm\.)?(?:FEAT_)?(\w+): 1$/gm);
  return known([...listed, ...optional].flatMap(([, names = '']) => names.split(' ')));
}

function known(names: readonly string[]): string[] {
  const lower = names.map((name) => name.toLowerCase());
  const found = lower.map((name) => synonyms[name] ?? name).filter((name) => features.has(name));
  return [...new Set(found)].sort();
}
