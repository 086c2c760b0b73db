import type { TestApp } from '../../core/app.js';
import type { Answer, Client } from '../../core/client.js';
import { sql } from 'kysely';
import { tickSchedules } from '../../../shared/ci/pipeline-schedules/tick-schedules.js';

/** The effect of an alarm: claims due schedules, and processes the jobs. */
export async function ring(app: TestApp): Promise<void> {
  await tickSchedules(app.context());
  await app.work();
}

export interface StoredRun {
  due_at: Date;
  state: string;
  reason: string | null;
  trigger: string;
  pipeline_id: number | null;
  user_id: number | null;
}

/** The runs of a schedule as stored, oldest first. */
export function getRuns(app: TestApp, schedule: { id: number }): Promise<StoredRun[]> {
  return app.context().query<StoredRun>(sql`
    select x.due_at, x.state, x.reason, x.trigger, x.pipeline_id, x.user_id from pipeline_schedule_runs x
     where x.pipeline_schedule_id = ${schedule.id} order by x.due_at, x.id`);
}

export const getPath = (project: { id: number }, rest = '') => `/projects/${project.id}/pipeline_schedules${rest}`;

export const NIGHTLY = { description: 'Nightly', ref: 'main', cron: '0 1 * * *' };

/** Creates a schedule through the API. */
export async function create(client: Client, project: { id: number }, more: object = {}): Promise<Answer> {
  return client.post(getPath(project), { ...NIGHTLY, ...more });
}
