import type { ExecutionContext } from 'ava';
import type { Note } from './journal.js';
import type { DeclaredTest, Hook, TestFile } from './test-file.js';

function deferred() {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Serial hooks one by one, then the others at the same time, as AVA runs them. */
async function runHooks(hooks: readonly Hook[], t: ExecutionContext): Promise<void> {
  for (const hook of hooks) if (hook.serial) await hook.run(t);
  await Promise.all(hooks.map(async (hook) => (hook.serial ? undefined : hook.run(t))));
}

/**
 * Runs one file's tests in AVA's order, after the tests of the previous file in the process: first the before hooks,
 * then serial tests one by one, all others concurrently, then the after hooks. AVA starts them all at once; each waits
 * until it is due.
 */
export class FileRun {
  readonly #done = deferred();
  readonly #runs = new Map<DeclaredTest, ReturnType<typeof deferred>>();
  readonly #serial: DeclaredTest[];
  readonly #began = new Map<DeclaredTest, number>();
  #before: Promise<void> | null = null;
  #left: number;

  /**
   * @param previous settles when the file before this one is done
   * @param note hears when the file begins and ends, and of each test that has ended
   */
  constructor(
    private readonly file: TestFile,
    private readonly previous: Promise<void>,
    private readonly note: (entry: Note) => void = () => undefined,
  ) {
    const run = file.tests.filter((test) => !test.skipped);
    for (const test of run) this.#runs.set(test, deferred());
    this.#serial = run.filter((test) => test.serial);
    this.#left = run.length;
    if (run.length === 0) void previous.then(this.#done.resolve);
  }

  /** Resolves when every test of the file has ended and its hooks have run. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  /** What AVA runs as one of the file's tests. */
  async run(test: DeclaredTest, t: ExecutionContext): Promise<void> {
    // Teardowns run in reverse order: this one is the test's last.
    t.teardown(() => this.#end(test, t));
    await this.previous;
    this.#before ??= this.#begin(t);
    await this.#before;
    await this.#turn(test);
    this.#began.set(test, performance.now());
    await runHooks(this.file.hooks.beforeEach, t);
    await test.run(t);
  }

  #begin(t: ExecutionContext): Promise<void> {
    const titles = [...this.#runs.keys()].map(({ title }) => title);
    this.note({ type: 'file began', file: this.file.name, titles });
    return runHooks(this.file.hooks.before, t);
  }

  /** A serial test waits for the serial one before it, any other for all serial ones. */
  async #turn(test: DeclaredTest): Promise<void> {
    const before = test.serial ? this.#serial.slice(0, this.#serial.indexOf(test)) : this.#serial;
    await Promise.all(before.map(async (other) => this.#runs.get(other)?.promise));
  }

  #finish(): void {
    this.note({ type: 'file ended', file: this.file.name });
    this.#done.resolve();
  }

  async #end(test: DeclaredTest, t: ExecutionContext): Promise<void> {
    try {
      await runHooks(this.file.hooks.afterEach, t);
    } finally {
      const now = performance.now();
      const ms = now - (this.#began.get(test) ?? now);
      this.note({ type: 'ended', file: this.file.name, title: test.title, ms });
      this.#runs.get(test)?.resolve();
      this.#left -= 1;
      if (this.#left === 0) await runHooks(this.file.hooks.after, t).finally(() => this.#finish());
    }
  }
}
