// envsnap file …, but for transfers; and the lists of what is shared: envsnap share …

import type { ListFilesAnswer } from '@envsnap/sdk';
import type { Share } from '@envsnap/shared';
import { fileIds, shareIds } from '../actions/references/resolve-id.ts';
import { wholeList } from '../actions/service/whole-list.ts';
import { pageFlags } from '../flags.ts';
import { renderRows, shortIds, when } from '../render/layout/table.ts';
import { renderFiles } from '../render/service/files.ts';
import type { Screen } from '../terminal/terminal.ts';
import { deletion, serviceCommand } from './service-command.ts';

export const fileCommands = {
  'file:list': serviceCommand({
    summary: 'List files, the newest first.',
    flags: pageFlags,
    async ask({ flags: { limit, offset, all }, client: connect }): Promise<ListFilesAnswer> {
      const { files } = await connect();
      return all ? wholeList(files.iterate(), (items) => ({ files: items })) : files.list({ limit, offset });
    },
    show: renderFiles,
  }),
  'file:delete': deletion({
    summary: 'Delete a file.',
    noun: 'file',
    ids: fileIds,
    question: (id) => `Delete file ${id}?`,
    remove: (client, id) => client.files.delete(id),
  }),
};

export const shareCommands = {
  'share:list': serviceCommand({
    summary: 'List the pages that are shared, the newest first.',
    description: 'Their addresses are not listed: the server keeps none. Shares that have ended are gone.',
    ask: async ({ client }) => (await client()).shares.list(),
    show: ({ shares }, screen) => renderShares(shares, screen),
  }),
  'share:delete': deletion({
    summary: 'End a share: its address answers 404 from now on.',
    noun: 'share',
    ids: shareIds,
    question: (id) => `Delete share ${id}? Its address answers 404 from now on.`,
    remove: (client, id) => client.shares.delete(id),
  }),
};

/** Renders shares; their addresses are known to whoever made them. */
function renderShares(shares: readonly Share[], screen: Screen): string {
  if (shares.length === 0) return 'Nothing is shared. envsnap share A B makes a page.\n';
  const short = shortIds(shares.flatMap(({ id, snapshots }) => [id, ...snapshots]));
  const shown = (id: string) => (screen.interactive ? short(id) : id);
  return renderRows(screen, shares, [
    ['ID', ({ id }) => shown(id)],
    ['WHAT', ({ kind }) => kind],
    ['OF', ({ snapshots }) => snapshots.map(shown).join(' and '), { shrinks: true }],
    ['MADE', ({ createdAt }) => when(createdAt, screen)],
    ['ENDS', ({ expiresAt }) => when(expiresAt, screen)],
  ]);
}
