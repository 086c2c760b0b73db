import { setTimeout as sleep } from 'node:timers/promises';

import { ensureDataDirectory } from './files.mjs';
import { adoptLock, describeHolder, lockHolder, ownDetails, tryLock } from './lock.mjs';
import { lockDirectory } from './lock-directory.mjs';

const names = {
  all: 'service-lock',
  dev: 'service-lock',
  api: 'service-api-lock',
  workers: 'service-workers-lock',
};

/** The kinds of processes that a start can run. */
export const modes = Object.keys(names);

/**
 * What a running service holds: its DATA_DIR, for the kind of processes that it runs, and its port. So one checkout runs several
 * services, each with a DATA_DIR and a port of its own.
 */
export class Claim {
  /** @param {import('./lock.mjs').Lock[]} locks */
  constructor(locks) {
    this.locks = locks;
  }

  /** Adds to what the locks' files say. */
  update(changes) {
    for (const lock of this.locks) lock.update(changes);
  }

  release() {
    for (const lock of this.locks) lock.release();
  }

  /** What another process needs to take it over. */
  get generations() {
    return this.locks.map(({ generation }) => generation);
  }
}

/**
 * Waits until a service that is stopping has given back what a start wants.
 *
 * @param {string} mode
 * @param {ReturnType<import('./settings.mjs').readSettings>} settings
 * @returns {Promise<string | null>} what to say when somebody keeps it, whose it is and what to set; null when it is free
 */
export async function waitUntilFree(mode, settings) {
  for (let told = false; ; told = true) {
    const taken = placesOf(mode, settings)
      .map((place) => ({ ...place, holder: lockHolder(place.directory, place.name) }))
      .find(({ holder }) => holder);
    if (!taken) return null;
    if (!taken.holder.stopping) return refusal(taken, taken.holder);
    if (!told) console.log(`Waiting for the service with pid ${taken.holder.holder.pid} to end ...`);
    await sleep(100);
  }
}

/**
 * Takes what a start wants, or says who was faster.
 *
 * @returns {{ claim: Claim, previous: import('./lock.mjs').LockState | null } | { claim: null, refusal: string }} `previous` is what
 *   a service with this DATA_DIR had written that died without giving it back
 */
export function takeClaim(mode, settings) {
  ensureDataDirectory(settings.dataDir);
  const claim = new Claim([]);
  const left = [];
  for (const place of placesOf(mode, settings)) {
    const details = { ...ownDetails(), dataDir: settings.dataDir };
    const { lock, holder, previous, copyOf } = tryLock(place.directory, place.name, details);
    if (!lock) {
      claim.release();
      return { claim: null, refusal: refusal(place, holder) };
    }
    if (copyOf && place.directory === settings.dataDir) tellCopy(settings.dataDir, copyOf);
    claim.locks.push(lock);
    left.push(previous);
  }
  return { claim, previous: left[0] };
}

function tellCopy(dataDir, original) {
  console.error(
    `capstan: ${dataDir} is a copy of ${original}, made while a service ran there: that one is left alone, and the database of the copy recovers as after a crash.`,
  );
}

/** Takes over the claim of the process that hands it on. */
export function adoptClaim(mode, settings, generations) {
  return new Claim(
    placesOf(mode, settings).map(({ directory, name }, index) => adoptLock(directory, name, generations[index])),
  );
}

/** In DATA_DIR itself, beside the database's own: a directory in it could be led elsewhere by whoever may write there. */
function placesOf(mode, { dataDir, host, port }) {
  const data = {
    directory: dataDir,
    name: names[mode],
    what: `this DATA_DIR (${dataDir})`,
    change: 'set DATA_DIR to another directory, and PORT to another port, for one more',
  };
  if (mode === 'workers' || port === 0) return [data];
  const address = {
    directory: lockDirectory(),
    name: `port-${port}-of-${host.replaceAll(/[^a-z0-9]/gi, '_')}`,
    what: `this port (${host}:${port})`,
    change: 'set PORT to another port, or to 0 for any free one',
  };
  return [data, address];
}

function refusal({ what, change }, holder) {
  const state = holder.readyAt ? 'running' : 'starting';
  return `Capstan is already ${state}${describeHolder(holder)}, with ${what}: ${change}.`;
}
