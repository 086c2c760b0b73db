import type { Kysely } from 'kysely';
import type { Services } from '../../core/context/context.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { jobsPending } from '../../core/metrics/instruments.js';
import type { CiDatabase } from '../ci.entities.js';

const countQueued = prepareQuery((db: Kysely<CiDatabase>) =>
  db.selectFrom('ci_queue as q').select(({ fn }) => fn.countAll<number>().as('count')),
);

/** Sets the gauge of jobs that wait for a runner; of a database that does not answer there is none. */
export async function measurePendingJobs({ db }: Services): Promise<void> {
  jobsPending.reset();
  const [counted] = await countQueued(db, {});
  jobsPending.set(counted?.count ?? 0);
}
