import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import type { ServiceCommand } from './launch/run-command.js';

interface Command extends Omit<ServiceCommand, 'args'> {
  usage?: string;
  /** @returns the arguments of the entry @throws Error with a description of the problem */
  read?(args: string[]): string[];
}

const NEAR =
  'It works while the service runs and while it does not, on the service of the same DATA_DIR or DATABASE_URL';

/** An invalid command line. */
class BadUsage extends Error {
  /** The code for usage errors in sysexits.h. */
  readonly exitCode = 64;
}

type Options = NonNullable<ParseArgsConfig['options']>;

const text = { type: 'string' } as const;

const ADMIN_COMMANDS: Record<string, { takesUser: boolean; options: Options }> = {
  'reset-password': { takesUser: true, options: { 'password-stdin': { type: 'boolean' } } },
  'create-token': { takesUser: true, options: { name: text, scopes: text, 'expires-in-days': text } },
  'list-users': { takesUser: false, options: { search: text } },
  'show-initial-credentials': { takesUser: false, options: {} },
};

function parse(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new Error((error as Error).message.split('. ')[0], { cause: error });
  }
}

function readAdmin([command, ...rest]: string[]): string[] {
  if (command === undefined) throw new Error('Say what to do');
  const definition = Object.hasOwn(ADMIN_COMMANDS, command) ? ADMIN_COMMANDS[command] : undefined;
  if (definition === undefined) throw new Error(`"${command}" is no command`);
  const { takesUser, options } = definition;
  const { values, positionals } = parse(rest, options);
  if (positionals.length !== (takesUser ? 1 : 0))
    throw new Error(`${command} takes ${takesUser ? 'one user, by username or id' : 'options only'}`);
  return [JSON.stringify({ ...values, command, user: positionals[0] })];
}

function readRepair(args: string[]): string[] {
  const { values, positionals } = parse(args, { project: text, 'dry-run': { type: 'boolean' } });
  if (positionals.length === 0) throw new Error('Say what to repair');
  if (positionals.join(' ') !== 'repositories') throw new Error(`"${positionals.join(' ')}" can't be repaired`);
  const { project } = values;
  if (typeof project === 'string' && !/^(\d{1,15}|[^/]+(\/[^/]+)+)$/.test(project))
    throw new Error(`--project is "${project}"; it should be an id or a full path`);
  return [JSON.stringify(values)];
}

function readArchive([command = '', ...files]: string[]): string[] {
  if (files.length !== { inspect: 1, diff: 2 }[command]) throw new Error('Say what to look at');
  return [command, ...files.map((file) => path.resolve(process.env.INIT_CWD ?? process.cwd(), file))];
}

const COMMANDS: Record<string, Command> = {
  admin: {
    usage: `npm run admin -- COMMAND

  reset-password USER [--password-stdin]
      a new password, made and shown once, or read from standard input; ends the user's sessions
  create-token USER [--name NAME] [--scopes a,b] [--expires-in-days DAYS]
      an access token, shown once; its scope is "api" unless told
  show-initial-credentials
      the password and token of the first start once more: for a day, until the password is changed
  list-users [--search TEXT]
      who there is, by username, name or a whole address

USER is a username or an id. ${NEAR}.`,
    entry: 'admin.js',
    read: readAdmin,
  },
  archive: {
    usage: `npm run archive -- inspect FILE
npm run archive -- diff FILE FILE

  inspect  tells the groups, relations, counts, sizes and problems of an archive, as an import would read it
  diff     tells what differs between two, but for ids and times

Exit code 0; 1 where two archives differ; 2 for a file that an import would refuse.`,
    entry: 'archive.js',
    read: readArchive,
    withoutDatabase: true,
  },
  doctor: { entry: 'doctor.js' },
  'move-objects': {
    usage: `npm run move-objects -- s3|local

  copies every stored object from the local directory to the bucket of the S3_ settings, or back

${NEAR}, and removes nothing. Run it, start the service with the other OBJECT_STORE, and run it once more for what came meanwhile.`,
    entry: 'move-objects.js',
    onRepositories: true,
    read(args) {
      if (!['s3', 'local'].includes(args.join(' '))) throw new Error('Say where to');
      return args;
    },
  },
  rebuild: {
    usage: `npm run rebuild -- dora

  computes every day of the DORA metrics anew from deployments, merge requests and incidents

${NEAR}.`,
    entry: 'rebuild.js',
    read(args) {
      if (args.length === 0) throw new Error('Say what to rebuild');
      if (args.join(' ') !== 'dora') throw new Error(`"${args.join(' ')}" can't be rebuilt`);
      return [];
    },
  },
  'registry-key': {
    usage: `npm run registry-key -- FILE

  writes the certificate of the service's tokens for the container registry to FILE, and prints the parts of the registry's
  configuration that name it

Key and certificate are made the first time that somebody needs them, and stay. ${NEAR}.`,
    entry: 'registry-key.js',
    read([file, ...more]) {
      if (file === undefined || more.length > 0) throw new Error('Say where to');
      return [path.resolve(file)];
    },
  },
  repair: {
    usage: `npm run repair -- repositories [--project PROJECT] [--dry-run]

  reads the index of branches and tags anew from the repositories, which are the truth, and says what differed;
  PROJECT is an id or a full path, all projects unless told; with --dry-run nothing is changed

${NEAR}.`,
    entry: 'repair.js',
    onRepositories: true,
    read: readRepair,
  },
  runner: {
    usage: `npm run runner -- --url URL [--token-file FILE] [--concurrency N] [--builds-dir DIR] [--hide DIR]... [--without-isolation]

  runs jobs of a service on this machine: asks the service at URL for them with the token of a runner, which it reads from
  FILE or from standard input (--token TOKEN works too, but shows it to everybody on the machine)

  --concurrency        how many jobs run at a time; the cores of the machine unless told, 4 at most
  --builds-dir         where jobs run; a new directory, removed at the end, unless told
  --hide               a directory that no job may see, beside the home directory
  --without-isolation  runs jobs though nothing here can keep them apart from the machine: for trusted projects only`,
    entry: 'runner/main.js',
    withoutDatabase: true,
    read: (args) => args,
  },
};

/**
 * Reads the command line of a command on a service.
 * @returns what to run, or the help to show instead
 * @throws BadUsage with the usage
 */
export function readCommand(name: string, args: string[]): ServiceCommand | string {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined)
    throw new BadUsage(`"${name}" is no command; there are start, ${Object.keys(COMMANDS).join(', ')}.`);
  const { usage, read = () => [], ...run } = command;
  if (usage !== undefined && args.some((word) => ['--help', '-h', 'help'].includes(word))) return usage;
  try {
    return { ...run, args: read(args) };
  } catch (error) {
    throw new BadUsage(`${(error as Error).message}:\n\n${usage}`, { cause: error });
  }
}
