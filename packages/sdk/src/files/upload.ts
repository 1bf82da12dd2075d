// Sends a file, with a new body for every attempt, and ends an attempt in which no byte has moved for too long.

import type { Attempting, Upload } from '../call/attempt.ts';
import { EnvsnapError } from '../errors.ts';
import type { FetchResponse } from '../platform-types.ts';
import { type AttemptBody, type BodySource, type FileUpload, multipartSource } from './multipart.ts';
import { StallGuard } from './stall-guard.ts';
import { closeStream } from './upload-content.ts';

/** Slowest upload that is accepted if the platform reports no progress, in bytes per millisecond. */
const slowestBytesPerMs = 32;

/** Prepares an upload. Throws `UsageError` if it cannot be sent. */
export function uploadOf(file: FileUpload): Upload {
  const close = () => closeStream(file.content);
  let source: BodySource;
  try {
    source = multipartSource(file);
  } catch (error) {
    close();
    throw error;
  }
  return {
    close,
    repeatable: source.repeatable,
    attempt: async (attempting) => {
      const { request, timeoutMs, read } = attempting;
      const guard = new StallGuard(timeoutMs, request.signal);
      let sourceFailure: EnvsnapError | undefined;
      let made: AttemptBody | undefined;
      try {
        guard.moved();
        made = await source.start({
          moved: () => guard.moved(),
          failed: (error) => {
            sourceFailure = error;
          },
        });
        const response = await sendBody(attempting, made, guard);
        // workerd ends a body whose source failed as if it were complete.
        if (sourceFailure) throw sourceFailure;
        return await guard.race(read(response));
      } catch (error) {
        if (error instanceof EnvsnapError || request.signal.aborted) throw error;
        throw sourceFailure ?? guard.failure() ?? error;
      } finally {
        guard.stop();
        made?.close();
      }
    },
  };
}

async function sendBody(
  { request, timeoutMs, maxAnswerBytes, sendsByBrowser, send }: Attempting,
  { body, headers, sent }: AttemptBody,
  guard: StallGuard,
): Promise<FetchResponse> {
  const { signal } = guard;
  if (!(body instanceof Blob)) return send(signal, body, headers);
  if (!sendsByBrowser) {
    guard.allow(timeoutMs + body.size / slowestBytesPerMs);
    return send(signal, body, headers);
  }
  const { sendByBrowser } = await import('./browser-upload.ts');
  const { method, url } = request;
  const all = { ...Object.fromEntries(request.headers), ...headers };
  return sendByBrowser(url, { method, headers: all, body, signal }, sent, maxAnswerBytes);
}
