import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';

import { writeWhole } from '#launch/files.mjs';
import { identify, isRunning, signalProcess } from '#launch/processes.mjs';
import { processorShare } from './processor-share.mjs';
import { TestJournal } from './test-journal.mjs';

/**
 * How long a process may be silent after a test result, in seconds. While other programs compete for the processors,
 * time is scaled by the available share: a process waiting for a processor does not count as hanging.
 */
const silence = Number(process.env.CAPSTAN_TEST_SILENCE || 60);

/**
 * Follows the processes that run tests, and ends those that hang, so that the rest of a run goes on without them.
 */
export class TestWatch {
  /** @param {string} file where they note how far they are; made here */
  constructor(file) {
    writeWhole(file, '', 0o600);
    this.descriptor = openSync(file, 'r');
    this.rest = '';
    this.journal = new TestJournal(silence * 1000);
    /** @type {Map<number, import('#launch/processes.mjs').Identity | null>} */
    this.identities = new Map();
    /** Failures that only we know of. */
    this.failed = 0;
    this.closed = false;
    /** Source files whose tests have not run, because the process assigned to run them hung first. @type {string[]} */
    this.lost = [];
    /** The output about them, by lines. @type {string[]} */
    this.troubles = [];
    this.lookedAt = performance.now();
    this.timer = setInterval(() => this.poll(), 250);
  }

  poll() {
    const now = performance.now();
    this.journal.pass((now - this.lookedAt) * processorShare());
    this.lookedAt = now;
    this.read();
    const { processes } = this.journal;
    for (const pid of processes.keys()) {
      if (!this.identities.has(pid)) this.identities.set(pid, identify(pid));
      if (!isRunning(this.identities.get(pid))) this.journal.forget(pid);
    }
    for (const process of this.journal.silent()) this.end(process);
  }

  read() {
    const chunk = Buffer.alloc(1 << 16);
    let text = this.rest;
    for (;;) {
      const length = readSync(this.descriptor, chunk, 0, chunk.length, null);
      if (length === 0) break;
      text += chunk.toString('latin1', 0, length);
    }
    const lines = text.split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.journal.read(Buffer.from(line, 'latin1').toString('utf8'));
  }

  /** @param {import('./test-journal.mjs').TestProcess} hung */
  end(hung) {
    const { pid, file, open, waiting } = hung;
    this.journal.forget(pid);
    const started = descendants(pid);
    if (!signalProcess(this.identities.get(pid) ?? null, 'SIGKILL')) return;
    for (const identity of started) signalProcess(identity, 'SIGTERM');
    this.failed += Math.max(open.size, 1);
    this.lost.push(...waiting);
    const what = open.size > 0 ? 'Not finished:' : 'Its tests have ended, and it does not.';
    const heading = [`✘ ${file} hangs: nothing for ${silence} s. Its process (pid ${pid}) was killed. ${what}`];
    const lines = [...heading, ...[...open].map((title) => `    ${title}`)];
    this.troubles.push(...lines);
    console.log(lines.join('\n'));
  }

  /** Stops watching, and reports the slowest tests. */
  close() {
    if (this.closed) return;
    this.closed = true;
    clearInterval(this.timer);
    this.read();
    closeSync(this.descriptor);
    this.troubles.push(...this.journal.leftOpen);
    for (const line of this.journal.slowest(10)) console.log(line);
  }
}

/** The processes started by a process, directly or indirectly: no other process would end them. @param {number} pid */
function descendants(pid) {
  const table = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout ?? '';
  const rows = table.split('\n').map((row) => row.trim().split(/\s+/).map(Number));
  /** @param {number | undefined} parent @returns {number[]} */
  const below = (parent) => rows.flatMap(([child = 0, of]) => (of === parent ? [child, ...below(child)] : []));
  return below(pid).flatMap((child) => identify(child) ?? []);
}
