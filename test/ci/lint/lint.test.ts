import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';

const app = useApp(test);

const FILE = '.gitlab-ci.yml';

/** A project with these files on its default branch, and its owner's client. */
async function projectWith(files: Record<string, string>, settings: Record<string, unknown> = {}) {
  const project = await app.build.project(settings);
  const owner = app.as(project.owner);
  const actions = Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content }));
  const commit = { branch: 'main', commit_message: 'Files', actions };
  const { status, text } = await owner.post(`/projects/${project.id}/repository/commits`, commit);
  if (status !== 201) throw new Error(text);
  return { project, owner, path: `/projects/${project.id}/ci/lint` };
}

const lint = async (client: Client, path: string, content: string, more: object = {}) => {
  const { status, body, text } = await client.post(path, { content, ...more });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body;
};

// Contract: ci-lint.post
test('a configuration is checked, and its jobs are returned on request', async (t) => {
  const { owner, path } = await projectWith({ 'notes.md': 'x' });
  const content =
    'build:\n  stage: build\n  script: make\n  tags: [linux]\ntest:\n  script: [a, b]\n  needs: [build]\n';
  const plain = await lint(owner, path, content);
  t.like(plain, { valid: true, errors: [], warnings: [], includes: [], problems: [], excluded: [] });
  t.is(plain.merged_yaml.startsWith('---\nbuild:\n'), true);
  t.false('jobs' in plain);
  t.deepEqual(plain.stages, ['.pre', 'build', 'test', 'deploy', '.post']);
  const { jobs } = await lint(owner, path, content, { include_jobs: true });
  t.deepEqual(
    jobs.map(({ explanation: _, ...job }: Record<string, unknown>) => job),
    [
      {
        name: 'build',
        stage: 'build',
        before_script: [],
        script: ['make'],
        after_script: [],
        tag_list: ['linux'],
        only: null,
        except: null,
        environment: null,
        when: 'on_success',
        allow_failure: false,
        needs: null,
      },
      {
        name: 'test',
        stage: 'test',
        before_script: [],
        script: ['a', 'b'],
        after_script: [],
        tag_list: [],
        only: null,
        except: null,
        environment: null,
        when: 'on_success',
        allow_failure: false,
        needs: [{ name: 'build', artifacts: true, optional: false }],
      },
    ],
  );
});

// Contract: ci-lint.invalid
test('vector 64: an invalid configuration is answered with 200, all of its errors and their positions', async (t) => {
  const { owner, path } = await projectWith({ 'notes.md': 'x' });
  const bad = await lint(owner, path, 'a:\n  script: [x\nb: {');
  t.false(bad.valid);
  t.is(bad.merged_yaml, null);
  t.is(bad.errors.length, 1);
  t.regex(bad.errors[0], /^\(<unknown>\): .* at line \d+ column \d+$/);
  t.is(typeof bad.problems[0].line, 'number');
  t.is(typeof bad.problems[0].column, 'number');
  const unknown = await lint(owner, path, 'a:\n  script: x\n  foo: 1\nb:\n  script: x\n  stage: s\n');
  t.deepEqual(unknown.errors, [
    'jobs:a config contains unknown keys: foo',
    'b job: chosen stage s does not exist; available stages are .pre, build, test, deploy, .post',
  ]);
  t.deepEqual(
    unknown.problems.map(({ severity, line }: { severity: string; line: number }) => [severity, line]),
    [
      ['error', 3],
      ['error', 6],
    ],
  );
  t.deepEqual((await lint(owner, path, '')).errors, ['Please provide content of .gitlab-ci.yml']);
});

test('a duplicate key is a warning, and the last one wins', async (t) => {
  const { owner, path } = await projectWith({ 'notes.md': 'x' });
  const body = await lint(owner, path, 'a:\n  script: one\na:\n  script: two\n', { include_jobs: true });
  t.true(body.valid);
  t.is(body.warnings.length, 1);
  t.deepEqual(body.jobs[0].script, ['two']);
});

