import { sql } from 'kysely';
import type { AreaExamples } from '../../core/area-examples.js';
import { WORK } from '../../core/sandbox.js';
import type { Sandbox } from '../../core/sandbox.js';
import { protocolSteps } from '../runner-protocol/protocol-steps.js';

/** A job of a configuration in a state. */
async function createJobIn(sandbox: Sandbox, status: string): Promise<number> {
  const { app, project, people, unique } = sandbox;
  const definition = { tags: [`nobody-${unique()}`] };
  const job = await protocolSteps(app).createJob({ id: project.id, owner: people.author }, { definition, ref: WORK });
  await app.context().query(sql`delete from ci_queue where job_id = ${job.id}`);
  await app.context().query(sql`update jobs set status = ${status} where id = ${job.id}`);
  return job.id;
}

/** A resource group that a job uses. */
async function createResourceGroup(sandbox: Sandbox): Promise<string> {
  const key = `group ${sandbox.unique()}`;
  const now = sandbox.app.clock.now();
  const holder = await createJobIn(sandbox, 'running');
  await sandbox.app.context().query(sql`
    insert into resource_groups (project_id, key, holder_job_id, created_at, updated_at)
    values (${sandbox.project.id}, ${key}, ${holder}, ${now}, ${now})`);
  return key;
}

export default {
  records: { '/projects/:id/resource_groups/:key': createResourceGroup },
  requests: {
    'POST /projects/:id/jobs/:job_id/retry': { unused: (sandbox) => createJobIn(sandbox, 'failed') },
    'POST /projects/:id/jobs/:job_id/play': { unused: (sandbox) => createJobIn(sandbox, 'manual') },
    'PUT /projects/:id/resource_groups/:key': { edit: { process_mode: 'oldest_first' } },
  },
} satisfies AreaExamples;
