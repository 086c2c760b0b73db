import { once } from 'node:events';
import { eventually } from './processes.js';
import type { StartedService } from './processes.js';

/**
 * Kills the worker, which is one process, waits until the queue notices, and starts another.
 * @param jobs names of the queues whose jobs it may have been processing
 */
export async function killWorker(service: StartedService, jobs: readonly string[]): Promise<void> {
  const alive = service.children.filter(
    (child) => child.exitCode === null && child.signalCode === null && /workers/.test(child.spawnargs.join(' ')),
  );
  for (const child of alive) {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  // As the queue does once it has heard nothing of a worker for ten seconds.
  await service.database.query(
    `update pgboss.job set state = 'retry', retry_count = retry_count + 1, start_after = now()
      where name = any($1) and state = 'active'`,
    [jobs],
  );
  await service.startWorker();
}

/** Waits until some job of these queues is being done. @returns false where none is any more */
export async function anyActive(service: StartedService, jobs: readonly string[]): Promise<boolean> {
  const left = await eventually(async () => {
    const { rows } = await service.database.query<{ active: number; waiting: number }>(
      `select count(*) filter (where state = 'active')::int as active,
              count(*) filter (where state < 'active')::int as waiting from pgboss.job where name = any($1)`,
      [jobs],
    );
    const [found] = rows;
    return found !== undefined && (found.active > 0 || found.waiting === 0) && found;
  });
  return left.active > 0;
}
