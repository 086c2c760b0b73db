import type { Logger } from '../../shared/core/log/log.js';

/** Logs what a job did that comes by itself again and again; where there was nothing to do, at level debug only. */
export function logWork(log: Logger, done: object, message: string): void {
  const didNothing = Object.values(done).every((count) => typeof count !== 'number' || count === 0);
  log[didNothing ? 'debug' : 'info'](done, message);
}
