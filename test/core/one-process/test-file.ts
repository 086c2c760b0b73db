import type { ExecutionContext } from 'ava';

type Body = (t: ExecutionContext, ...args: unknown[]) => unknown;

export interface DeclaredTest {
  title: string;
  serial: boolean;
  skipped: boolean;
  run: (t: ExecutionContext) => unknown;
}

export interface Hook {
  title: string;
  serial: boolean;
  run: (t: ExecutionContext) => unknown;
}

type HookKind = 'before' | 'beforeEach' | 'afterEach' | 'after';

/** The declarations of a test file, recorded while it was loaded. */
export class TestFile {
  readonly tests: DeclaredTest[] = [];
  readonly hooks: Record<HookKind, Hook[]> = { before: [], beforeEach: [], afterEach: [], after: [] };

  constructor(readonly name: string) {}

  /**
   * The file's import `test`: the subset of AVA's API used here. Hooks after a test or file always run: hooks that run
   * only after a success are rejected on declaration, as is anything else missing.
   */
  get chain() {
    return Object.assign(this.#declaring(false), { serial: this.#declaring(true) });
  }

  #declaring(serial: boolean) {
    const declare =
      (skipped: boolean) =>
      (title: string, body: Body, ...args: unknown[]): void => {
        if (this.tests.some((other) => other.title === title)) throw new Error(`Duplicate test title: ${title}`);
        this.tests.push({ title, serial, skipped, run: (t) => body(t, ...args) });
      };
    const hook =
      (kind: HookKind) =>
      (...args: [string, Body] | [Body]): void => {
        const body = args.at(-1) as Body;
        const title = args.length > 1 ? String(args[0]) : kind;
        this.hooks[kind].push({ title, serial, run: (t) => body(t) });
      };
    return Object.assign(declare(false), {
      skip: declare(true),
      before: hook('before'),
      beforeEach: hook('beforeEach'),
      afterEach: { always: hook('afterEach') },
      after: { always: hook('after') },
    });
  }
}

const files = new Map<string, TestFile>();

/** The test file with a name such as `groups/group-list`; created on first use. */
export function testFile(name: string): TestFile {
  const file = files.get(name) ?? new TestFile(name);
  files.set(name, file);
  return file;
}
