import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function projectWithPipeline(params: Record<string, unknown> = {}) {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  const { body: pipeline } = await owner.post(`${path}/pipeline`, { ref: 'main', ...params });
  return { project, owner, path, pipeline };
}

// Contract: delivery-3.create, delivery-3.get
test('a pipeline is made for the head of a branch and waits for an executor', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const head = (await owner.get(`/projects/${project.id}/repository/branches/main`)).body.commit.id;
  const { status, body } = await owner.post(`/projects/${project.id}/pipeline`, { ref: 'main' });
  t.is(status, 201);
  t.like(body, { iid: 1, ref: 'main', sha: head, status: 'pending', source: 'api', tag: false, yaml_errors: null });
  t.like(body, { before_sha: '0'.repeat(40), started_at: null, finished_at: null, duration: null, coverage: null });
  t.is(body.user.id, project.owner.id);
  t.is(body.detailed_status.text, 'Pending');
});

// Contract: delivery-3.create
test('a pipeline is made for a tag, by its short or its full name', async (t) => {
  const { owner, path } = await projectWithPipeline();
  await owner.post(`${path}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  const short = await owner.post(`${path}/pipeline`, { ref: 'v1' });
  const full = await owner.post(`${path}/pipeline`, { ref: 'refs/tags/v1' });
  for (const { body } of [short, full]) t.like(body, { ref: 'v1', tag: true });
});

// Contract: delivery-3.create-errors
test('what is wrong with a new pipeline is said in the public words', async (t) => {
  const { project, owner, path } = await projectWithPipeline();
  const post = async (body: unknown) => {
    const answer = await owner.post(`${path}/pipeline`, body);
    return [answer.status, answer.body];
  };
  t.deepEqual(await post({}), [400, { error: 'ref is missing' }]);
  t.deepEqual(await post({ ref: 'gone' }), [400, { message: { base: ['Reference not found'] } }]);
  t.deepEqual(await post({ ref: 'refs/heads/gone' }), [400, { message: { base: ['Reference not found'] } }]);
  t.deepEqual(await post({ ref: 'main', variables: [{ value: 'x' }] }), [
    400,
    { error: 'variables[0][key] is missing' },
  ]);
  t.deepEqual(await post({ ref: 'main', variables: [{ key: 'A', value: 'x', variable_type: 'y' }] }), [
    400,
    { error: 'variables[0][variable_type] does not have a valid value' },
  ]);
  await app.context().query(sql`update projects
    set ci_pipeline_variables_minimum_override_role = 'no_one_allowed' where id = ${project.id}`);
  t.deepEqual(await post({ ref: 'main', variables: [{ key: 'A', value: 'x' }] }), [
    400,
    { message: { base: ['Insufficient permissions to set pipeline variables'] } },
  ]);
});

// Contract: delivery-3.create-errors
test('variable keys that no shell takes, and keys given twice, are refused, each in words of our own', async (t) => {
  const { owner, path } = await projectWithPipeline();
  const post = (variables: unknown) => owner.post(`${path}/pipeline`, { ref: 'main', variables });
  const spaced = await post([{ key: 'A B', value: 'x' }]);
  t.is(spaced.status, 400);
  t.deepEqual(spaced.body.message, { 'variables.key': ["can contain only letters, digits and '_'."] });
  const twice = await post([
    { key: 'A', value: 'x' },
    { key: 'A', value: 'y' },
  ]);
  t.deepEqual([twice.status, twice.body], [400, { message: { base: ['Duplicate variable name: A'] } }]);
});

// Contract: delivery-3.create
test('inputs of a pipeline are a hash of texts, numbers, booleans and arrays, twenty at most', async (t) => {
  const { owner, path } = await projectWithPipeline();
  const post = (inputs: unknown) => owner.post(`${path}/pipeline`, { ref: 'main', inputs });
  t.is((await post({ text: 'a', number: 1, flag: true, list: [1, 2] })).status, 201);
  t.deepEqual((await post({ nothing: null })).body, { error: 'inputs[nothing] is invalid' });
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`i${index}`, 'x']));
  t.deepEqual((await post(many)).body, { message: { inputs: ['exceeds the limit of 20.'] } });
});

// Contract: delivery-3.variables
test('variables of a pipeline are read by Maintainers, and by whom it was made for while they are Developers', async (t) => {
  const variables = [
    { key: 'A', value: 'secret', variable_type: 'env_var' },
    { key: 'B', value: 'text', variable_type: 'file' },
  ];
  const { project, owner, path, pipeline } = await projectWithPipeline({ variables });
  const url = `${path}/pipelines/${pipeline.id}/variables`;
  const { status, body } = await owner.get(url);
  t.is(status, 200);
  t.deepEqual(
    body,
    variables.map((variable) => ({ ...variable, raw: false })),
  );
  t.is((await app.as(await app.build.member(project, 'maintainer')).get(url)).status, 200);
  const developer = await app.build.member(project, 'developer');
  t.deepEqual((await app.as(developer).get(url)).body, { message: '403 Forbidden' });
  await app.context().query(sql`update pipelines set user_id = ${developer.id} where id = ${pipeline.id}`);
  t.is((await app.as(developer).get(url)).status, 200);
  await app.build.member(project, 'reporter', developer);
  t.deepEqual((await app.as(developer).get(url)).body, { message: '403 Forbidden' });
  const [stored] = await app
    .context()
    .query<{ value: Uint8Array }>(
      sql`select value from pipeline_variables where pipeline_id = ${pipeline.id} and key = 'A'`,
    );
  t.false(Buffer.from(stored!.value).includes('secret'));
});

// Contract: delivery-3.anonymous
test('pipelines of a public project are read without a token, variables and writes are not', async (t) => {
  const { project, path, pipeline } = await projectWithPipeline();
  await app.context().query(sql`update projects set visibility = 'public' where id = ${project.id}`);
  const url = `${path}/pipelines/${pipeline.id}`;
  for (const read of [
    `${path}/pipelines`,
    url,
    `${url}/jobs`,
    `${url}/bridges`,
    `${path}/pipelines/latest`,
    `${path}/jobs`,
  ])
    t.is((await app.anonymous.get(read)).status, 200, read);
  t.is((await app.anonymous.get(`${url}/variables`)).status, 403);
  for (const write of [`${url}/retry`, `${url}/cancel`, `${path}/pipeline`])
    t.is((await app.anonymous.post(write, { ref: 'main' })).status, 401, write);
  t.is((await app.anonymous.put(`${url}/metadata`, { name: 'x' })).status, 401);
  t.is((await app.anonymous.delete(url)).status, 401);
  await app.context().query(sql`update projects set public_jobs = false where id = ${project.id}`);
  t.is((await app.anonymous.get(`${path}/pipelines`)).status, 403);
  t.is((await app.anonymous.get(`${path}/jobs`)).status, 403);
});

// Contract: delivery-3.list
test('the filters of the list of pipelines narrow and order it', async (t) => {
  const { project, owner, path, pipeline } = await projectWithPipeline();
  await owner.post(`${path}/repository/branches`, { branch: 'side', ref: 'main' });
  app.clock.advance('1 hour');
  const side = (await owner.post(`${path}/pipeline`, { ref: 'side' })).body;
  await owner.post(`${path}/pipelines/${side.id}/cancel`);
  await owner.put(`${path}/pipelines/${side.id}/metadata`, { name: 'Release' });
  const ids = async (query: string) => {
    const { status, body } = await owner.get(`${path}/pipelines?${query}`);
    t.is(status, 200, query);
    return body.map(({ id }: { id: number }) => id);
  };
  t.deepEqual(await ids(''), [side.id, pipeline.id]);
  t.deepEqual(await ids('sort=asc'), [pipeline.id, side.id]);
  t.deepEqual(await ids('order_by=ref&sort=asc'), [pipeline.id, side.id]);
  t.deepEqual(await ids('ref=side'), [side.id]);
  t.deepEqual(await ids('status=canceled'), [side.id]);
  t.deepEqual(await ids('scope=pending'), [pipeline.id]);
  t.deepEqual(await ids('scope=finished'), [side.id]);
  t.deepEqual(await ids('scope=branches'), [side.id, pipeline.id]);
  t.deepEqual(await ids('scope=tags'), []);
  t.deepEqual(await ids('name=Release'), [side.id]);
  t.deepEqual(await ids('source=api'), [side.id, pipeline.id]);
  t.deepEqual(await ids('source=scheduled'), []);
  t.deepEqual(await ids('yaml_errors=true'), []);
  t.deepEqual(await ids('yaml_errors=false'), [side.id, pipeline.id]);
  t.deepEqual(await ids(`sha=${pipeline.sha}`), [side.id, pipeline.id]);
  t.deepEqual(await ids(`username=${project.owner.username.toUpperCase()}`), [side.id, pipeline.id]);
  t.deepEqual(await ids('username=nobody'), []);
  t.deepEqual(await ids(`created_after=${encodeURIComponent(pipeline.created_at)}`), [side.id]);
  t.deepEqual(await ids(`updated_before=${encodeURIComponent(side.created_at)}`), [pipeline.id]);
  for (const [query, error] of [
    ['scope=x', 'scope does not have a valid value'],
    ['status=x', 'status does not have a valid value'],
    ['source=x', 'source does not have a valid value'],
    ['order_by=name', 'order_by does not have a valid value'],
    ['updated_after=x', 'updated_after is invalid'],
  ])
    t.deepEqual((await owner.get(`${path}/pipelines?${query}`)).body, { error });
});

// Contract: delivery-3.latest
test('the latest pipeline is the newest of the head of the ref', async (t) => {
  const { owner, path } = await projectWithPipeline();
  const newest = (await owner.post(`${path}/pipeline`, { ref: 'main' })).body;
  for (const query of ['', '?ref=main', '?ref=refs%2Fheads%2Fmain']) {
    const { status, body } = await owner.get(`${path}/pipelines/latest${query}`);
    t.is(status, 200);
    t.is(body.id, newest.id);
    t.true('detailed_status' in body);
  }
});

// Contract: delivery-3.latest
test('where a ref has no pipeline, the latest one is forbidden, not missing', async (t) => {
  const { owner, path } = await projectWithPipeline();
  const { status, body } = await owner.get(`${path}/pipelines/latest?ref=gone`);
  t.deepEqual([status, body], [403, { message: '403 Forbidden' }]);
});

// Contract: delivery-3.get
test('a pipeline of another project is not found', async (t) => {
  const { owner, path } = await projectWithPipeline();
  const other = await projectWithPipeline();
  const url = `${path}/pipelines/${other.pipeline.id}`;
  t.deepEqual((await owner.get(url)).body, { message: '404 Not found' });
  for (const answer of [await owner.get(`${url}/jobs`), await owner.post(`${url}/retry`), await owner.delete(url)])
    t.is(answer.status, 404);
  t.deepEqual((await owner.get(`${path}/pipelines/x1`)).body, { error: 'pipeline_id is invalid' });
});

// Contract: delivery-3.cancel, delivery-3.retry
test('a pipeline that nobody took up is canceled and retried as a whole', async (t) => {
  const { owner, path, pipeline } = await projectWithPipeline();
  const url = `${path}/pipelines/${pipeline.id}`;
  app.clock.advance('1 minute');
  const canceled = await owner.post(`${url}/cancel`);
  t.is(canceled.status, 200);
  t.is(canceled.body.status, 'canceled');
  t.true(canceled.body.updated_at > pipeline.updated_at);
  t.is(canceled.body.finished_at, canceled.body.updated_at);
  t.deepEqual([(await owner.post(`${url}/cancel`)).status], [200], 'nothing to cancel is no error');
  const retried = await owner.post(`${url}/retry`);
  t.is(retried.status, 201);
  t.like(retried.body, { status: 'pending', finished_at: null });
});

// Contract: delivery-3.metadata
test('a pipeline gets a name through its metadata', async (t) => {
  const { project, owner, path, pipeline } = await projectWithPipeline();
  const url = `${path}/pipelines/${pipeline.id}/metadata`;
  const { status, body } = await owner.put(url, { name: 'Release 1' });
  t.deepEqual([status, body.name], [200, 'Release 1']);
  t.deepEqual((await owner.put(url, {})).body, { error: 'name is missing' });
  t.deepEqual((await owner.put(url, { name: 'x'.repeat(256) })).body, {
    message: { name: ['is too long (maximum is 255 characters)'] },
  });
  const reporter = await app.build.member(project, 'reporter');
  t.is((await app.as(reporter).put(url, { name: 'x' })).status, 403);
});

// Contract: delivery-3.delete
test('an Owner deletes a pipeline, a Maintainer may not', async (t) => {
  const { project, owner, path, pipeline } = await projectWithPipeline();
  const url = `${path}/pipelines/${pipeline.id}`;
  const maintainer = app.as(await app.build.member(project, 'maintainer'));
  t.deepEqual((await maintainer.delete(url)).body, { message: '403 Forbidden' });
  const early = new Date(Date.parse(pipeline.created_at) - 60_000).toUTCString();
  t.is((await owner.with({ 'If-Unmodified-Since': early }).delete(url)).status, 412);
  const { status, text } = await owner.delete(url);
  t.deepEqual([status, text], [204, '']);
  t.is((await owner.get(url)).status, 404);
});

// Contract: delivery-3.roles
test('Developers start, cancel, retry and rename pipelines, Reporters only read them', async (t) => {
  const { project, path, pipeline } = await projectWithPipeline();
  const url = `${path}/pipelines/${pipeline.id}`;
  const reporter = app.as(await app.build.member(project, 'reporter'));
  t.is((await reporter.get(url)).status, 200);
  for (const answer of [
    await reporter.post(`${path}/pipeline`, { ref: 'main' }),
    await reporter.post(`${url}/cancel`),
    await reporter.post(`${url}/retry`),
  ])
    t.deepEqual([answer.status, answer.body], [403, { message: '403 Forbidden' }]);
  const developer = app.as(await app.build.member(project, 'developer'));
  await developer.post(`${path}/repository/branches`, { branch: 'side', ref: 'main' });
  const own = await developer.post(`${path}/pipeline`, { ref: 'side' });
  t.is(own.status, 201);
  const side = `${path}/pipelines/${own.body.id}`;
  t.is((await developer.post(`${side}/cancel`)).status, 200);
  t.is((await developer.post(`${side}/retry`)).status, 201);
  t.is((await developer.put(`${side}/metadata`, { name: 'Mine' })).status, 200);
  const stranger = app.as(await app.build.user());
  t.deepEqual((await stranger.post(`${url}/cancel`)).body, { message: '404 Project Not Found' });
});

// Contract: delivery-3.roles
test('a project says from which role on pipelines are cancelled', async (t) => {
  const { project, path } = await projectWithPipeline();
  const developer = app.as(await app.build.member(project, 'developer'));
  const maintainer = app.as(await app.build.member(project, 'maintainer'));
  await developer.post(`${path}/repository/branches`, { branch: 'side', ref: 'main' });
  const own = await developer.post(`${path}/pipeline`, { ref: 'side' });
  const url = `${path}/pipelines/${own.body.id}`;
  const restrict = (role: string) => maintainer.put(path, { ci_restrict_pipeline_cancellation_role: role });
  t.is((await restrict('no_one')).status, 200);
  t.deepEqual(
    [(await developer.post(`${url}/cancel`)).status, (await maintainer.post(`${url}/cancel`)).status],
    [403, 403],
  );
  await restrict('maintainer');
  const rejection = await developer.post(`${url}/cancel`);
  t.deepEqual([rejection.status, rejection.body], [403, { message: '403 Forbidden' }]);
  t.is((await maintainer.post(`${url}/cancel`)).body.status, 'canceled');
  await developer.post(`${url}/retry`);
  await restrict('developer');
  t.is((await developer.post(`${url}/cancel`)).body.status, 'canceled');
});

// Contract: delivery-3.roles
test('pipelines of a protected branch are for those who may push or merge to it', async (t) => {
  const { project, path, pipeline } = await projectWithPipeline();
  const developer = app.as(await app.build.member(project, 'developer'));
  const rejection = await developer.post(`${path}/pipeline`, { ref: 'main' });
  t.is(rejection.status, 400);
  t.deepEqual(rejection.body.message, {
    base: [
      "You do not have sufficient permission to run a pipeline on 'main'. " +
        'Please select a different branch or contact your administrator for assistance.',
    ],
  });
  const url = `${path}/pipelines/${pipeline.id}`;
  for (const answer of [
    await developer.post(`${url}/cancel`),
    await developer.post(`${url}/retry`),
    await developer.put(`${url}/metadata`, { name: 'x' }),
  ])
    t.deepEqual([answer.status, answer.body], [403, { message: '403 Forbidden' }]);
  t.is((await app.as(await app.build.member(project, 'maintainer')).post(`${url}/cancel`)).status, 200);
});

// Contract: delivery-3.roles
test('pipelines of an archived project are read, not moved', async (t) => {
  const { project, owner, path, pipeline } = await projectWithPipeline();
  await app.context().query(sql`update projects set archived = true where id = ${project.id}`);
  const url = `${path}/pipelines/${pipeline.id}`;
  t.is((await owner.get(url)).status, 200);
  t.is((await owner.post(`${url}/cancel`)).status, 403);
  t.is((await owner.post(`${path}/pipeline`, { ref: 'main' })).status, 403);
  t.is((await owner.delete(url)).status, 403);
});
