import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { basic, clone, getUrl, git, lsRemote } from '../../repositories/git-http/git-client.js';
import { handOutJob, protocolSteps } from './protocol-steps.js';

const app = useApp(test);
const steps = protocolSteps(app);

const asJob = (token: string) => `gitlab-ci-token:${token}`;
const BUNDLES = { 'protocol.version': '2', 'transfer.bundleURI': 'true' };

/** The refs as git asks for them, with the credential from the start. */
const advertise = (project: { full_path: string }, token: string) =>
  fetch(`${getUrl(app, project)}/info/refs?service=git-upload-pack`, { headers: basic('gitlab-ci-token', token) });

/** A job in the hands of a runner, of a private project. */
async function runJob(options: Parameters<typeof steps.createJob>[1] = {}, visibility = 'private') {
  const project = await app.build.project({ visibility });
  const runner = await steps.createRunner();
  const job = await steps.createJob(project, options);
  const { token } = await handOutJob(app, runner);
  return { project, job, token };
}

const setStatus = (id: number, status: string) =>
  app.context().query(sql`update jobs set status = ${status} where id = ${id}`);

// Contract: ci-runner-protocol.clone
test.serial(
  'the token of a job clones its project, with the ref of its pipeline and no other hidden one',
  async (t) => {
    const { project, job, token } = await runJob();
    const other = await steps.createJob(project);
    const copy = await clone(t, app, project, { as: asJob(token), settings: BUNDLES });
    t.is(copy.code, 0, copy.stderr);
    const head = await copy.inside('rev-parse', 'HEAD');
    for (const version of ['0', '1', '2']) {
      const { stdout } = await lsRemote(app, project, { as: asJob(token), settings: { 'protocol.version': version } });
      t.true(stdout.includes(`refs/pipelines/${job.pipeline_id}\n`), version);
      t.false(stdout.includes(`refs/pipelines/${other.pipeline_id}\n`), version);
    }
    const ref = `refs/pipelines/${job.pipeline_id}`;
    await copy.inside('fetch', '--depth=1', getUrl(app, project, asJob(token)), `+${ref}:${ref}`);
    t.is(await copy.inside('rev-parse', ref), head);
    const { stdout } = await lsRemote(app, project, { as: project.owner });
    t.false(stdout.includes('refs/pipelines'));
  },
);

// Contract: ci-runner-protocol.clone
test.serial(
  'vector 53: once the job is over its token is 403 for its log and 401 for git; while it is canceled it still clones',
  async (t) => {
    const { project, job, token } = await runJob({}, 'public');
    const list = () => advertise(project, token);
    t.is((await list()).status, 200);
    await setStatus(job.id, 'canceling');
    t.is((await list()).status, 200);
    const range = { 'JOB-TOKEN': token, 'Content-Range': '0-1' };
    const patch = () => app.withHeaders(range).raw('PATCH', `/api/v4/jobs/${job.id}/trace`, 'ab', 'text/plain');
    t.is((await patch()).status, 202);
    for (const status of ['success', 'failed', 'canceled', 'pending']) {
      await setStatus(job.id, status);
      if (status !== 'pending') t.is((await patch()).status, 403, status);
      t.is((await list()).status, 401, status);
    }
    t.is((await advertise(project, 'x')).status, 401);
  },
);

// Contract: ci-runner-protocol.clone
test.serial('the token of a job reads no other project and no wiki, and pushes nowhere', async (t) => {
  const { project, token } = await runJob();
  for (const visibility of ['private', 'public']) {
    const other = await app.build.project({ owner: project.owner, visibility });
    t.is((await advertise(other, token)).status, 404, visibility);
  }
  t.not((await lsRemote(app, `${project.full_path}.wiki`, { as: asJob(token) })).code, 0);
  const copy = await clone(t, app, project, { as: asJob(token) });
  const pushed = await git(['-C', copy.folder, 'push', 'origin', 'HEAD:refs/heads/new'], {});
  t.not(pushed.code, 0);
  t.regex(pushed.stderr, /pushes to none|403/);
});

// Contract: ci-runner-protocol.clone
test.serial('the token has the rights that its user has now, and never those of an administrator', async (t) => {
  const project = await app.build.project();
  const runner = await steps.createRunner();
  const member = await app.build.member(project, 'developer');
  const admin = await app.build.admin();
  await steps.createJob(project, { user: member });
  const { token } = await handOutJob(app, runner);
  const code = async (sent: string) => (await lsRemote(app, project, { as: asJob(sent) })).code;
  t.is(await code(token), 0);
  await app.build.member(project, 'guest', member);
  t.not(await code(token), 0);
  await app.build.member(project, 'developer', member);
  t.is(await code(token), 0);
  await app.context().query(sql`update users set state = 'blocked' where id = ${member.id}`);
  t.not(await code(token), 0);
  await steps.createJob(project, { user: admin });
  const { token: ofAdmin } = await handOutJob(app, runner);
  t.not(await code(ofAdmin), 0);
});

// Contract: ci-runner-protocol.contact
test.serial('a fetch with the token of a job counts as a contact', async (t) => {
  const { project, job, token } = await runJob();
  const contactedAt = async () =>
    (
      await app.context().query<{ contacted_at: Date }>(sql`select contacted_at from job_runs where job_id = ${job.id}`)
    )[0]!.contacted_at;
  const before = await contactedAt();
  app.clock.advance('1 minute');
  await lsRemote(app, project, { as: asJob(token) });
  t.is((await contactedAt()).getTime() - before.getTime(), 60_000);
});
