import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { identify } from './process-identity.mjs';

/**
 * What the guardian ends when its owner is killed: first the children, who notice by themselves and get `grace` milliseconds, then
 * the database, then a directory of scratch data.
 *
 * @typedef {import('./process-identity.mjs').Identity} Identity
 * @typedef {{ postmaster: Identity | null, children: Identity[], scratch: string | null, grace: number }} Watched
 */

/**
 * Starts the guardian of this process.
 *
 * @param {string} node
 * @returns {{ watch: (changes: Partial<Watched>) => void, release: () => void, identity: Identity | null }}
 */
export function startGuardian(node) {
  const script = fileURLToPath(new URL('guardian.mjs', import.meta.url));
  const child = spawn(node, [script], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Without a guardian the service still works; only a kill would then leave processes behind.
  child.on('error', (error) => console.error(`capstan: no guardian: ${error.message}`));
  child.stdin.on('error', () => {});
  child.unref();
  child.stdin.unref?.();
  const watch = (changes) => child.stdin.write(`${JSON.stringify(changes)}\n`);
  return {
    watch,
    release() {
      watch({ postmaster: null, children: [], scratch: null });
      child.stdin.end();
    },
    identity: child.pid ? identify(child.pid) : null,
  };
}
