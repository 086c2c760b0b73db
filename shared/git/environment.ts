const MIB = 1024 * 1024;

/** Files from here on are read in pieces, and compared as binary ones. */
export const bigFileBytes = 8 * MIB;

/** What keeps one process from taking the memory of all (decision 27). */
const memorySettings: Record<string, string> = {
  'core.bigFileThreshold': String(bigFileBytes),
  'core.packedGitWindowSize': '32m',
  'core.packedGitLimit': '128m',
  'core.deltaBaseCacheLimit': '32m',
  'pack.windowMemory': '64m',
  'pack.deltaCacheSize': '32m',
  'pack.threads': '2',
};

const settings: Record<string, string> = {
  ...memorySettings,
  // The owner of a volume may be another user than the one of this process.
  'safe.directory': '*',
  // A ref must never point at an object that a power cut can still lose.
  'core.fsync': 'committed',
  // Not `batch`: git then moves new objects into place last, and ends with 0 if a folder of theirs was removed by
  // housekeeping at that moment, without the object.
  'core.fsyncMethod': 'fsync',
  'core.filesRefLockTimeout': '5000',
  'core.packedRefsTimeout': '5000',
  // Housekeeping is a job of its own, not a surprise inside a request.
  'gc.auto': '0',
  'maintenance.auto': '0',
  'core.quotePath': 'false',
};

const settingsCount = Object.keys(settings).length;

/** Settings as in a configuration file, `http.followRedirects`; repeated ones as a list. */
type GitSettings = Readonly<Record<string, string | readonly string[]>>;

/** Settings as environment variables, numbered from `first`, with their total count for git. */
function configuration(more: GitSettings, first: number): Record<string, string> {
  const pairs = Object.entries(more).flatMap(([key, values]) => [values].flat().map((value) => [key, value] as const));
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(first + pairs.length) };
  pairs.forEach(([key, value], index) => {
    variables[`GIT_CONFIG_KEY_${first + index}`] = key;
    variables[`GIT_CONFIG_VALUE_${first + index}`] = value;
  });
  return variables;
}

const fixed = {
  HOME: '/nonexistent',
  XDG_CONFIG_HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  // File names come from users; `*` and `:(glob)` in them mean themselves.
  GIT_LITERAL_PATHSPECS: '1',
  ...configuration(settings, 0),
};

const inherited = ['PATH', 'TMPDIR', 'LD_LIBRARY_PATH', 'SystemRoot'];

/**
 * Additional settings of one command. Names and passwords are passed this way too: every process can read arguments.
 */
export interface GitExtras {
  settings?: GitSettings;
  variables?: Record<string, string>;
}

/**
 * Settings as options of a command, for a process that git itself starts: that one does not have our environment. A
 * shell splits them.
 */
export const memoryOptions = Object.entries(memorySettings)
  .map(([key, value]) => `-c ${key}=${value}`)
  .join(' ');

/**
 * The whole environment of a git process. Built from nothing, so that no GIT_DIR, user configuration,
 * credential or proxy of the surrounding process reaches it; our own settings come through GIT_CONFIG_*.
 */
export function gitEnvironment(extras: GitExtras = {}): NodeJS.ProcessEnv {
  const own = extras.settings ?? {};
  const env: NodeJS.ProcessEnv = { ...fixed, ...configuration(own, settingsCount) };
  for (const name of inherited) {
    if (process.env[name] !== undefined) env[name] = process.env[name];
  }
  return { ...env, ...extras.variables };
}
