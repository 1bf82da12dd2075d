// Finds the real tool behind whatever stands on `PATH`, following one manager into another.

import { appleStubManager } from './apple-stubs.ts';
import { asdfManager } from './asdf-shims.ts';
import { corepackManager } from './corepack-shims.ts';
import { envFamilyManagers } from './env-family-shims.ts';
import { execWrapperTarget } from './exec-wrapper.ts';
import { miseManager } from './mise-shims.ts';
import { rustupManager } from './rustup-shims.ts';
import type { ShimContext, ShimManager } from './shim.ts';
import { voltaManager } from './volta-shims.ts';

const managers: readonly ShimManager[] = [
  ...envFamilyManagers,
  asdfManager,
  miseManager,
  voltaManager,
  corepackManager,
  rustupManager,
  appleStubManager,
];

/** What would run, or why nothing would. */
export type LocatedTool =
  | {
      readonly kind: 'found';
      /** Shims resolved, links not. */
      readonly path: string;
      readonly realPath: string;
      readonly manager?: string;
      readonly selectedBy?: string;
    }
  | { readonly kind: 'absent'; readonly manager: string; readonly reason: string }
  | { readonly kind: 'nowhere' };

/** Goes through the places of a program in the order of `PATH` and stops at the one that counts. */
export async function locateTool(
  context: ShimContext,
  name: string,
  candidates: readonly string[],
): Promise<LocatedTool> {
  const { files } = context;
  for (const path of candidates) {
    const realPath = await files.realPath(path);
    const status = realPath === undefined ? undefined : await files.status(realPath);
    // A store alias of Windows is an empty file that opens a shop.
    if (realPath === undefined || status?.kind !== 'file' || !status.executable) continue;
    if (context.system.platform === 'win32' && status.sizeBytes === 0) continue;
    let manager: ShimManager | undefined;
    for (const each of managers) {
      if (await each.recognises(context, { name, path, realPath })) {
        manager = each;
        break;
      }
    }
    if (!manager) {
      const target = await execWrapperTarget(files, realPath);
      return {
        kind: 'found',
        path: target ?? path,
        realPath: (target && (await files.realPath(target))) ?? realPath,
      };
    }
    const answer = await manager.resolve(context, { name, path, realPath });
    if (answer.kind === 'next') continue;
    if (answer.kind === 'absent') return { kind: 'absent', manager: manager.name, reason: answer.reason };
    const real = (await files.realPath(answer.path)) ?? answer.path;
    const isManaged = manager !== appleStubManager;
    return {
      kind: 'found',
      path: answer.path,
      realPath: real,
      ...(isManaged && { manager: manager.name, selectedBy: answer.selectedBy }),
    };
  }
  return { kind: 'nowhere' };
}
