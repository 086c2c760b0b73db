import { destination, pino } from 'pino';
import type { DestinationStream, Logger, LoggerOptions } from 'pino';

export type { Logger };

/** Lines are written together, this many bytes or this long after one another at the latest; at exit at once. */
const WRITE_BYTES = 4096;
const WRITE_MS = 250;

/** One destination for all loggers of the process: each has a timer and a hook at exit. */
let standardOutput: DestinationStream | undefined;

/** One JSON line an event. Paths are logged without queries, and nothing logs a body or a token. */
export function createLogger(level: string, role: string): Logger {
  standardOutput ??= destination({ dest: 1, sync: false, minLength: WRITE_BYTES, periodicFlush: WRITE_MS });
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
