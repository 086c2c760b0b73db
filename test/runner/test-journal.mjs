import path from 'node:path';

import { inCheckout } from '#launch/runtime.mjs';

/** @typedef {{ name: string, ms: number }} Timed */

/**
 * How far the processes are that run tests, by what they note of themselves (`test/core/one-process/journal.ts`), a line of JSON for
 * each thing.
 */
export class TestJournal {
  /**
   * @param {number} timeoutMs how long a process may go without a journal entry, in milliseconds, unless one of its
   * tests requested more
   */
  constructor(timeoutMs) {
    this.timeoutMs = timeoutMs;
    /** @type {Map<number, TestProcess>} */
    this.processes = new Map();
    /** @type {Timed[]} */
    this.tests = [];
    /** @type {Timed[]} */
    this.files = [];
    /** Problems of processes that did not exit after their tests. @type {string[]} */
    this.leftOpen = [];
  }

  /** @param {string} line */
  read(line) {
    const { pid, at, type, ...entry } = JSON.parse(line);
    if (type === 'process') this.processes.set(pid, new TestProcess(pid, at, entry.file));
    const process = this.processes.get(pid);
    if (!process) return;
    process.timeLeft = Math.max(process.timeLeft, this.timeoutMs, type === 'timeout' ? entry.ms : 0);
    if (type === 'share') process.share = entry.files.map(getSource);
    if (type === 'declared') process.open.add(entry.title);
    if (type === 'file began') process.begin(getSource(entry.file), entry.titles, at);
    if (type === 'ended') this.end(process, entry);
    if (type === 'file ended') this.endFile(process, getSource(entry.file), at - process.fileBegan);
    if (type === 'left open')
      this.leftOpen.push(`${process.file} left something open after its tests: ${entry.resources.join(', ')}`);
    if (type === 'finished' && !process.share) this.endFile(process, process.file, at - process.fileBegan);
  }

  /** @param {TestProcess} process @param {{ title: string, ms: number }} entry */
  end(process, { title, ms }) {
    process.open.delete(title);
    this.tests.push({ name: `${process.file} › ${title}`, ms });
  }

  /** @param {TestProcess} process @param {string} file @param {number} ms */
  endFile(process, file, ms) {
    process.ended.push(file);
    this.files.push({ name: file, ms });
  }

  /** Counts time in which processes noted nothing; what they have noted since is read afterwards. @param {number} ms */
  pass(ms) {
    for (const process of this.processes.values()) process.timeLeft -= ms;
  }

  /** The processes that have noted nothing for too long. */
  silent() {
    return [...this.processes.values()].filter(({ timeLeft }) => timeLeft < 0);
  }

  /** @param {number} pid */
  forget(pid) {
    this.processes.delete(pid);
  }

  /** The slowest files and tests, for the end of a run. @param {number} count */
  slowest(count) {
    /** @type {[string, Timed[]][]} */
    const parts = [
      ['files', this.files],
      ['tests', this.tests],
    ];
    return parts.flatMap(([what, all]) => {
      const top = [...all].sort((one, other) => other.ms - one.ms).slice(0, count);
      return top.length === 0 ? [] : [`The slowest ${what}:`, ...top.map(line)];
    });
  }
}

export class TestProcess {
  /** @param {number} pid @param {number} at @param {string} file */
  constructor(pid, at, file) {
    this.pid = pid;
    this.file = getSource(path.relative(inCheckout('dist', 'test'), file).replace(/\.test\.js$/, ''));
    this.fileBegan = at;
    /** How much more time it may take before it notes something, in milliseconds. */
    this.timeLeft = 0;
    /** The files that it runs one at a time, if more than one. @type {string[] | null} */
    this.share = null;
    /** @type {string[]} */
    this.ended = [];
    /** What has not ended of the file that runs. @type {Set<string>} */
    this.open = new Set();
  }

  /** @param {string} file @param {string[]} titles @param {number} at */
  begin(file, titles, at) {
    this.file = file;
    this.fileBegan = at;
    this.open = new Set(titles);
  }

  /** Its files that have not begun, and would be lost with it. */
  get waiting() {
    return (this.share ?? []).filter((file) => file !== this.file && !this.ended.includes(file));
  }
}

/** @param {string} name */
function getSource(name) {
  return `test/${name}.test.ts`;
}

/** @param {Timed} timed */
function line({ name, ms }) {
  return `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`;
}
