import { buildPages, buildServer, pagesAreBuilt, serverIsBuilt } from './compile.mjs';
import { linkDatabaseLibraries, packages, packagesOfPages } from './install.mjs';
import { waitForLock } from './lock.mjs';
import { lockDirectory } from './lock-directory.mjs';
import { runningServices } from './running-services.mjs';

/**
 * Installs and builds what is not up to date, one process at a time. Throws with the reason when that fails.
 *
 * @param {{ development?: boolean }} [what] `development`: also what tests and the tools of the checkout need, and every type is checked
 */
export async function prepare({ development = false } = {}) {
  if (isPrepared(development)) return;
  const lock = await waitForLock(lockDirectory(), 'build', (holder) => {
    console.log(`Waiting for another install or build in this checkout (pid ${holder.holder.pid}) ...`);
  });
  try {
    refuseUnderRunningService(development);
    const installed = packages.install(development, lock);
    await all([installed.then(() => buildServer(development, lock)), preparePages(development, installed, lock)]);
    linkDatabaseLibraries();
  } finally {
    lock.release();
  }
}

function isPrepared(development) {
  return (
    packages.isInstalled(development) &&
    serverIsBuilt(development) &&
    pagesAreBuilt() &&
    (!development || packagesOfPages.isInstalled(true))
  );
}

/** Their packages are many, and nothing that runs needs them: without development they are there for the build only. */
async function preparePages(development, installed, lock) {
  if (pagesAreBuilt() && !development) return installed;
  await packagesOfPages.install(true, lock);
  await installed;
  await buildPages(lock);
  if (!packages.isInstalled(true)) packagesOfPages.remove();
}

/** `npm ci` removes every dependency first, also those that a running service has yet to load. */
function refuseUnderRunningService(development) {
  if (packages.isInstalled(development) || packages.canAdd()) return;
  const [pid] = runningServices();
  if (pid)
    throw new Error(`The dependencies changed, and a service runs from this checkout (pid ${pid}): stop it first.`);
}

/** Waits for all of them, also when one fails: none goes on behind our back. */
async function all(steps) {
  const failed = (await Promise.allSettled(steps)).find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}
