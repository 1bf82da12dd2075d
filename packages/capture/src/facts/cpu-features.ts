// Which instruction sets the processor has, of those that programs test for.

import type { CapturedMachine } from '../system/machine.ts';
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

/** Bytes of /proc/cpuinfo that hold the first processor; a large machine's whole file takes long to make. */
const firstProcessorBytes = 8192;

export async function readCpuFeatures({ machine }: FactSources): Promise<FactReading> {
  if (machine.platform === 'linux') {
    const text = (await firstProcessor(machine)) ?? '';
    const line = /^(?:flags|Features)\s*:(.*)$/m.exec(text)?.[1];
    return line === undefined ? undefined : known(line.split(/\s+/));
  }
  if (machine.platform !== 'darwin') return undefined;
  if (!(await machine.files.isFile('/usr/sbin/sysctl'))) return undefined;
  const { outcome, stdout } = await machine.execute('/usr/sbin/sysctl', ['hw.optional', 'machdep.cpu']);
  if (outcome !== 'exited') return undefined;
  const listed = [...stdout.matchAll(/^machdep\.cpu\.(?:leaf7_)?features: (.*)$/gm)].flatMap(
    ([, names = '']) => names.split(' '),
  );
  const optional = [...stdout.matchAll(/^hw\.optional\.(?:arm\.)?(?:FEAT_)?(\w+): 1$/gm)].map(
    ([, name = '']) => name,
  );
  return known([...listed, ...optional]);
}

/** The start of /proc/cpuinfo; undefined where it cannot be read. */
export async function firstProcessor(machine: CapturedMachine): Promise<string | undefined> {
  try {
    return new TextDecoder('latin1').decode(
      await machine.readFileStart('/proc/cpuinfo', firstProcessorBytes),
    );
  } catch {
    return undefined;
  }
}

function known(names: readonly string[]): string[] {
  const found = new Set<string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    const feature = synonyms[lower] ?? lower;
    if (features.has(feature)) found.add(feature);
  }
  return [...found].sort();
}
