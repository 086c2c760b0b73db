import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { plainGit } from '../../git/git-fixture.js';

const app = useApp(test);

const FILE = [
  'spec:',
  '  inputs:',
  '    depth: {type: number, default: 1}',
  '---',
  'night:',
  '  script: run $[[ inputs.depth ]]',
  '  rules:',
  '    - if: $CI_PIPELINE_SOURCE == "schedule" && $MODE == "deep"',
  'secret:',
  '  script: x',
  '  rules:',
  '    - if: $TOKEN == "a stored secret value"',
  'day:',
  '  script: y',
  '  rules:',
  '    - if: $CI_PIPELINE_SOURCE == "push"',
].join('\n');

async function scheduled(content: string | null = FILE) {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  if (content !== null) {
    const file = { branch: 'main', content, commit_message: 'Configuration' };
    const { status } = await owner.post(`/projects/${project.id}/repository/files/.gitlab-ci.yml`, file);
    if (status !== 201) throw new Error('The file was not written.');
  }
  const attributes = { description: 'Nightly', ref: 'main', cron: '0 1 * * *', inputs: [{ name: 'depth', value: 3 }] };
  const { body } = await owner.post(`/projects/${project.id}/pipeline_schedules`, attributes);
  const path = `/projects/${project.id}/pipeline_schedules/${body.id}`;
  await owner.post(`${path}/variables`, { key: 'MODE', value: 'deep' });
  return { project, owner, path };
}

/** How many rows each table has, but for what counts requests, and the refs of a repository. */
async function readAll(project: { id: number }) {
  const tables = await app.context().query<{ name: string; rows: string }>(sql`
    select c.oid::regclass::text as name,
        (xpath('/row/rows/text()', query_to_xml('select count(*) as rows from ' || c.oid::regclass, false, true, '')))[1]::text
          as rows
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname in ('public', 'pgboss') and c.relname <> 'rate_limit_counts'
     order by 1`);
  const refs = plainGit(getRepositoryPath(app.context(), project), ['for-each-ref']);
  return { refs, ...Object.fromEntries(tables.map(({ name, rows }) => [name, rows])) };
}

// Contract: ci-lint.schedule
test.serial(
  'vector 63: a dry run of a schedule says which jobs a run would have, with its variables and inputs, and writes nothing',
  async (t) => {
    const { project, owner, path } = await scheduled();
    await owner.post(`/projects/${project.id}/variables`, { key: 'TOKEN', value: 'a stored secret value' });
    const before = await readAll(project);
    const { status, body, text } = await owner.post(`${path}/dry_run`);
    t.is(status, 200, text);
    t.like(body, { valid: true, errors: [], warnings: [] });
    t.like(body.pipeline, { name: null, source: 'scheduled', ref: 'main', user: { id: project.owner.id } });
    t.regex(body.pipeline.sha, /^[0-9a-f]{40}$/);
    t.deepEqual(
      body.jobs.map(({ name, script }: { name: string; script: string[] }) => [name, script]),
      [
        ['night', ['run 3']],
        ['secret', ['x']],
      ],
    );
    t.deepEqual(
      body.excluded.map(({ name, why }: { name: string; why: string }) => [name, why]),
      [['day', 'No rule matched.']],
    );
    t.deepEqual(
      body.variables.toSorted((one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1)),
      [
        { key: 'MODE', from: 'pipeline' },
        { key: 'TOKEN', from: 'project' },
      ],
    );
    t.deepEqual(await readAll(project), before);
  },
);

test('a failing configuration, one without jobs and no file at all are told apart', async (t) => {
  const run = async (content: string | null) => {
    const { owner, path } = await scheduled(content);
    return (await owner.post(`${path}/dry_run`)).body;
  };
  t.like(await run('a: {script: x, foo: 1}\n'), {
    valid: false,
    errors: ['jobs:a config contains unknown keys: foo'],
  });
  const filtered = await run('workflow:\n  rules:\n    - if: $CI_PIPELINE_SOURCE == "push"\na: {script: x}\n');
  t.like(filtered, { valid: false, errors: ['Pipeline filtered out by workflow rules.'] });
  t.like(await run(null), { valid: true, errors: [], jobs: [] });
});

// Contract: ci-lint.schedule
test('a dry run heeds whether the project reads a file at all, or must have one', async (t) => {
  const external = await scheduled();
  await external.owner.put(`/projects/${external.project.id}`, { ci_execution: 'external' });
  const { body } = await external.owner.post(`${external.path}/dry_run`);
  t.like(body, { valid: true, jobs: [], excluded: [] });
  const required = await scheduled(null);
  await required.owner.put(`/projects/${required.project.id}`, { ci_execution: 'required' });
  t.deepEqual((await required.owner.post(`${required.path}/dry_run`)).body.errors, ['Missing CI config file']);
});

