import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function projectWithJobs() {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  const jobs: { id: number; pipeline_id: number }[] = [];
  for (const [name, state] of [
    ['lint', 'success'],
    ['test', 'failed'],
    ['deploy', 'running'],
  ])
    jobs.push((await owner.post(`${path}/statuses/main`, { name, state })).body);
  const [lint, check, deploy] = jobs as [(typeof jobs)[0], (typeof jobs)[0], (typeof jobs)[0]];
  return { project, owner, path, lint, check, deploy };
}

// Contract: core-9.jobs
test('a job is shown with its commit, its pipeline and who reported it', async (t) => {
  const { project, owner, path, check } = await projectWithJobs();
  const { status, body } = await owner.get(`${path}/jobs/${check.id}`);
  t.is(status, 200);
  t.like(body, { id: check.id, name: 'test', status: 'failed', stage: 'external', ref: 'main', tag: false });
  t.like(body, { allow_failure: false, artifacts: [], runner: null, tag_list: [], coverage: null });
  t.is(body.user.id, project.owner.id);
  t.is(body.commit.title, 'Initial commit');
  t.is(body.commit.id, body.pipeline.sha);
  t.is(body.pipeline.id, check.pipeline_id);
  t.is(body.web_url, `http://capstan.test/${project.full_path}/-/jobs/${check.id}`);
  t.deepEqual((await owner.get(`${path}/jobs/1000000`)).body, { message: '404 Not found' });
  t.deepEqual((await owner.get(`${path}/jobs/x`)).body, { error: 'job_id is invalid' });
});

// Contract: core-9.jobs
test("a project's jobs are listed newest first and by state", async (t) => {
  const { owner, path, lint, check, deploy } = await projectWithJobs();
  const ids = async (query: string) => {
    const { body } = await owner.get(`${path}/jobs?${query}`);
    return body.map(({ id }: { id: number }) => id);
  };
  t.deepEqual(await ids(''), [deploy.id, check.id, lint.id]);
  t.deepEqual(await ids('scope=failed'), [check.id]);
  t.deepEqual(await ids('scope[]=failed&scope[]=running'), [deploy.id, check.id]);
  t.deepEqual(await ids('scope[0]=failed&scope[1]=running'), [deploy.id, check.id]);
  const { headers } = await owner.get(`${path}/jobs`);
  t.is(headers.get('x-total'), '3');
  const bad = await owner.get(`${path}/jobs?scope[]=failed&scope[]=lost`);
  t.deepEqual([bad.status, bad.body], [400, { error: 'scope does not have a valid value' }]);
});

// Contract: core-9.jobs
test("a project's jobs are paged by keyset, by descending id and signed in only", async (t) => {
  const { project, owner, path, lint, check, deploy } = await projectWithJobs();
  const found: number[] = [];
  let url: string | null = `${path}/jobs?pagination=keyset&order_by=id&sort=desc&per_page=2`;
  for (let pages = 0; url !== null && pages < 5; pages += 1) {
    const { status, body, headers } = await owner.get(url);
    t.is(status, 200);
    t.is(headers.get('x-total'), null);
    found.push(...body.map(({ id }: { id: number }) => id));
    url = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
  }
  t.deepEqual(found, [deploy.id, check.id, lint.id]);
  const rejection = { error: 'Keyset pagination is not yet available for this type of request' };
  const ascending = await owner.get(`${path}/jobs?pagination=keyset&order_by=id&sort=asc`);
  t.deepEqual([ascending.status, ascending.body], [405, rejection]);
  await app.context().query(sql`update projects set visibility = 'public' where id = ${project.id}`);
  const anonymous = await app.anonymous.get(`${path}/jobs?pagination=keyset&order_by=id&sort=desc`);
  t.deepEqual([anonymous.status, anonymous.body], [405, rejection]);
  t.is((await owner.get(`${path}/jobs?pagination=keyset&cursor=nonsense`)).status, 400);
});

// Contract: delivery-3.jobs
test('the jobs of a pipeline are listed by state, its trigger jobs are none', async (t) => {
  const { owner, path, lint, check } = await projectWithJobs();
  const url = `${path}/pipelines/${lint.pipeline_id}`;
  const { body } = await owner.get(`${url}/jobs?scope=failed`);
  t.deepEqual(
    body.map(({ id }: { id: number }) => id),
    [check.id],
  );
  t.deepEqual((await owner.get(`${url}/bridges`)).body, []);
  t.deepEqual((await owner.get(`${url}/bridges?scope=lost`)).body, { error: 'scope does not have a valid value' });
});

// Contract: core-9.jobs
test('jobs are for those who may read pipelines', async (t) => {
  const { project, path, lint } = await projectWithJobs();
  await app.context().query(sql`update projects set public_jobs = false where id = ${project.id}`);
  const guest = app.as(await app.build.member(project, 'guest'));
  for (const url of [`${path}/jobs`, `${path}/jobs/${lint.id}`]) {
    t.is((await guest.get(url)).status, 403);
    t.is((await app.anonymous.get(url)).status, 404);
  }
  t.is((await app.as(await app.build.member(project, 'reporter')).get(`${path}/jobs`)).status, 200);
});
