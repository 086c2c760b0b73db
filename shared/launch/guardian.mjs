import { rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { endProcesses, stopPostmaster } from './process-identity.mjs';

/*
 * Outlives its owner by design: when the pipe to it closes without a word, whoever held the other end was killed, and what it ran is
 * ended here. Each line on the pipe replaces what is watched over.
 */

/** @type {import('./guard.mjs').Watched} */
let watched = { postmaster: null, children: [], scratch: null, grace: 0 };

// A Ctrl-C or a stop of the whole group is for the owner to handle.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) watched = { ...watched, ...JSON.parse(line) };

await endProcesses(watched.children, watched.grace);
await stopPostmaster(watched.postmaster);
if (watched.scratch && path.basename(watched.scratch).startsWith('capstan-'))
  rmSync(watched.scratch, { recursive: true, force: true });