// Contract: ci-lint.get
test('the configuration of a project is read at a commit, by the path that its settings name', async (t) => {
  const files = { [FILE]: 'a:\n  script: x\n', 'ci/other.yml': 'b:\n  script: y\n' };
  const { project, owner, path } = await projectWith(files);
  const names = async (query = '') => {
    const { body } = await owner.get(`${path}?include_jobs=true${query}`);
    return body.jobs.map(({ name }: { name: string }) => name);
  };
  t.deepEqual(await names(), ['a']);
  t.is((await owner.put(`/projects/${project.id}`, { ci_config_path: 'ci/other.yml' })).status, 200);
  t.deepEqual(await names(), ['b']);
  t.is((await owner.put(`/projects/${project.id}`, { ci_config_path: 'absent.yml' })).status, 200);
  t.deepEqual((await owner.get(path)).body.errors, ['Please provide content of .gitlab-ci.yml']);
  t.deepEqual((await owner.get(`${path}?content_ref=nowhere`)).status, 404);
  t.is((await owner.get(`${path}?dry_run=true&dry_run_ref=nowhere`)).status, 400);
});

// Contract: ci-lint.roles
test('who reads the code reads the result, and who may run pipelines checks any content', async (t) => {
  const { project, path } = await projectWith({ [FILE]: 'a:\n  script: x\n' }, { visibility: 'public' });
  const [reporter, developer] = [await app.build.user(), await app.build.user()];
  await app.build.member(project, 'reporter', reporter);
  await app.build.member(project, 'developer', developer);
  t.is((await app.as(reporter).get(path)).status, 200);
  t.is((await app.anonymous.get(path)).status, 200);
  t.is((await app.as(reporter).post(path, { content: 'a: {script: x}' })).status, 403);
  t.is((await app.as(developer).post(path, { content: 'a: {script: x}' })).status, 200);
  t.is((await app.anonymous.post(path, { content: 'a: {script: x}' })).status, 401);
  const hidden = await projectWith({ [FILE]: 'a:\n  script: x\n' });
  t.is((await app.as(reporter).get(hidden.path)).status, 404);
  t.is((await app.as(developer).post(path, {})).body.error, 'content is missing');
});

// Contract: ci-lint.include
test('local files, globs and files of other projects are included, and told', async (t) => {
  const other = await projectWith({ 'a.yml': '.base:\n  script: [shared]\n' }, { visibility: 'public' });
  const { owner, path, project } = await projectWith({
    'ci/one.yml': 'one:\n  script: x\n',
    'ci/two.yml': 'two:\n  script: y\n',
    'nested.yml': "include: '/ci/one.yml'\nnested:\n  script: z\n",
  });
  const include = [
    { local: '/ci/*.yml' },
    'nested.yml',
    { project: other.project.full_path, file: 'a.yml', ref: 'main' },
  ];
  const content = JSON.stringify({ include, own: { extends: '.base' }, one: { script: 'mine' } });
  const body = await lint(owner, path, content, { include_jobs: true });
  t.deepEqual(body.errors, []);
  t.deepEqual(
    body.includes.map(({ type, location, context_project }: Record<string, string>) => [
      type,
      location,
      context_project,
    ]),
    [
      ['local', 'ci/one.yml', project.full_path],
      ['local', 'ci/two.yml', project.full_path],
      ['local', 'nested.yml', project.full_path],
      ['file', 'a.yml', project.full_path],
      ['local', 'ci/one.yml', project.full_path],
    ],
  );
  t.deepEqual(
    Object.fromEntries(body.jobs.map(({ name, script }: { name: string; script: string[] }) => [name, script])),
    { one: ['mine'], two: ['y'], nested: ['z'], own: ['shared'] },
  );
  t.regex(body.includes[0].raw, /\/-\/raw\/[0-9a-f]{40}\/ci\/one\.yml$/);
});

test('vectors 16, 17: a project that is hidden and one that is absent are the same error; addresses inside are blocked', async (t) => {
  const hidden = await projectWith({ 'a.yml': 'a:\n  script: x\n' });
  const { owner, path } = await projectWith({ 'notes.md': 'x' });
  const errorsFor = async (include: unknown) =>
    (await lint(owner, path, JSON.stringify({ include, a: { script: 'x' } }))).errors;
  const describe = (name: string) =>
    `Project \`${name}\` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.`;
  const { full_path: hiddenPath } = hidden.project;
  t.deepEqual(await errorsFor({ project: hiddenPath, file: 'a.yml' }), [describe(hiddenPath)]);
  t.deepEqual(await errorsFor({ project: 'no/where', file: 'a.yml' }), [describe('no/where')]);
  const [error] = await errorsFor({ remote: 'http://169.254.169.254/x.yml' });
  t.is(error, 'Requested address of remote file `http://169.254.169.254/x.yml` is blocked');
  t.deepEqual(await errorsFor('gone.yml'), ['Local file `gone.yml` does not exist!']);
  t.deepEqual(await errorsFor('notes.md'), ['Included file `notes.md` does not have YAML extension!']);
});

