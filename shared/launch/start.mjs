import { prepare } from './build.mjs';
import { AlreadyRunning, Claim, isMode } from './claim.mjs';
import { fullDiskProblem } from './full-disk.mjs';
import { inCheckout } from './runtime.mjs';
import { checkSettings, dataDirectory } from './settings.mjs';
import { Stopped } from './steps.mjs';

/** @import { Service } from './service.js' */

/**
 * Installs, builds and runs the service, or one kind of its processes. Resolves to the exit code.
 * @param {string} [mode] @param {{ build?: () => Promise<void>, onStart?: (service: Service) => void }} [options] for development
 */
export async function start(mode = 'all', { build = prepare, onStart = () => {} } = {}) {
  if (!isMode(mode)) throw new Error(`"${mode}" is not something to start: api, workers, or nothing for both.`);
  const settings = checkSettings();
  const claim = await Claim.take(mode, settings);
  try {
    await build();
    claim.update({ running: true });
    // What runs after the build is compiled with all else.
    /** @type {typeof import('./service.js')} */
    const { Service } = await import(inCheckout('dist', 'shared', 'launch', 'service.js'));
    const service = new Service(mode, claim, settings);
    onStart(service);
    return await service.run();
  } finally {
    claim.release();
  }
}

/**
 * Runs an entry file: its result is the exit code, and an error is shown without a stack, as it is meant for the user.
 * @param {() => Promise<number>} main
 */
export async function runEntry(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    const { message, exitCode = 1 } = /** @type {Error & { exitCode?: number }} */ (error);
    const problem = fullDiskProblem(error, dataDirectory()) ?? message;
    process.exitCode = exitCode;
    if (error instanceof Stopped) return;
    if (process.env.CAPSTAN_LAUNCH_DEBUG) console.error(error);
    else console.error(error instanceof AlreadyRunning ? problem : problem.replaceAll(/^(?=\S)/gm, 'capstan: '));
  }
}
