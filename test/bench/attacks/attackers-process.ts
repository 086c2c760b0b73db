import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';

/** Attackers that do not stop on request within this time are killed. */
const TIMEOUT_MS = 3000;

interface Message {
  type: 'ready' | 'done';
  counts?: Record<string, number>;
}

/** The attackers, in a separate process, so that their work does not disturb the measurement. */
export class AttackersProcess {
  #counts: Record<string, number> = {};
  readonly #exit: Promise<void>;

  private constructor(private readonly child: ChildProcess) {
    this.#exit = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.on('message', ({ type, counts }: Message) => {
        if (type !== 'done') return;
        this.#counts = counts ?? {};
        child.disconnect();
      });
    });
  }

  /** Loads an attack; it begins with {@link begin}. */
  static async start(name: string): Promise<AttackersProcess> {
    const child = fork(path.join('dist', 'test', 'bench', 'attacks', 'attackers-main.js'), [name]);
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', () => reject(new Error(`The attackers of ${name} did not start.`)));
    });
    return new AttackersProcess(child);
  }

  /** @param orders the service's URL, and the prepared target */
  begin(orders: { url: string; target: unknown }): void {
    this.child.send(orders);
  }

  /** Ends the attack and closes all of its connections. @returns the responses to the attackers, by status */
  async stop(): Promise<Record<string, number>> {
    if (this.child.connected) this.child.send({ type: 'stop' });
    const timer = setTimeout(() => this.child.kill('SIGKILL'), TIMEOUT_MS);
    await this.#exit;
    clearTimeout(timer);
    return this.#counts;
  }
}
