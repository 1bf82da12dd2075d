// A connection whose writes of one turn leave together: to send a packet costs both sides more than most queries in it.

import { Socket } from 'node:net';

export class GatheringSocket extends Socket {
  #gathering = false;

  override write(chunk: Uint8Array | string, ...rest: never[]): boolean {
    if (!this.#gathering) {
      this.#gathering = true;
      this.cork();
      process.nextTick(() => {
        this.#gathering = false;
        this.uncork();
      });
    }
    return super.write(chunk, ...rest);
  }
}
