import { ensureBuilt, isBuilt } from './compile.mjs';
import { ensureInstalled, isInstalled } from './install.mjs';
import { waitForLock } from './lock.mjs';
import { lockDirectory } from './lock-directory.mjs';
import { runningServices } from './running-services.mjs';

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
  const [pid] = runningServices();
  if (pid)
    throw new Error(`The dependencies changed, and a service runs from this checkout (pid ${pid}): stop it first.`);
}
