import { isatty } from 'node:tty';
import { destination, pino } from 'pino';
import { outageIn, Outages } from './outages.js';
import { plainLine } from './plain-log.js';
import type { DestinationStream, Logger, LoggerOptions } from 'pino';

export type { Logger };

type LogHook = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/** Lines are written together, this many bytes or this long after one another at the latest; at exit at once. */
const WRITE_BYTES = 4096;
const WRITE_MS = 250;

interface Output extends DestinationStream {
  flushSync?: () => void;
}

/** One destination for all loggers of the process: each has a hook at exit. */
let standardOutput: Output | undefined;

/** Output that cannot be written is buffered up to this size, and dropped beyond it. */
const BUFFER_BYTES = 1024 * 1024;

// A full disk must not end the service: the lines are written once there is space.
const keepGoing = () => undefined;

/** Lines to read, at once. */
function openTerminal(): Output {
  const output = destination({ dest: 1, sync: true }).on('error', keepGoing);
  // By NO_COLOR, FORCE_COLOR and TERM.
  const colours = process.stdout.hasColors();
  return { write: (line) => output.write(plainLine(line, colours)) };
}

/** Lines written together, by a timer that runs only while there are any: the destination's own one never rests. */
function openPipe(): Output {
  const output = destination({ dest: 1, sync: false, minLength: WRITE_BYTES, maxLength: BUFFER_BYTES });
  output.on('error', keepGoing);
  let flushing: NodeJS.Timeout | undefined;
  return {
    write(line) {
      output.write(line);
      flushing ??= setTimeout(() => {
        flushing = undefined;
        // With a callback it would also wait for the disk (fsync).
        output.flush();
      }, WRITE_MS).unref();
    },
    flushSync: () => output.flushSync(),
  };
}

/** Writes everything logged so far, so that other output appears below it. */
export function flushLogs(): void {
  standardOutput?.flushSync?.();
}

const outages = new WeakMap<Logger, Outages>();

/** The outages that a log knows of; none for a log of another make. */
export const getOutages = (log: Logger): Outages | undefined => outages.get(log);

/** The lowest level of lines that require action. */
const WARN = 40;

/** Collapses the lines of one outage into one; the later ones have a lower level. */
function foldOutages(quietMs?: number): { logMethod: LogHook; begin(log: Logger): void } {
  let tracker: Outages | undefined;
  return {
    begin(log) {
      tracker = new Outages(log, quietMs);
      outages.set(log, tracker);
    },
    logMethod(args, method, level) {
      const kind =
        level >= WARN && (args[0] as { outage?: unknown } | undefined)?.outage === undefined && outageIn(args[0]);
      if (!kind || !tracker) return method.apply(this, args);
      tracker.failed(kind, (args[0] as { err?: unknown }).err);
      return this.debug(...(args as [object, string]));
    },
  };
}

/**
 * One JSON line an event; on a terminal a line to read. Paths are logged without queries, and nothing logs a body or a
 * token. An outage is a line when it begins and one when it is over (decision 91).
 * @param options.output instead of the standard output
 * @param options.quietMs how long nothing may fail until an outage is over
 */
export function createLogger(
  level: string,
  role: string,
  { output, quietMs }: { output?: DestinationStream; quietMs?: number } = {},
): Logger {
  standardOutput ??= isatty(1) ? openTerminal() : openPipe();
  const { begin, logMethod } = foldOutages(quietMs);
  const options: LoggerOptions = {
    hooks: { logMethod },
    level,
    base: { role, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['token', 'password', '*.token', '*.password', '*.private_token', '*.authorization'],
      censor: '[FILTERED]',
    },
  };
  const log = pino(options, output ?? standardOutput);
  begin(log);
  return log;
}
