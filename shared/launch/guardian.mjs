import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { endProcesses, stopPostmaster } from './processes.mjs';

/**
 * @import { Identity } from './processes.mjs'
 * @typedef {object} Watched the processes and data to end or remove, in this order, when the owner is killed
 * @property {Identity[]} children they notice by themselves and get `grace` milliseconds
 * @property {number} grace
 * @property {Identity | null} postmaster
 * @property {string | null} scratch a temporary data directory to remove
 * @typedef {{ watch(changes: Partial<Watched>): void, release(): void }} Guardian
 */

/** @type {Watched} */
const nothing = { children: [], grace: 0, postmaster: null, scratch: null };
const script = fileURLToPath(import.meta.url);

/** Starts the guardian of this process. @param {string} node @returns {Guardian} */
export function startGuardian(node) {
  const child = spawn(node, [script], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Without a guardian the service still works; only a kill would then leave processes behind.
  child.on('error', (error) => console.error(`capstan: no guardian: ${error.message}`));
  child.stdin.on('error', () => {});
  child.unref();
  /** @type {import('node:net').Socket} */ (child.stdin).unref();
  /** @param {Partial<Watched>} changes */
  const watch = (changes) => void child.stdin.write(`${JSON.stringify(changes)}\n`);
  return {
    watch,
    release() {
      watch(nothing);
      child.stdin.end();
    },
  };
}

/**
 * The main function of this file as a separate process. It outlives its owner by design: when the pipe to it closes
 * without a message, the owner was killed, and its processes are ended here. Each line on the pipe replaces the watched
 * state.
 */
async function guard() {
  let watched = nothing;
  // A Ctrl-C or a stop of the whole group is for the owner to handle.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  for await (const line of createInterface({ input: process.stdin })) watched = { ...watched, ...JSON.parse(line) };
  await endProcesses(watched.children, watched.grace);
  await stopPostmaster(watched.postmaster);
  if (watched.scratch && path.basename(watched.scratch).startsWith('capstan-'))
    rmSync(watched.scratch, { recursive: true, force: true });
}

if (process.argv[1] === script) await guard();
