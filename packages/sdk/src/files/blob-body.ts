// The body of an upload where a platform cannot send streams: one Blob.

import type { AttemptBody, BodyObserver, BodySource } from './body-source.ts';
import { type Content, openContent, sourceError, wrongSize } from './upload-content.ts';

interface BlobParts {
  readonly content: Content;
  readonly head: Uint8Array<ArrayBuffer>;
  readonly tail: Uint8Array<ArrayBuffer>;
  readonly sizeBytes: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly report: (transferredBytes: number, totalBytes?: number) => void;
}

/** The body as one Blob, which browsers keep outside the program's memory. A stream is read once, for all attempts. */
export function blobSource({ content, head, tail, sizeBytes, headers, report }: BlobParts): BodySource {
  let collected: Promise<Blob> | undefined;
  return {
    repeatable: true,
    async start(observer): Promise<AttemptBody> {
      collected ??=
        content instanceof Blob ? Promise.resolve(content) : collect(content, sizeBytes, observer);
      const blob = await collected.catch((error: unknown) => {
        throw sourceError(error);
      });
      const sent = (bytes: number) => {
        observer.moved();
        const transferred = Math.min(Math.max(0, bytes - head.length), blob.size);
        if (transferred > 0) report(transferred, blob.size);
      };
      return { body: new Blob([head, blob, tail]), headers, sent, close: () => undefined };
    },
  };
}

async function collect(
  content: Exclude<Content, Blob>,
  sizeBytes: number | undefined,
  observer: BodyObserver,
): Promise<Blob> {
  const parts: BlobPart[] = [];
  let bytes = 0;
  for await (const chunk of openContent(content)) {
    observer.moved();
    bytes += chunk.length;
    if (sizeBytes !== undefined && bytes > sizeBytes) throw wrongSize(sizeBytes);
    parts.push(new Blob([chunk as Uint8Array<ArrayBuffer>]));
  }
  if (sizeBytes !== undefined && bytes !== sizeBytes) throw wrongSize(sizeBytes);
  return new Blob(parts);
}
