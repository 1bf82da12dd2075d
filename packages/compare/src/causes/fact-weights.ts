// How likely certain facts explain a failure by the direction in which they differ: a script that works under bash fails
// under dash, and not the other way round. All others weigh what the catalogue says, and less where they do not count.

import type { FactName } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import type { Entry } from '../model/model.ts';
import type { ProjectNeeds } from '../relevance/project-needs.ts';

type Weigh = (entry: Entry, needs: ProjectNeeds) => number;

/** Less in B than in A is what breaks a program; more breaks nothing. */
const whereLess =
  (weight: number): Weigh =>
  (entry) =>
    numberOf(entry.b) >= numberOf(entry.a) ? 6 : isEveryday(entry) ? 16 : weight;
/** Switched on in B only, or off. */
const whereOnInB =
  (on: number, off: number): Weigh =>
  ({ b }) =>
    b === 'true' ? on : off;
/** GNU's programs take what BSD's and BusyBox's refuse. */
const fromGnu: Weigh = ({ a, b }) => (a === 'GNU' && b !== 'GNU' ? 70 : 46);

const weighed: Partial<Record<FactName, Weigh>> = {
  'limits.openFiles': whereLess(79),
  'limits.stack': whereLess(62),
  'limits.processes': whereLess(60),
  'memory.limit': whereLess(74),
  'cpu.quota': whereLess(60),
  'cpu.allowed': whereLess(30),
  'cpu.features': (entry) => (isEveryday(entry) ? 8 : 85),
  'kernel.inotifyWatches': whereLess(78),
  'kernel.inotifyInstances': whereLess(50),
  'kernel.maxMapCount': whereLess(50),
  'process.umask': (entry) => (isEveryday(entry) ? 40 : 74),
  // Follows from root, where that differs too.
  'process.capabilities': () => 45,
  // Tests of permissions fail for root, whom nothing is forbidden.
  'process.root': ({ b }) => (b === 'true' ? 57 : 46),
  'terminal.color': () => 60,
  'fs.caseSensitive': ({ a, b }) => (a === 'false' && b === 'true' ? 70 : 60),
  'program.sh': ({ a, b }, { tools }) =>
    b === 'dash' || b === 'BusyBox' ? (tools.has('make') ? 56 : 46) : a === 'dash' ? 8 : 20,
  'program.awk': ({ b }) => (b === 'BSD' || b === 'BusyBox' ? 60 : 20),
  'program.sed': fromGnu,
  'program.grep': fromGnu,
  'program.find': fromGnu,
  'program.tar': fromGnu,
  'program.date': fromGnu,
  'git.commit.gpgSign': whereOnInB(50, 8),
  'git.tag.gpgSign': whereOnInB(48, 8),
  'git.core.hooksPath': whereOnInB(48, 8),
  'git.core.autocrlf': (entry) => (isEveryday(entry) ? 14 : 78),
  'git.init.defaultBranch': () => 16,
  'git.pull.rebase': () => 5,
  'git.url.insteadOf': () => 12,
  'git.lfs': ({ b }) => (b === 'false' ? 24 : 6),
  'git.core.ignoreCase': () => 24,
  'git.core.precomposeUnicode': () => 10,
  'locale.installed': (entry) => (isEveryday(entry) ? 10 : 66),
  'time.tzdata': () => 14,
  'tls.certificates': () => 26,
  'openssl.securityLevel': (entry) => (isEveryday(entry) ? 14 : 60),
  'docker.context': () => 12,
  'net.ipv6': () => 72,
  'net.hosts': (entry) => (isEveryday(entry) ? 12 : 68),
  'net.resolvers': () => 10,
  'limits.openFilesHard': () => 4,
  'fs.type': () => 10,
  'gpu.driver': ({ a, b }, { ecosystems }) =>
    a === 'none' ? 6 : ecosystems.has('cuda') ? 78 : b === 'none' ? 12 : 50,
  'gpu.cuda': ({ a, b }, { ecosystems }) =>
    a === 'none' ? 6 : ecosystems.has('cuda') ? 76 : b === 'none' ? 12 : 66,
  'fonts.installed': (_, { ecosystems }) => (ecosystems.has('browser') ? 60 : 24),
};

/** The weight of a differing fact, by its direction and the project; undefined for facts that have none of their own. */
export function directedWeight(entry: Entry, needs: ProjectNeeds): number | undefined {
  const weigh = Object.hasOwn(weighed, entry.key) ? weighed[entry.key as FactName] : undefined;
  return weigh?.(entry, needs);
}

/** True where the comparison found that any two machines may differ so. */
function isEveryday({ mild, context }: Entry): boolean {
  return mild !== undefined || context === true;
}

function numberOf(value: string | null): number {
  const number = Number(value);
  return value === null || Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
}
