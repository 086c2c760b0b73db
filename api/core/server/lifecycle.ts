import type { ServerResponse } from 'node:http';

/** Whether this process takes traffic, and what it has in hand. */
export class Lifecycle {
  readonly #open = new Set<ServerResponse>();
  #draining = false;
  #whenAnswered: (() => void) | undefined;

  /** Told to stop: it answers what it is asked, but wants no more. */
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
   * Wants no more traffic from now on. Resolves once what was open is answered, and the grace is over: until then the
   * process should go on listening, so that whoever asks whether it is ready hears that it is not. Answers that take
   * longer than anybody waits for the end of a process, as those to clones may, are cut off.
   * @param graceSeconds for how long at least
   * @param mostSeconds for how long at most
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

  /** Ends the connections of what is open still; what serves it ends with its client. */
  #cut(): void {
    for (const response of this.#open) response.destroy();
  }
}
