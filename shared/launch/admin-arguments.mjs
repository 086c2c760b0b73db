import { parseArgs } from 'node:util';

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

/** The exit code of sysexits.h for a command that is not one. */
export const badUsage = 64;

/** A command line that says nothing we can do; its message says what is wrong with it. */
export class BadUsage extends Error {
  exitCode = badUsage;
}

const text = { type: 'string' };

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
  if (words.some((word) => word === '--help' || word === '-h' || word === 'help')) return null;
  const [command, ...rest] = words;
  if (command === undefined) throw new BadUsage(`Say what to do:\n\n${usage}`);
  if (!Object.hasOwn(commands, command)) throw new BadUsage(`"${command}" is no command:\n\n${usage}`);
  const { user, options } = commands[command];
  const { values, positionals } = parse(rest, options);
  if (positionals.length !== (user ? 1 : 0))
    throw new BadUsage(`${command} takes ${user ? 'one user, by username or id' : 'options only'}:\n\n${usage}`);
  return { ...values, command, ...(user ? { user: positionals[0] } : {}) };
}

function parse(args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new BadUsage(`${error.message.split('. ')[0]}:\n\n${usage}`);
  }
}
