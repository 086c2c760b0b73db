import { ensureBuilt, isBuilt } from './compile.mjs';
import { ensureInstalled, isInstalled } from './install.mjs';
import { lockHolder, waitForLock } from './lock.mjs';
import { lockDirectory } from './lock-directory.mjs';

/** The locks of a running service, of which `npm start` takes the first. */
export const serviceLocks = ['service', 'service-api', 'service-workers'];

/**
 * Installs and builds what is not up to date, one process at a time. Throws with the reason when that fails.
 */
export async function prepare() {
  if (isInstalled() && isBuilt()) return;
  const lock = await waitForLock(lockDirectory(), 'build', (holder) => {
    console.log(`Waiting for another install or build in this checkout (pid ${holder.holder.pid}) ...`);
  });
  try {
    if (!isInstalled()) refuseUnderRunningService();
    await ensureInstalled(lock);
    await ensureBuilt(lock);
  } finally {
    lock.release();
  }
}

/** Installing removes every dependency first, also those that a running service has yet to load. */
function refuseUnderRunningService() {
  for (const name of serviceLocks) {
    const holder = lockHolder(lockDirectory(), name);
    if (!holder || holder.holder.pid === process.pid) continue;
    throw new Error(
      `The dependencies changed, and a service runs from this checkout (pid ${holder.holder.pid}): stop it first.`,
    );
  }
}
