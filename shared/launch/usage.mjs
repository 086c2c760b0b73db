/** A command line that says nothing we can do. */
export class BadUsage extends Error {
  /** That of sysexits.h for a command that is not one. */
  exitCode = 64;

  /**
   * @param {string} problem what is wrong with it
   * @param {string} usage
   */
  constructor(problem, usage) {
    super(`${problem}:\n\n${usage}`);
  }
}

/** @param {string[]} words */
export function wantsHelp(words) {
  return words.some((word) => word === '--help' || word === '-h' || word === 'help');
}
