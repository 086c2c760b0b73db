import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { TestApp } from '../../core/app.js';

/** A job stored directly by a test: in any state, by any user. */
export interface StoredJob {
  queue: string;
  state?: string;
  data?: object;
  context?: Record<string, string | null>;
  output?: object | null;
  retry_count?: number;
  created_on?: Date;
  start_after?: Date;
  singleton_key?: string | null;
}

/** A queue of the test's own, that no worker of the service knows. */
export async function makeQueue(app: TestApp, name: string, options: object = {}): Promise<string> {
  await app.services.boss.createQueue(name, { retryLimit: 2, ...options });
  return name;
}

/** Stores jobs as they would be in the queue, in input order, a millisecond apart. Returns their ids. */
export async function storeJobs(app: TestApp, jobs: readonly StoredJob[]): Promise<string[]> {
  const now = Date.now() - jobs.length;
  const rows = jobs.map((job, index) => ({
    id: randomUUID(),
    name: job.queue,
    state: job.state ?? 'created',
    data: { ...job.data, ...(job.context ? { _ctx: job.context } : {}) },
    output: job.output ?? null,
    retry_count: job.retry_count ?? 0,
    created_on: job.created_on ?? new Date(now + index),
    start_after: job.start_after ?? job.created_on ?? new Date(now + index),
    singleton_key: job.singleton_key ?? null,
    done: ['completed', 'cancelled', 'failed'].includes(job.state ?? 'created'),
    begun: !['created', 'cancelled'].includes(job.state ?? 'created'),
  }));
  await app.services.db.query(sql`
    insert into pgboss.job (id, name, state, data, output, retry_limit, retry_count, created_on, start_after,
      started_on, completed_on, singleton_key, policy, keep_until, dead_letter)
    select x.id, x.name, x.state, x.data, x.output, 2, x.retry_count, x.created_on, x.start_after,
           case when x.begun then x.created_on end, case when x.done then x.created_on end, x.singleton_key, q.policy,
           x.created_on + interval '14 days', q.dead_letter
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (id uuid, name text, state pgboss.job_state,
        data jsonb, output jsonb, retry_count int, created_on timestamptz, start_after timestamptz, singleton_key text,
        done boolean, begun boolean) join pgboss.queue q on q.name = x.name`);
  return rows.map(({ id }) => id);
}

/** The state of a job, or null when it is gone. */
export async function getState(app: TestApp, id: string): Promise<string | null> {
  const [job] = await app.services.db.query<{ state: string }>(
    sql`select j.state::text as "state" from pgboss.job j where j.id = ${id}::uuid`,
  );
  return job?.state ?? null;
}
