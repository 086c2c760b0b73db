import { parseArgs } from 'node:util';

import { BadUsage } from './admin-arguments.mjs';

/** What `npm run repair` says when it is not told what to do, or told wrongly. */
export const repairUsage = `npm run repair -- repositories [--project PROJECT] [--dry-run]

  reads the index of branches and tags anew from the repositories, which are the truth, and says what differed;
  PROJECT is an id or a full path, all projects unless told; with --dry-run nothing is changed

It works while the service runs and while it does not, on the service of the same DATA_DIR or DATABASE_URL.`;

const options = { project: { type: 'string' }, 'dry-run': { type: 'boolean' } };

/**
 * Reads the words after `npm run repair --`.
 *
 * @param {string[]} words
 * @returns {{ project?: string, 'dry-run'?: boolean } | null} null when help is wanted
 */
export function readRepairArguments(words) {
  if (words.some((word) => word === '--help' || word === '-h' || word === 'help')) return null;
  const { values, positionals } = parse(words);
  const [what, ...more] = positionals;
  if (what === undefined) throw new BadUsage(`Say what to repair:\n\n${repairUsage}`);
  if (what !== 'repositories' || more.length > 0)
    throw new BadUsage(`"${positionals.join(' ')}" can't be repaired:\n\n${repairUsage}`);
  const { project } = values;
  if (project !== undefined && !/^\d{1,15}$/.test(project) && !/^[^/]+(\/[^/]+)+$/.test(project))
    throw new BadUsage(`--project is "${project}"; it should be an id or a full path:\n\n${repairUsage}`);
  return values;
}

function parse(args) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new BadUsage(`${error.message.split('. ')[0]}:\n\n${repairUsage}`);
  }
}
