// The view from which a capture sees this machine. Plain data, so that it can be sent to a thread.

import type { System } from '@envsnap/capture';
import { createSystem } from '@envsnap/capture/workspace/system/node-system';
import { viewProcess } from '@envsnap/capture/workspace/system/process-view';

/** The view of this program, of a process, or of a set of variables. */
export type Viewpoint =
  | { readonly kind: 'own' }
  | { readonly kind: 'process'; readonly pid: number }
  | { readonly kind: 'variables'; readonly env: Readonly<Record<string, string>> };

export function systemOf(view: Viewpoint): System {
  if (view.kind === 'process') return viewProcess(view.pid).system;
  if (view.kind === 'own') return createSystem();
  return createSystem({ env: view.env, homeDir: view.env.HOME ?? '' });
}
