import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';

/** Attackers that do not stop when told are stopped. */
const TIMEOUT_MS = 3000;

interface Message {
  type: 'ready' | 'done';
  counts?: Record<string, number>;
}

/** The attackers, in a process of their own: their work shall not stand in the way of measuring. */
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

  /** @param orders where the service is, and what the attack was prepared with */
  begin(orders: { url: string; target: unknown }): void {
    this.child.send(orders);
  }

  /** Ends the attack, with every connection of it. @returns what the attackers were answered, by status */
  async stop(): Promise<Record<string, number>> {
    if (this.child.connected) this.child.send({ type: 'stop' });
    const timer = setTimeout(() => this.child.kill('SIGKILL'), TIMEOUT_MS);
    await this.#exit;
    clearTimeout(timer);
    return this.#counts;
  }
}
