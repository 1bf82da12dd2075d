// What a method of a resource returns: a promise of the answer that can also say how it came.

/** An answer with what is around it. */
export interface ApiResponse<T> {
  readonly data: T;
  readonly status: number;
  /** The id by which the server's log knows the request. */
  readonly requestId: string | undefined;
  readonly headers: Headers;
  /** Attempts that it took, from 1. */
  readonly attempts: number;
  /** The `Idempotency-Key` that was sent, the same on every attempt. */
  readonly idempotencyKey: string | undefined;
  /** True when the server answered with what it had answered to the same `Idempotency-Key` before. */
  readonly replayed: boolean;
}

/** An answer with the text of its body. */
export interface ReadResponse<T> extends ApiResponse<T> {
  readonly text: string;
}

/** A promise of the answer's data. Not lazy: the request is on its way as soon as the method returns. */
export class ApiPromise<T> extends Promise<T> {
  /** What `then` makes is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #response: Promise<ReadResponse<T>>;

  constructor(response: Promise<ReadResponse<T>>) {
    super((resolve, reject) => {
      response.then((answer) => resolve(answer.data), reject);
    });
    this.#response = response;
  }

  /**
   * The data with request id, status and headers.
   * @example
   * const { data, requestId } = await client.usage.get().withResponse();
   */
  withResponse(): Promise<ApiResponse<T>> {
    return this.#handled().then(({ text: _, ...answer }) => answer);
  }

  /**
   * The answer as the platform's own `Response`, its body unread. Answers with an error status reject all the same.
   * @example
   * const text = await (await client.usage.get().asResponse()).text();
   */
  asResponse(): Promise<Response> {
    return this.#handled().then(
      ({ text, status, headers }) => new Response(text || null, { status, headers }),
    );
  }

  /** Whoever asks for the answer handles its failure there; this promise's own would be reported as unhandled. */
  #handled(): Promise<ReadResponse<T>> {
    this.catch(() => undefined);
    return this.#response;
  }
}
