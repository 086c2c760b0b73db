import type { Kysely } from 'kysely';
import { constant } from '../../core/database/expressions.js';
import type { Queryable } from '../../core/database/database.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import { asOffer, OFFERED_COLUMNS } from '../job-queue/enqueue-jobs.js';
import { isPaused } from './fitting-jobs.js';
import type { OfferedJobs } from '../job-queue/offered-jobs.js';

/** Kinds of jobs that one poll of the queue finds. */
const KINDS = 200;

const listWaiting = prepareQuery((db: Kysely<CiDatabase>, { before }: Placeholders<{ before: Date }>) =>
  db
    .selectFrom('ci_queue as q')
    .innerJoin('projects as p', 'p.id', 'q.project_id')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .innerJoin('project_settings as s', 's.project_id', 'p.id')
    .select((eb) => [...OFFERED_COLUMNS, eb.fn.countAll<number>().as('count')])
    .where('q.queued_at', '<=', before)
    .where((eb) => eb.not(isPaused))
    .groupBy(OFFERED_COLUMNS)
    // Jobs that no runner takes do not keep the others from being found.
    .orderBy((eb) => eb.fn('random'))
    .limit(constant(KINDS)),
);

/** Jobs that were queued by then and are still, of some kinds at random; none while hand-outs are paused. */
export async function listWaitingJobs(db: Queryable, before: Date): Promise<OfferedJobs[]> {
  return (await listWaiting(db, { before })).map(asOffer);
}
