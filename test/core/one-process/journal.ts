import { appendFileSync } from 'node:fs';
import test, { registerCompletionHandler } from 'ava';

/** Journal entries of a process that runs tests (`test/runner/test-journal.mjs` reads them). */
export type Note =
  | { type: 'process'; file: string }
  | { type: 'declared'; title: string }
  | { type: 'share'; files: readonly string[] }
  | { type: 'file began'; file: string; titles: readonly string[] }
  | { type: 'file ended'; file: string }
  | { type: 'ended'; file?: string; title: string; ms: number }
  | { type: 'timeout'; ms: number }
  | { type: 'finished' }
  | { type: 'left open'; resources: readonly string[] };

const journal = process.env.CAPSTAN_TEST_JOURNAL;

/** Writes an entry synchronously, because the process may be killed at any time. */
export function note(entry: Note): void {
  if (journal) appendFileSync(journal, `${JSON.stringify({ pid: process.pid, at: Date.now(), ...entry })}\n`);
}

/** What AVA sends from the process of a test file to its own. */
interface Sent {
  type: string;
  title?: string;
  skip?: boolean;
  todo?: boolean;
  duration?: number;
  period?: number;
}

/** AVA counts tests of files that share a process from its start; those files note their own (`file-run.ts`). */
function listen(file: string): void {
  const shared = file.includes('/dist/test/together/');
  const hear = ({ type, title = '', skip, todo, duration = 0, period = 0 }: Sent) => {
    if (type === 'test-timeout-configured') note({ type: 'timeout', ms: period });
    else if (type === 'worker-finished') note({ type: 'finished' });
    else if (shared) return;
    else if (type === 'selected-test' && !skip && !todo) note({ type: 'declared', title });
    else if (type === 'test-passed' || type === 'test-failed') note({ type: 'ended', title, ms: duration });
  };
  const send = process.send?.bind(process) as (...args: unknown[]) => boolean;
  process.send = (...args: unknown[]) => {
    const { ava } = args[0] as { ava?: Sent };
    if (ava) hear(ava);
    return send(...args);
  };
}

/**
 * Time in milliseconds for a process to exit after its tests have finished; a third of the timeout for a silent
 * process.
 */
const ENDS_WITHIN_MS = (Number(process.env.CAPSTAN_TEST_SILENCE || 60) * 1000) / 3;

/** A handle left open by a test must not fail the tests that passed: ends the process and reports the open handles. */
function endAfterTests(): void {
  const end = () => {
    note({ type: 'left open', resources: process.getActiveResourcesInfo() });
    process.exit();
  };
  registerCompletionHandler(() => setTimeout(end, ENDS_WITHIN_MS).unref());
}

// AVA loads this before each test file.
if (journal && process.send) {
  const { file } = test.meta;
  note({ type: 'process', file: new URL(file).pathname });
  listen(file);
  endAfterTests();
}