// Contract: ci-lint.schedule-roles
test('who may play a schedule may rehearse it; values that they may not read are hidden', async (t) => {
  const { project, owner, path } = await scheduled();
  const [developer, reporter] = await Promise.all([
    app.build.member(project, 'developer'),
    app.build.member(project, 'reporter'),
  ]);
  await owner.post(`/projects/${project.id}/repository/branches`, { branch: 'work', ref: 'main' });
  t.is((await app.as(reporter).post(`${path}/dry_run`)).status, 403);
  t.is((await app.as(developer).post(`${path}/dry_run`)).status, 403, 'main is protected');
  const { body } = await app.as(developer).post(`${path}/dry_run`, { as_of_ref: 'work' });
  t.is(body.pipeline.ref, 'work');
  const text = JSON.stringify(body);
  t.true(text.includes('[MASKED]'));
  t.false(text.includes('"value":"deep"'));
  t.is((await owner.post(`${path}/dry_run`, { as_of_ref: 'nowhere' })).status, 400);
  t.is((await app.as(await app.build.user()).post(`${path}/dry_run`)).status, 404);
});

// Contract: ci-lint.variables
test('stored variables take part in rules, and no explanation shows them', async (t) => {
  const { project, owner } = await scheduled(null);
  const variable = { key: 'TOKEN', value: 'a stored secret value', protected: true };
  t.is((await owner.post(`/projects/${project.id}/variables`, variable)).status, 201);
  const content = 'a:\n  script: x\n  rules:\n    - if: $TOKEN =~ /^a stored/\nb:\n  script: y\n';
  const dry = { content, dry_run: true, include_jobs: true };
  const names = (jobs: { name: string }[]) => jobs.map(({ name }) => name);
  const own = await owner.post(`/projects/${project.id}/ci/lint`, dry);
  t.deepEqual(names(own.body.jobs), ['a', 'b']);
  t.false(own.text.includes('secret value'));
  const developer = await app.build.member(project, 'developer');
  const others = await app.as(developer).post(`/projects/${project.id}/ci/lint`, dry);
  t.deepEqual(names(others.body.jobs), ['b'], 'who may not run on the protected branch learns nothing of it');
});

// Contract: ci-lint.variables
test('a masked variable is a mask wherever a result could show it, however short or hidden it is', async (t) => {
  const { project, owner } = await scheduled(null);
  const secret = 'Zebra-7491';
  const masked = { key: 'TOKEN', value: secret, masked_and_hidden: true };
  t.is((await owner.post(`/projects/${project.id}/variables`, masked)).status, 201);
  const file = (include: string, exists: string) =>
    [
      'spec:',
      '  inputs:',
      '    x: {default: "in-$TOKEN"}',
      '---',
      `include: "${include}"`,
      'workflow: {name: "name $TOKEN"}',
      'variables: {COPY: "copy-$TOKEN"}',
      'a:',
      '  script: echo $[[ inputs.x | expand_vars ]]',
      '  tags: [$TOKEN, $COPY]',
      '  environment: env/$TOKEN',
      '  resource_group: $COPY',
      '  rules:',
      `    - exists: {paths: [x], project: "${exists}"}`,
      '    - if: $COPY == "x" || $COPY',
    ].join('\n');
  const results = [
    file('$TOKEN.yml', 'no/where'),
    file('base.yml', '$TOKEN/y'),
    file('base.yml', '$CI_PROJECT_PATH'),
    file('https://127.0.0.1/$TOKEN.yml', 'no/where'),
  ];
  await owner.post(`/projects/${project.id}/repository/files/base.yml`, {
    branch: 'main',
    content: 'b: {script: x}\n',
    commit_message: 'Configuration',
  });
  for (const content of results) {
    const dry = { content, dry_run: true, include_jobs: true };
    const { status, text } = await owner.post(`/projects/${project.id}/ci/lint`, dry);
    t.is(status, 200, text);
    t.false(text.includes('Zebra'), text);
    t.true(text.includes('[MASKED]'), text);
  }
  // Who may play the schedule without reading its values learns nothing of them either.
  const { path } = await scheduled();
  const own = path.split('/')[2];
  const developer = await app.build.member({ id: Number(own) }, 'developer');
  const leak = 'a:\n  script: x\n  tags: [$MODE]\n  variables: {COPY: "<$MODE>"}\n  rules:\n    - if: $COPY\n';
  const branch = { branch: 'work', start_branch: 'main', content: leak, commit_message: 'Look' };
  t.is((await app.as(developer).put(`/projects/${own}/repository/files/.gitlab-ci.yml`, branch)).status, 200);
  const { text } = await app.as(developer).post(`${path}/dry_run`, { as_of_ref: 'work' });
  t.true(text.includes('<[MASKED]>'), text);
  t.false(text.includes('deep'), text);
});
