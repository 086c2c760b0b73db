import { quote } from './isolation.js';
import type { JobVariables } from './variables.js';

const GREEN = '\u{1B}[32;1m';
const PLAIN = '\u{1B}[0;m';

/** A line of the runner itself in a log. */
export const coloured = (text: string, colour = '36;1'): string => `\u{1B}[0K\u{1B}[${colour}m${text}${PLAIN}\n`;

/** How a section of a log begins. */
export function sectionStart(name: string, title: string, now: Date): string {
  return `section_start:${seconds(now)}:${name}\r${coloured(title)}`;
}

/** How a section of a log ends. */
export const sectionEnd = (name: string, now: Date): string => `section_end:${seconds(now)}:${name}\r\u{1B}[0K`;

const seconds = (now: Date): number => Math.floor(now.getTime() / 1000);

/** What precedes the commands of each shell: the job's variables, its directory, and that the first error ends it. */
export function scriptHead(variables: JobVariables, directory: string, shell: string): string {
  const settings = shell === 'sh' ? ['set -e'] : ['set -eo pipefail', 'set +o noclobber'];
  return [
    'umask 077',
    ...variables.entries().map(([key, value]) => `export ${key}=${quote(value)}`),
    `cd ${quote(directory)}`,
    ...settings,
    ...(variables.get('CI_DEBUG_TRACE') === 'true' ? ['set -x'] : []),
    '',
  ].join('\n');
}

/** Commands, each told in the log before it runs. */
export function commandLines(commands: readonly string[]): string {
  const lines = commands.map(
    (command) => `printf '%s\\n' ${quote(`${GREEN}$ ${firstLine(command)}${PLAIN}`)}\n${command}\n`,
  );
  return lines.join('');
}

function firstLine(command: string): string {
  const [first = '', ...more] = command.trimEnd().split('\n');
  return more.length === 0 ? first : `${first} # and ${more.length} more ${more.length === 1 ? 'line' : 'lines'}`;
}
