import { isatty } from 'node:tty';
import { destination, pino } from 'pino';
import { plainLine } from './plain-log.js';
import type { DestinationStream, Logger, LoggerOptions } from 'pino';

export type { Logger };

/** Lines are written together, this many bytes or this long after one another at the latest; at exit at once. */
const WRITE_BYTES = 4096;
const WRITE_MS = 250;

/** One destination for all loggers of the process: each has a timer and a hook at exit. */
let standardOutput: (DestinationStream & { flushSync?: () => void }) | undefined;

/** What cannot be written is kept up to here, and dropped beyond. */
const KEPT_BYTES = 1024 * 1024;

function openOutput() {
  const output = isatty(1)
    ? destination({ dest: 1, sync: true })
    : destination({ dest: 1, sync: false, minLength: WRITE_BYTES, periodicFlush: WRITE_MS, maxLength: KEPT_BYTES });
  // A full disk that takes no more lines must not end the service: they are written once there is room.
  output.on('error', () => undefined);
  if (!isatty(1)) return output;
  // By NO_COLOR, FORCE_COLOR and TERM.
  const colours = process.stdout.hasColors();
  return { write: (line: string) => output.write(plainLine(line, colours)) };
}

/** Writes what was logged so far: what others say next then stands below it. */
export function flushLogs(): void {
  standardOutput?.flushSync?.();
}

/** One JSON line an event; on a terminal a line to read. Paths are logged without queries, and nothing logs a body or a token. */
export function createLogger(level: string, role: string): Logger {
  standardOutput ??= openOutput();
  const options: LoggerOptions = {
    level,
    base: { role, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['token', 'password', '*.token', '*.password', '*.private_token', '*.authorization'],
      censor: '[FILTERED]',
    },
  };
  return pino(options, standardOutput);
}
