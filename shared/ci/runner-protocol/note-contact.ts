import type { Services } from '../../core/context/context.js';
import type { Queryable } from '../../core/database/database.js';
import { prepareStatement } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import type { JobRun } from '../pipelines/job.entity.js';

/** A contact is written at most this often for a job. */
const CONTACT_EVERY_MS = 5_000;

const contacted = prepareStatement<CiDatabase, { id: number; now: Date }>((db, { id, now }) =>
  db
    .updateTable('job_runs as r')
    .set({ contacted_at: now })
    .where('r.id', '=', (eb) =>
      eb.selectFrom('job_runs as o').select('o.id').where('o.id', '=', id).forNoKeyUpdate().skipLocked(),
    ),
);

/**
 * Records that a runner made contact about a job, so that the job does not count as lost. Never waits for a row: who
 * has locked it works on the job.
 */
export async function noteJobContact(
  db: Queryable,
  { clock }: Pick<Services, 'clock'>,
  run: Pick<JobRun, 'contacted_at' | 'id'>,
): Promise<void> {
  const now = clock.now();
  if (now.getTime() - run.contacted_at.getTime() < CONTACT_EVERY_MS) return;
  await db.query(contacted({ id: run.id, now }));
}
