import { parseArgs } from 'node:util';

import { BadUsage, wantsHelp } from './usage.mjs';

/** What `npm run admin` says when it is not told what to do, or told wrongly. */
export const usage = `npm run admin -- COMMAND

  reset-password USER [--password-stdin]
      a new password, made and shown once, or read from standard input; ends the user's sessions
  create-token USER [--name NAME] [--scopes a,b] [--expires-in-days DAYS]
      an access token, shown once; its scope is "api" unless told
  show-initial-credentials
      the password and token of the first start once more: for a day, until the password is changed
  list-users [--search TEXT]
      who there is, by username, name or a whole address

USER is a username or an id. It works while the service runs and while it does not, on the service of the same DATA_DIR
or DATABASE_URL.`;

const text = /** @type {const} */ ({ type: 'string' });

/** @type {Record<string, { user: boolean, options: NonNullable<import('node:util').ParseArgsConfig['options']> }>} */
const commands = {
  'reset-password': { user: true, options: { 'password-stdin': { type: 'boolean' } } },
  'create-token': { user: true, options: { name: text, scopes: text, 'expires-in-days': text } },
  'list-users': { user: false, options: { search: text } },
  'show-initial-credentials': { user: false, options: {} },
};

/**
 * Reads the words after `npm run admin --`.
 *
 * @param {string[]} words
 * @returns {{ command: string, user?: string, [option: string]: unknown } | null} options by name; null when help is wanted
 */
export function readArguments(words) {
  if (wantsHelp(words)) return null;
  const [command, ...rest] = words;
  if (command === undefined) throw new BadUsage('Say what to do', usage);
  const known = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!known) throw new BadUsage(`"${command}" is no command`, usage);
  const { user, options } = known;
  const { values, positionals } = parse(rest, options);
  if (positionals.length !== (user ? 1 : 0))
    throw new BadUsage(`${command} takes ${user ? 'one user, by username or id' : 'options only'}`, usage);
  return { ...values, command, ...(user ? { user: positionals[0] } : {}) };
}

/**
 * @param {string[]} args
 * @param {import('node:util').ParseArgsConfig['options']} options
 */
function parse(args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new BadUsage(error.message.split('. ')[0], usage);
  }
}