test('vector 16: a redirect to an address inside is not followed', async (t) => {
  const { owner, path } = await projectWith({ 'notes.md': 'x' });
  const requested: string[] = [];
  const content = 'from-outside: {script: x}';
  // Stands for both: what may be requested, and, by its other address, what may not.
  const server = createServer((request, response) => {
    requested.push(`${request.headers.host} ${request.url}`);
    if (request.url === '/moved.yml') response.writeHead(302, { Location: `http://127.0.0.2:${port}/x.yml` }).end();
    else if (request.url === '/far.yml') response.writeHead(302, { Location: 'http://169.254.169.254/x.yml' }).end();
    else response.end(content);
  });
  server.listen(0);
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  await app.set({ outbound_local_requests_whitelist: ['127.0.0.1'] });
  t.teardown(() => app.set({ outbound_local_requests_whitelist: [] }));
  const check = async (file: string) =>
    lint(owner, path, JSON.stringify({ include: { remote: `http://127.0.0.1:${port}/${file}` } }));
  t.deepEqual((await check('x.yml')).errors, []);
  for (const file of ['moved.yml', 'far.yml'])
    t.deepEqual((await check(file)).errors, [
      `Requested address of remote file \`http://127.0.0.1:${port}/${file}\` is blocked`,
    ]);
  t.deepEqual(
    requested,
    ['x.yml', 'moved.yml', 'far.yml'].map((file) => `127.0.0.1:${port} /${file}`),
  );
});

// Contract: ci-lint.dry-run
test('a dry run evaluates rules for a source, and says why a job is not there', async (t) => {
  const { owner, path } = await projectWith({ 'notes.md': 'x' });
  const content = [
    'night:',
    '  script: x',
    '  rules:',
    '    - if: $CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH',
    '      variables: {DEEP: "1"}',
    'docs:',
    '  script: y',
    '  rules:',
    "    - exists: ['*.md']",
    '      when: manual',
  ].join('\n');
  const dry = (source: string) => lint(owner, path, content, { dry_run: true, include_jobs: true, source });
  const names = (jobs: { name: string }[]) => jobs.map(({ name }) => name);
  const scheduled = await dry('schedule');
  t.deepEqual(names(scheduled.jobs), ['night', 'docs']);
  t.like(scheduled.jobs[1], { when: 'manual', allow_failure: false });
  const pushed = await dry('push');
  t.deepEqual(names(pushed.jobs), ['docs']);
  t.like(pushed.excluded[0], { name: 'night', why: 'No rule matched.' });
  t.like(pushed.excluded[0].explanation[0], { index: 0, result: 'no_match' });
  t.deepEqual(pushed.excluded[0].explanation[0].because[0].operands, [{ name: 'CI_PIPELINE_SOURCE', value: 'push' }]);
  const none = await lint(owner, path, 'a:\n  script: x\n  rules:\n    - if: $NEVER\n', { dry_run: true });
  t.deepEqual(none.errors, [
    'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.',
  ]);
  const variables = [{ key: 'NEVER', value: 'yes' }];
  t.true(
    (await lint(owner, path, 'a:\n  script: x\n  rules:\n    - if: $NEVER\n', { dry_run: true, variables })).valid,
  );
  const workflow = 'workflow:\n  rules:\n    - if: $CI_COMMIT_TAG\na:\n  script: x\n';
  t.deepEqual((await lint(owner, path, workflow, { dry_run: true })).errors, [
    'Pipeline filtered out by workflow rules.',
  ]);
});

// Contract: ci-lint.inputs
test('inputs are checked and filled in; a value never becomes a key', async (t) => {
  const { owner, path } = await projectWith({ 'notes.md': 'x' });
  const content =
    'spec:\n  inputs:\n    x:\n    n: {type: number, default: 1}\n---\na:\n  script: echo $[[ inputs.x ]]\n';
  const run = (inputs: object) => lint(owner, path, content, { include_jobs: true, inputs });
  t.deepEqual(
    (await run({ x: '"; rm: me\nb:\n  script: y' })).jobs.map(({ name }: { name: string }) => name),
    ['a'],
  );
  t.deepEqual((await run({})).errors, ['`x` input: required value has not been provided']);
  t.deepEqual((await run({ x: 'a', n: 'abc' })).errors, ['`n` input: provided value is not a number']);
});

