import { pino } from 'pino';
import type { Logger } from 'pino';

export type { Logger };

/** One JSON line an event. Paths are logged without queries, and nothing logs a body or a token. */
export function createLogger(level: string, role: string): Logger {
  return pino({
    level,
    base: { role, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['token', 'password', '*.token', '*.password', '*.private_token', '*.authorization'],
      censor: '[FILTERED]',
    },
  });
}
