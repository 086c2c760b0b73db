import test from 'ava';
import type { ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { callInTurn } from '../../../shared/repositories/repositories/call-transfers.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';
import { remoteRepository, serveGit, webServer } from '../../git/git-remote.js';
import { mirrorSteps } from '../project-mirrors/mirror-steps.js';

const app = useApp(test);
let admin: BuiltUser;

test.before('let the service fetch from this machine', async () => {
  await app.set({ allow_local_requests_from_web_hooks_and_services: true });
  admin = await app.build.admin();
});

const { mirrored, status } = mirrorSteps(app);

/** The queued job that imports or updates a project's repository. */
async function waitingJob(projectId: number): Promise<string> {
  await callInTurn(app.context());
  const [transfer] = await app.services.db.query<{ job_id: string }>(
    sql`select t.job_id as "job_id" from repository_transfers t where t.project_id = ${projectId}`,
  );
  return transfer?.job_id as string;
}

const getTransfers = (projectId: number) =>
  app.services.db.query(sql`select 1 from repository_transfers t where t.project_id = ${projectId}`);

const read = async (user: BuiltUser, id: number) => (await app.as(user).get(`/projects/${id}`)).body;

async function startImport(t: ExecutionContext): Promise<{ user: BuiltUser; id: number }> {
  const user = await app.build.user();
  const repository = await remoteRepository(t);
  const url = await webServer(t, (request, response) => serveGit(repository, request, response));
  const attributes = { name: `Imported ${unique()}`, import_url: url };
  return { user, id: (await app.as(user).post('/projects', attributes)).body.id as number };
}

// Serial: another test would do the jobs that are to wait.
test.serial(
  'an import whose waiting job is cancelled has failed at once, and stays so when the job is resumed',
  async (t) => {
    const { user, id } = await startImport(t);
    const job = await waitingJob(id);
    t.is((await app.as(admin).request('POST', `/admin/jobs/${job}/cancel`)).status, 200);
    const cancelled = { import_status: 'failed', import_error: 'The import was cancelled.' };
    t.like(await read(user, id), cancelled);
    t.is((await getTransfers(id)).length, 0);
    t.is((await app.as(admin).request('POST', `/admin/jobs/${job}/resume`)).status, 200);
    await app.work();
    t.like(await read(user, id), cancelled);
  },
);

test.serial('so has one whose waiting job is deleted, by itself or by what its context says', async (t) => {
  const one = await startImport(t);
  t.is((await app.as(admin).delete(`/admin/jobs/${await waitingJob(one.id)}`)).status, 204);
  t.like(await read(one.user, one.id), { import_status: 'failed' });
  const other = await startImport(t);
  await waitingJob(other.id);
  const queue = '/admin/sidekiq/queues/project_imports.import';
  const deleted = await app.as(admin).delete(`${queue}?user=${other.user.username}`);
  t.like(deleted.body, { deleted_jobs: 1 });
  t.like(await read(other.user, other.id), { import_status: 'failed' });
});

test.serial('a fork whose waiting job is cancelled with others has failed', async (t) => {
  const user = await app.build.user();
  const upstream = await app.build.project({ visibility: 'public' });
  const { body } = await app.as(user).post(`/projects/${upstream.id}/fork`);
  const ids = [await waitingJob(body.id)];
  const bulk = await app.as(admin).request('POST', '/admin/jobs/bulk', { action: 'cancel', ids });
  t.like(bulk.body, { affected: 1 });
  t.like(await read(user, body.id), { import_status: 'failed', import_error: 'The import was cancelled.' });
});

test.serial('an update of a mirror whose waiting job is cancelled has failed, and the next one comes', async (t) => {
  const mirror = await mirrored(t);
  app.clock.advance('1 hour');
  await app.as(mirror.owner).post(`/projects/${mirror.id}/mirror/pull`);
  const job = await waitingJob(mirror.id);
  t.is((await app.as(admin).request('POST', `/admin/jobs/${job}/cancel`)).status, 200);
  t.like(await status(mirror), { update_status: 'failed', last_error: 'The update was cancelled.' });
  app.clock.advance('1 hour');
  await app.as(mirror.owner).post(`/projects/${mirror.id}/mirror/pull`);
  await app.work();
  t.like(await status(mirror), { update_status: 'finished', last_error: null });
});
