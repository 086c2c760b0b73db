import { sql } from 'kysely';
import type { AreaExamples, PathValues } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';
import { storeJobs } from './stored-jobs.js';

/** Of a recurring job, of which one may wait at a time. */
const queue = 'queue_jobs.tend';
/** Of which many may wait. */
const standard = 'pipeline_schedules.play';

/** Puts the job of a request into the state that it is for. */
const inState = (state: string) => ({
  ready: ({ app }: Sandbox, { id }: PathValues) =>
    app.services.db.query(sql`
      update pgboss.job j set state = ${state}::pgboss.job_state, completed_on = null where j.id = ${id}::uuid`),
});

export default {
  needs: [{ path: /^\/(admin\/)?sidekiq\//, offerings: ['self-managed'] }],
  records: {
    '/admin/jobs/:id': async ({ app }) => (await storeJobs(app, [{ queue: standard }]))[0] as string,
    '/admin/jobs/queues/:queue': () => queue,
    '/admin/jobs/schedules/:name': () => queue,
    '/admin/jobs/schedules/:name/:key': () => 'recurring',
    '/admin/jobs/bulk/:bulk_id': async ({ app }) => {
      const [bulk] = await app.services.db.query<{ id: number }>(sql`
        insert into queue_bulks (action, filter, expected, created_at) values ('retry', '{}', 1, now())
        returning id as "id"`);
      return bulk?.id as number;
    },
    '/admin/sidekiq/queues/:queue_name': () => queue,
  },
  requests: {
    'GET /admin/jobs/events': { ownForm: 'a stream of events; without its media type the first one only' },
    'DELETE /admin/jobs/:id': inState('created'),
    'POST /admin/jobs/:id/retry': inState('failed'),
    'POST /admin/jobs/:id/cancel': inState('created'),
    'POST /admin/jobs/:id/resume': inState('cancelled'),
    'POST /admin/jobs/bulk': { params: { ids: () => ['00000000-0000-4000-8000-000000000000'] } },
    'POST /admin/jobs/bulk/:bulk_id/cancel': {
      ready: ({ app }: Sandbox, { bulk_id: id }: PathValues) =>
        app.services.db.query(sql`
          update queue_bulks set finished_at = null, cancelled = false where id = ${id}::bigint`),
    },
    'DELETE /admin/sidekiq/queues/:queue_name': { params: { user: () => 'nobody' } },
  },
  // The answer of a mutation.
  graphql: { alone: ['DeleteJobsResponse'] },
} satisfies AreaExamples;
