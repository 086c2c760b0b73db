import { flushLogs } from './log.js';
import type { Logger } from './log.js';

/** The message that a child sends its supervisor once it serves. */
export interface Ready {
  role: string;
  url?: string;
  externalUrl?: string;
}

/** Notifies the supervisor, if there is one. */
export function reportReady(ready: Ready): void {
  flushLogs();
  process.send?.({ type: 'ready', ...ready });
}

/**
 * Waits until the supervisor reports that the database is available and up to date, if the supervisor started this
 * process early: loading takes most of a start. Adds environment variables that were missing until then, such as
 * DATABASE_URL.
 */
export async function untilReleased(): Promise<void> {
  if (process.env.CAPSTAN_HELD !== '1' || !process.send) return;
  await new Promise<void>((resolve) => {
    const hear = (message: { type?: string; env?: NodeJS.ProcessEnv } | null) => {
      if (message?.type !== 'release') return;
      Object.assign(process.env, message.env);
      process.off('message', hear);
      resolve();
    };
    process.on('message', hear);
  });
}

/**
 * Shuts the process down gracefully, once: at SIGTERM, at SIGINT, and when the supervisor has exited (its channel
 * closes even when it is killed). An uncaught error shuts it down too, and the supervisor restarts it.
 */
export function onShutdown(log: Logger, drain: () => Promise<void>): void {
  let stopping = false;
  const stop = (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'did not stop in good order');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('disconnect', () => stop('supervisor gone'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught');
    process.exit(1);
  });
}
