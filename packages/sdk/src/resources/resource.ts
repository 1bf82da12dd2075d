// Base class of the resources.

import type { Transport } from '../call/transport.ts';

/** The calls of one resource. */
export class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }
}
