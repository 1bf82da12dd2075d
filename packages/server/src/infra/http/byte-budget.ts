// Limits the memory that all bodies and responses in progress may take, however many callers there are.

import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { serverBusy } from '../app-error.ts';

/** Holds bytes until it emits `close`: the response of a request, or background work. */
interface Holder {
  readonly closed?: boolean;
  once(event: 'close', listener: () => void): unknown;
}

export type ByteBudget = ReturnType<typeof createByteBudget>;

/** Bodies and responses up to this size do not count: there are never enough of them at once to matter. */
export const freeBytes = 16 * 1024;

/** Creates a budget. If nobody holds anything, one request may hold any number of bytes; otherwise it never could. */
export function createByteBudget(limitBytes: number) {
  const bytesByHolder = new WeakMap<Holder, number>();
  let heldBytes = 0;

  return {
    limitBytes,
    get heldBytes() {
      return heldBytes;
    },
    /** Reserves bytes for the holder until it closes. Errors: `server_busy` if others hold them. */
    hold(holder: Holder, bytes: number) {
      const before = bytesByHolder.get(holder);
      const added = bytes - (before ?? 0);
      if (added <= 0) return;
      const othersHold = heldBytes - (before ?? 0);
      if (holder.closed || (othersHold > 0 && heldBytes + added > limitBytes))
        throw serverBusy('The server has too many large requests and responses in memory; try again.');
      if (before === undefined) {
        holder.once('close', () => {
          heldBytes -= bytesByHolder.get(holder) ?? 0;
          bytesByHolder.delete(holder);
        });
      }
      bytesByHolder.set(holder, bytes);
      heldBytes += added;
    },
  };
}

export function createPayersBudgets(limitBytes: number) {
  const budgets = new Map<string, { readonly budget: ByteBudget; readonly responses: Set<Holder> }>();
  return {
    hold(payer: string, response: Holder, bytes: number) {
      const known = budgets.get(payer) ?? { budget: createByteBudget(limitBytes), responses: new Set() };
      known.budget.hold(response, bytes);
      budgets.set(payer, known);
      if (known.responses.has(response)) return;
      known.responses.add(response);
      response.once('close', () => {
        known.responses.delete(response);
        if (known.responses.size === 0) budgets.delete(payer);
      });
    },
  };
}

/** A body costs about this many times its bytes until it is stored: read, decoded, parsed, written again, encrypted. */
export const costOfByte = 16;
/** The part of that on V8's heap, with room for garbage that is not collected yet. */
const heapCostOfByte = 12;
const leastBytes = 8 * 1024 * 1024;
const mostBytes = 512 * 1024 * 1024;

/** The default limit: a share of the memory of this machine, container or control group, or of V8's heap if that is less. */
export function defaultByteBudget(memoryBytes = usableMemory(), heapBytes = heapLimit()): number {
  const share = Math.floor(Math.min(memoryBytes / costOfByte, heapBytes / heapCostOfByte));
  return Math.min(mostBytes, Math.max(leastBytes, share));
}

/** Memory that this process may use, in bytes: that of the machine, or less where a control group says so. */
function usableMemory(): number {
  const constrained = process.constrainedMemory();
  const machine = totalmem();
  return constrained > 0 && constrained < machine ? constrained : machine;
}

/** Each of the three parts of V8's space for new objects has this share of the memory, and at most this many bytes. */
const youngShare = 128;
const mostYoungPart = 64 * 1024 ** 2;

/**
 * How large V8's heap of old objects may become, in bytes: a part of the memory, or what `--max-old-space-size` says. V8
 * reports it together with the space for new objects.
 */
function heapLimit(): number {
  const youngBytes = 3 * Math.min(mostYoungPart, usableMemory() / youngShare);
  return getHeapStatistics().heap_size_limit - youngBytes;
}
