// The return type of resource methods: a promise of the data that also gives access to the response.

/** A response with its status, headers and request id. */
export interface ApiResponse<T> {
  readonly data: T;
  readonly status: number;
  /** The request's id in the server's log. */
  readonly requestId: string | undefined;
  readonly headers: Headers;
  /** Number of attempts, from 1. */
  readonly attempts: number;
  /** The `Idempotency-Key` that was sent, the same on every attempt. */
  readonly idempotencyKey: string | undefined;
  /** True if the server replayed its earlier response to the same `Idempotency-Key`. */
  readonly replayed: boolean;
}

/** A response with the text of its body. */
export interface ReadResponse<T> extends ApiResponse<T> {
  readonly text: string;
}

/** A promise of the response's data. Not lazy: the method sends the request before it returns. */
export class ApiPromise<T> extends Promise<T> {
  /** `then` returns an ordinary promise. */
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
   * The response as the platform's own `Response`, its body unread. A response with an error status still rejects.
   * @example const text = await (await client.usage.get().asResponse()).text();
   */
  asResponse(): Promise<Response> {
    return this.#handled().then(
      ({ text, status, headers }) => new Response(text || null, { status, headers }),
    );
  }

  /** The caller handles the failure on the promise of the response; on this one it would be reported as unhandled. */
  #handled(): Promise<ReadResponse<T>> {
    this.catch(() => undefined);
    return this.#response;
  }
}
