import type { Kysely } from 'kysely';
import { load } from '../../core/context/loads.js';
import { anyOf } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import type { Job } from '../pipelines/job.entity.js';

const needsOfJobs = prepareQuery((db: Kysely<CiDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('job_needs as n')
    .select(['n.job_id', 'n.name'])
    .where('n.job_id', '=', anyOf(ids, 'bigint'))
    .orderBy('n.id'),
);

/** The names of the jobs that each job waits for by its `needs`; what outside executors report has none. */
export const needNames = load(
  (job: Readonly<Pick<Job, 'id' | 'kind'>>) => job.id,
  async (ctx, jobs) => {
    const ids = jobs.filter(({ kind }) => kind === 'build').map(({ id }) => id);
    if (ids.length === 0) return new Map<number, string[]>();
    const rows = Map.groupBy(await needsOfJobs(ctx, { ids }), (need) => need.job_id);
    return new Map(ids.map((id) => [id, (rows.get(id) ?? []).map(({ name }) => name)]));
  },
);
