import { all, compiled, isCurrent, locked, make, pages, service, serviceRoots, sourcesIn } from '#launch/build.mjs';
import { packages, packagesOfPages } from '#launch/install.mjs';
import { inCheckout } from '#launch/runtime.mjs';

const roots = [...serviceRoots, 'test'];

/** The sources with the tests. */
export const tests = compiled(roots, '.built-tests', ['tsconfig.json', '--allowJs', 'false', '--checkJs', 'false']);

/** Checks all types, including files that are not compiled. @type {import('#launch/build.mjs').Product} */
const types = {
  ...tests,
  stamp: '.checked',
  files: () => [...tests.files(), ...sourcesIn(roots, /\.mjs$/)],
  outputs: () => [],
  progress: 'Checking types',
  args: [
    inCheckout('node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    'tsconfig.json',
    '--noEmit',
    ...(process.stdout.isTTY ? ['--pretty'] : []),
  ],
};

/**
 * Installs and builds also what tests and the tools of the checkout need, and checks every type. Throws with the reason when that
 * fails.
 */
export async function prepareDevelopment() {
  const isInstalled = packages.isInstalled(true) && packagesOfPages.isInstalled(true);
  if (isInstalled && [tests, types, pages].every(isCurrent)) return;
  await locked(true, async (lock) => {
    const installed = packages.install(true, lock);
    const compiling = installed.then(() => make(tests, lock, service)).then(() => make(types, lock));
    const building = packagesOfPages.install(true, lock).then(() => installed);
    await all([compiling, building.then(() => make(pages, lock))]);
  });
}
