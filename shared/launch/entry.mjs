import { fullDiskProblem } from './full-disk.mjs';
import { BadSetting, dataDirectory } from './settings.mjs';

/** The exit code of sysexits.h for a bad setting: starting again would not help. */
export const badConfiguration = 78;

/**
 * Runs an entry file: its result is the exit code, and an error it throws is told without a stack, as it is meant for the user.
 *
 * @param {() => Promise<number>} main
 */
export async function runEntry(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    const words = fullDiskProblem(error, dataDirectory(process.env)) ?? error.message;
    console.error(process.env.CAPSTAN_LAUNCH_DEBUG ? error : words.replaceAll(/^(?=\S)/gm, 'capstan: '));
    process.exitCode = error instanceof BadSetting ? badConfiguration : (error.exitCode ?? 1);
  }
}
