// envsnap share

import type { ComparableEnvironment } from '@envsnap/compare/workspace';
import type { EnvSnap } from '@envsnap/sdk';
import { limits } from '@envsnap/shared/catalogue/limits';
import { visible } from '@envsnap/shared/text/visible';
import { string as stringArg } from '@oclif/core/args';
import { option } from '@oclif/core/flags';
import { projectFolder } from '../../actions/capture-machine.ts';
import { type PairSide, parsePair } from '../../actions/comparison/compare-references.ts';
import { resolveId, snapshotIds } from '../../actions/references/resolve-id.ts';
import {
  resolveSnapshot,
  type SnapshotSources,
  snapshotSources,
} from '../../actions/references/resolve-snapshot.ts';
import { isStored } from '../../actions/references/snapshot-reference.ts';
import { BaseCommand } from '../../base-command.ts';
import { envsnapCommand } from '../../connection/settings.ts';
import { connectionFlags, folderFlags } from '../../flags.ts';
import { withProgress } from '../../terminal/progress.ts';

const lifeSeconds = {
  '1h': 3600,
  '1d': 86_400,
  '7d': limits.shareDefaultSeconds,
  '30d': limits.shareMaxSeconds,
};
type Life = keyof typeof lifeSeconds;

export default class Share extends BaseCommand {
  static override summary =
    'Create a page about one snapshot, or a comparison of two, that opens without a key.';
  static override description =
    'Prints the address of the page. The page never changes, and it expires. It shows no value of a variable, no name of a machine ' +
    'or a user, no network address, and no path of a home folder, a temporary folder or the checkout.\n' +
    'A and B are references as in envsnap compare. If one is a file or local, envsnap first stores it on the server.';
  static override examples = [
    'envsnap share last-passed last-failed',
    'envsnap share latest:build-7 local --expires 1d',
    'envsnap share 0193a5c2',
  ];
  static override args = {
    a: stringArg({
      required: true,
      description: 'The snapshot to share, or the first of two.',
      ignoreStdin: true,
    }),
    b: stringArg({ description: 'The second snapshot, to share a comparison.', ignoreStdin: true }),
  };
  static override flags = {
    expires: option({
      options: Object.keys(lifeSeconds) as Life[],
      default: '7d' as const,
      summary: 'When the page expires.',
    })(),
    ...folderFlags,
    ...connectionFlags,
  };

  override async run(): Promise<MadeShare> {
    const { args, flags } = await this.parse(Share);
    const pair = parsePair(args.a, args.b);
    const sides: PairSide[] = args.b === undefined ? [pair.a] : [pair.a, pair.b];
    const asFile = ['--format', 'html', '--output', 'page.html'];
    const page = envsnapCommand('compare', args.a, args.b ?? 'local', ...asFile);
    const advice = `Without one, this writes the page as a file: ${page}. envsnap init connects to a server.`;
    const client = await this.clientOf(await this.connection(flags, advice));
    const isLocal = sides.some(({ reference }) => reference.kind === 'local');
    const project = isLocal ? await projectFolder(flags) : { folder: '.', workspace: flags.workspace };
    const sources = snapshotSources(async () => ({ client }), project, true);
    const expiresIn = lifeSeconds[flags.expires];
    const made = await withProgress('Sharing', () => shareReferences(client, sides, { sources, expiresIn }));
    for (const { reference, id } of made.stored) this.note(`Stored ${visible(reference)} as ${visible(id)}.`);
    this.note(
      `Anyone with the address can read the page until ${visible(made.expiresAt.slice(0, 16)).replace('T', ' ')} UTC.`,
    );
    this.printAsIs(visible(made.url));
    return made;
  }
}

interface MadeShare {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: string;
  /** The sides that had to be stored on the server: the references, and the new ids. */
  readonly stored: readonly { readonly reference: string; readonly id: string }[];
}

/** Makes the share of one side, or of two. Exit code 4 if a reference names nothing. */
async function shareReferences(
  client: EnvSnap,
  sides: readonly PairSide[],
  { sources, expiresIn }: { readonly sources: SnapshotSources; readonly expiresIn: number },
): Promise<MadeShare> {
  const stored: MadeShare['stored'][number][] = [];
  const idOf = async ({ text, reference }: PairSide): Promise<string> => {
    if (reference.kind === 'id') return resolveId(reference.text, snapshotIds(client));
    const environment = await resolveSnapshot(reference, sources);
    if (isStored(reference)) return environment.id as string;
    const { id } = await client.snapshots.create(contentOf(environment));
    stored.push({ reference: text, id });
    return id;
  };
  // One after the other, in the order in which they were written, so that nothing is stored after a side that cannot be found.
  const ids: string[] = [];
  for (const side of sides) ids.push(await idOf(side));
  const [a = '', b] = ids;
  const share =
    b === undefined
      ? ({ kind: 'snapshot', snapshotId: a } as const)
      : ({ kind: 'comparison', a, b } as const);
  return { ...(await client.shares.create({ ...share, expiresIn })), stored };
}

function contentOf(environment: ComparableEnvironment) {
  const { machineName, os, arch, runtimeVersions, dependencies, envVars, metadata } = environment;
  return { machineName, os, arch, runtimeVersions, dependencies, envVars, metadata };
}