test('vector 18: a file that grows when it is read is refused at once, while others are answered', async (t) => {
  const { owner, path } = await projectWith({ 'notes.md': 'x' });
  const levels = 'abcdefghi'.split('').map((name, index, all) => {
    const inside = index === 0 ? 'lol' : `*${all[index - 1]}`;
    return `${name}: &${name} [${Array.from({ length: 9 }, () => inside).join(', ')}]`;
  });
  const [bomb, other] = await Promise.all([
    lint(owner, path, levels.join('\n')),
    owner.get(path.replace('/ci/lint', '')),
  ]);
  t.deepEqual(bomb.errors, ['The parsed YAML is too big']);
  t.is(other.status, 200);
  const patterns = await lint(owner, path, 'a:\n  script: x\n  rules:\n    - if: $V =~ /(a+)+$/\n', {
    dry_run: true,
    variables: [{ key: 'V', value: `${'a'.repeat(10_000)}b` }],
  });
  t.is(patterns.errors.length, 1);
});

// Contract: ci-lint.gitbeaker
test('@gitbeaker/rest checks a text and the configuration of a project', async (t) => {
  const { project } = await projectWith({ [FILE]: 'a:\n  script: x\n  foo: 1\n' });
  const api = new Gitlab({ host: app.url, token: project.owner.token });
  const stored = await api.Lint.check(project.id, { includeJobs: true });
  t.false(stored.valid);
  t.deepEqual(stored.errors, ['jobs:a config contains unknown keys: foo']);
  const text = await api.Lint.lint(project.id, 'a:\n  script: x\n', { dryRun: true, ref: 'main' });
  t.true(text.valid);
  t.true(text.merged_yaml?.includes('script: x'));
});

test('what a configuration includes has 16 MiB at most', async (t) => {
  const { owner, path, project } = await projectWith({ 'notes.md': 'x' });
  const content = `a:\n  script: x\n${`# ${'x'.repeat(98)}\n`.repeat(18_000)}`;
  for (const numbers of [
    [0, 1, 2, 3, 4],
    [5, 6, 7, 8, 9],
  ]) {
    const actions = numbers.map((number) => ({ action: 'create', file_path: `large/${number}.yml`, content }));
    const commit = { branch: 'main', commit_message: 'Large', actions };
    t.is((await owner.post(`/projects/${project.id}/repository/commits`, commit)).status, 201);
  }
  t.deepEqual((await lint(owner, path, 'include: [large/0.yml, large/1.yml]\n')).errors, []);
  const { errors } = await lint(owner, path, "include: 'large/*.yml'\n");
  t.deepEqual(errors, ['The parsed YAML is too big']);
});

test('jobs that share a large script are refused when they are too large to be written out', async (t) => {
  const { owner, path } = await projectWith({ 'notes.md': 'x' });
  const script = `default:\n  before_script: ["${'x'.repeat(500_000)}"]\n`;
  const parallel = `${script}a:\n  script: x\n  parallel: 200\n`;
  for (const dry_run of [false, true])
    t.deepEqual((await lint(owner, path, parallel, { include_jobs: true, dry_run })).errors, [
      'The parsed YAML is too big',
    ]);
  const rule = `  rules: [${Array.from({ length: 150 }, () => "{if: '$A == $B'}").join(', ')}]\n`;
  const rules = `.base:\n${rule}a:\n  extends: .base\n  script: x\n  parallel: 200\nb: {script: x}\n`;
  const variables = [
    { key: 'A', value: 'a'.repeat(1000) },
    { key: 'B', value: 'b'.repeat(1000) },
  ];
  t.deepEqual((await lint(owner, path, rules, { dry_run: true, variables })).errors, ['The parsed YAML is too big']);
});

test('a project without a commit has no files to include or to look for', async (t) => {
  const project = await app.build.project({ empty: true });
  const path = `/projects/${project.id}/ci/lint`;
  const content = "include: 'ci/*.yml'\na:\n  script: x\n  rules:\n    - exists: ['*']\nb: {script: y}\n";
  const body = await lint(app.as(project.owner), path, content, { dry_run: true, include_jobs: true });
  t.deepEqual([body.errors, body.includes, body.jobs.map(({ name }: { name: string }) => name)], [[], [], ['b']]);
  t.deepEqual((await lint(app.as(project.owner), path, 'include: a.yml\n')).errors, [
    'Local file `a.yml` does not exist!',
  ]);
});
