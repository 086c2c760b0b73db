import type { ServerResponse } from 'node:http';

/** Whether this process takes traffic, and what it has in hand. */
export class Lifecycle {
  readonly #open = new Set<ServerResponse>();
  #draining = false;
  #whenAnswered: (() => void) | undefined;

  /** The process received its stop signal: it still answers requests, but reports that it is not ready. */
  get draining(): boolean {
    return this.#draining;
  }

  /** Counts a request until it is answered or its client is gone. */
  opened(response: ServerResponse): void {
    if (this.#draining) return;
    this.#open.add(response);
    response.once('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0) this.#whenAnswered?.();
    });
  }

  /**
   * Reports the process as not ready from now on. Resolves once open requests are answered and the grace period is
   * over: until then the process should continue to listen, so that readiness checks see that it is not ready.
   * Responses that take longer than a process may take to stop, such as clones, are cut off.
   * @param graceSeconds minimum duration
   * @param mostSeconds maximum duration
   */
  async drain(graceSeconds: number, mostSeconds: number): Promise<void> {
    this.#draining = true;
    const cut = setTimeout(() => this.#cut(), mostSeconds * 1000);
    const answered = new Promise<void>((resolve) => {
      this.#whenAnswered = resolve;
      if (this.#open.size === 0) resolve();
    }).finally(() => clearTimeout(cut));
    const grace = new Promise<void>((resolve) => {
      setTimeout(resolve, graceSeconds * 1000);
    });
    await Promise.all([answered, grace]);
  }

  /** Closes the connections of open requests; their handlers end with their clients. */
  #cut(): void {
    for (const response of this.#open) response.destroy();
  }
}
