import { rename } from 'node:fs/promises';
import test from 'ava';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { buildJobPayload } from '../../../shared/ci/runner-protocol/job-payload.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { queryOne } from '../../core/query-one.js';
import { createVariable } from '../variables/variable-owners.js';
import { payloadSchema } from './payload-schema.js';
import { handOutJob, protocolSteps } from './protocol-steps.js';
import type { JobOptions, TestJob } from './protocol-steps.js';

const app = useApp(test);
const steps = protocolSteps(app);

type Project = Awaited<ReturnType<typeof app.build.project>>;

interface PayloadOptions extends JobOptions {
  /** What is stored for the job before a runner gets it. */
  prepare?: (job: TestJob) => RawBuilder<unknown>[];
}

/** What a runner is sent with a job, as it arrives there. */
async function getPayload(project: Project, { prepare, ...options }: PayloadOptions = {}) {
  const runner = await steps.createRunner();
  const job = await steps.createJob(project, options);
  for (const statement of prepare?.(job) ?? []) await app.context().query(statement);
  const claim = await handOutJob(app, runner);
  const payload = payloadSchema.parse(JSON.parse(JSON.stringify(await buildJobPayload(app.context(), claim))));
  const values = Object.fromEntries(payload.variables.map(({ key, value }) => [key, value]));
  return { payload, claim, values, variable: (key: string) => payload.variables.find((one) => one.key === key) };
}

// Contract: ci-runner-protocol.payload
test.serial('a payload has the types that runners decode, whatever the job consists of', async (t) => {
  const project = await app.build.project();
  await getPayload(project);
  const { payload } = await getPayload(project, {
    definition: {
      name: 'build it 1/2',
      before_script: ['one'],
      script: ['two', 'three'],
      after_script: ['four'],
      hooks: { pre_get_sources_script: ['zero'] },
      image: {
        name: 'node:$VERSION',
        entrypoint: [''],
        pull_policy: ['always'],
        docker: { platform: 'linux/arm64', user: '1000' },
        kubernetes: { user: '1000' },
      },
      services: [
        {
          name: 'postgres:16',
          alias: 'db',
          command: ['postgres', '-c', 'fsync=off'],
          variables: { POSTGRES_PASSWORD: { value: '$SECRET', expand: true } },
        },
        { name: 'redis' },
      ],
      cache: [
        {
          key: 'mine',
          paths: ['node_modules/'],
          untracked: true,
          policy: 'pull',
          when: 'always',
          unprotect: false,
          fallback_keys: ['older'],
        },
      ],
      node: { index: 1, total: 2 },
    },
  });
  t.deepEqual(payload.steps, [
    { name: 'script', script: ['one', 'two', 'three'], timeout: 3600, when: 'on_success', allow_failure: false },
    { name: 'after_script', script: ['four'], timeout: 3600, when: 'always', allow_failure: true },
  ]);
  t.deepEqual(payload.hooks, [{ name: 'pre_get_sources_script', script: ['zero'] }]);
  t.deepEqual(payload.image, {
    name: 'node:$VERSION',
    entrypoint: [''],
    pull_policy: ['always'],
    executor_opts: { docker: { platform: 'linux/arm64', user: '1000' }, kubernetes: { user: '1000' } },
  });
  t.like(payload.services[0], { name: 'postgres:16', alias: 'db', executor_opts: {} });
  t.like(payload.services[0]?.variables?.[0], { key: 'POSTGRES_PASSWORD', value: '$SECRET', raw: false });
  t.like(payload.cache[0], { key: 'mine-non_protected', policy: 'pull', fallback_keys: ['older-non_protected'] });
  t.like(payload.job_info, { name: 'build it 1/2', stage: 'test', project_id: project.id, user_id: project.owner.id });
  t.is(payload.features.token_mask_prefixes[0], 'cjt-');
});

// Contract: ci-runner-protocol.git-info
test.serial('what is fetched follows GIT_DEPTH, then the depth of the project; a tag is fetched as one', async (t) => {
  const project = await app.build.project();
  const { payload, claim } = await getPayload(project);
  const hidden = `+refs/pipelines/${claim.pipeline_id}:refs/pipelines/${claim.pipeline_id}`;
  t.like(payload.git_info, { depth: 20, ref: 'main', ref_type: 'branch', protected: false });
  t.deepEqual(payload.git_info.refspecs, [hidden, '+refs/heads/main:refs/remotes/origin/main']);
  t.is(payload.git_info.repo_url, `http://gitlab-ci-token:${claim.token}@capstan.test/${project.full_path}.git`);
  t.true(payload.allow_git_fetch);

  const depth = (value: string) => ({ definition: { variables: { GIT_DEPTH: { value, expand: true } } } });
  const whole = await getPayload(project, depth('0'));
  t.is(whole.payload.git_info.depth, 0);
  t.deepEqual(whole.payload.git_info.refspecs.slice(1), [
    '+refs/heads/*:refs/remotes/origin/*',
    '+refs/tags/*:refs/tags/*',
  ]);
  t.is((await getPayload(project, depth('3'))).payload.git_info.depth, 3);

  const changed = { ci_default_git_depth: 7, build_git_strategy: 'clone', ci_separated_caches: false };
  t.is((await app.as(project.owner).put(`/projects/${project.id}`, changed)).status, 200);
  const cache = [
    {
      key: { files: ['README.md', 'absent'], prefix: 'p' },
      paths: ['x'],
      untracked: false,
      policy: 'pull-push',
      when: 'on_success' as const,
      unprotect: false,
      fallback_keys: [],
    },
  ];
  const tag = await getPayload(project, { ref: 'v1', tag: true, isProtected: true, definition: { cache } });
  t.like(tag.payload.git_info, { depth: 7, ref: 'v1', ref_type: 'tag', protected: true });
  t.deepEqual(tag.payload.git_info.refspecs.slice(1), ['+refs/tags/v1:refs/tags/v1']);
  t.false(tag.payload.allow_git_fetch);
  t.regex(tag.payload.cache[0]!.key, /^p-[\da-f]{40}$/);
  t.like(tag.values, { CI_COMMIT_TAG: 'v1', CI_COMMIT_REF_PROTECTED: 'true' });
});

// Contract: ci-runner-protocol.payload
test.serial('git is asked once for what the jobs of a commit have in common', async (t) => {
  const project = await app.build.project();
  const cache = [
    {
      key: { files: ['README.md'] },
      paths: ['x'],
      untracked: false,
      policy: 'pull-push',
      when: 'on_success' as const,
      unprotect: false,
      fallback_keys: [],
    },
  ];
  const runner = await steps.createRunner();
  for (const _ of [1, 2]) await steps.createJob(project, { definition: { cache } });
  const build = async () => buildJobPayload(app.context(), await handOutJob(app, runner));
  const first = await build();
  const path = getRepositoryPath(app.context(), project);
  await rename(path, `${path}.away`);
  const second = await build();
  await rename(`${path}.away`, path);
  t.not(second.id, first.id);
  t.regex(second.cache[0]!.key, /^[\da-f]{40}-non_protected$/);
  t.deepEqual(second.cache, first.cache);
});

// Contract: ci-runner-protocol.variables
test.serial('predefined variables tell of the job, its pipeline, its project, its runner and its user', async (t) => {
  const project = await app.build.project({ name: 'Some Thing' });
  const { values, variable, claim, payload } = await getPayload(project, {
    definition: { image: { name: 'alpine' }, environment: { name: 'review/A b', action: 'start', url: 'http://$X' } },
  });
  const pipeline = await queryOne<{ iid: string }>(
    app.context(),
    sql`select p.iid::text as "iid" from pipelines p where p.id = ${claim.pipeline_id}`,
  );
  t.like(values, {
    CI: 'true',
    CI_JOB_ID: String(claim.job_id),
    CI_JOB_NAME: 'hi',
    CI_JOB_STAGE: 'test',
    CI_JOB_TIMEOUT: '3600',
    CI_JOB_IMAGE: 'alpine',
    CI_JOB_URL: `http://capstan.test/${project.full_path}/-/jobs/${claim.job_id}`,
    CI_NODE_TOTAL: '1',
    CI_PIPELINE_ID: String(claim.pipeline_id),
    CI_PIPELINE_IID: pipeline?.iid,
    CI_PIPELINE_SOURCE: 'push',
    CI_PIPELINE_URL: `http://capstan.test/${project.full_path}/-/pipelines/${claim.pipeline_id}`,
    CI_COMMIT_BRANCH: 'main',
    CI_COMMIT_SHA: payload.git_info.sha,
    CI_DEFAULT_BRANCH: 'main',
    CI_PROJECT_PATH: project.full_path,
    CI_RUNNER_DESCRIPTION: 'of tests',
    CI_RUNNER_TAGS: '[]',
    CI_SERVER_HOST: 'capstan.test',
    GITLAB_USER_LOGIN: project.owner.username,
    GITLAB_USER_EMAIL: `${project.owner.username}@example.com`,
    CI_ENVIRONMENT_NAME: 'review/A b',
    CI_ENVIRONMENT_ACTION: 'start',
  });
  t.regex(values.CI_ENVIRONMENT_SLUG ?? '', /^review-a-b-[a-z\d]{6}$/);
  t.like(variable('CI_JOB_TOKEN'), { value: claim.token, public: false, masked: true });
  t.like(variable('CI_REPOSITORY_URL'), { value: payload.git_info.repo_url, public: false });
  t.like(variable('CI_ENVIRONMENT_URL'), { value: 'http://$X', raw: false });
  t.is(new Set(payload.variables.map(({ key }) => key)).size, payload.variables.length);
});

const OWN = (client: ReturnType<typeof app.as>, path: string) => ({ client, path });

// Contract: ci-runner-protocol.variables
test.serial('vectors 36, 37, 38 and 40: which value of a variable a job receives, and in what way', async (t) => {
  const project = await app.build.project();
  const owner = OWN(app.as(project.owner), `/projects/${project.id}/variables`);
  const definition = {
    global_variables: { K: { value: 'global', expand: true }, G: { value: 'global', expand: true } },
    variables: { K: { value: 'job', expand: true }, J: { value: 'job $G', expand: true } },
  };
  const before = await getPayload(project, { definition });
  t.like(before.values, { K: 'job', G: 'global', J: 'job $G' });
  t.like(before.variable('J'), { raw: false, public: true });

  await createVariable(owner, { key: 'K', value: 'of-the-project', masked: true });
  await createVariable(owner, { key: 'P', value: 'protected-one', protected: true });
  await createVariable(owner, { key: 'RAW', value: '$HOME', raw: true });
  await createVariable(owner, { key: 'FILE', value: 'text', variable_type: 'file' });
  await createVariable(owner, { key: 'E', value: 'any-review', environment_scope: 'review/*' });
  await createVariable(owner, { key: 'E', value: 'one-review', environment_scope: 'review/a' });
  const { variable } = await getPayload(project, { definition });
  t.like(variable('K'), { value: 'of-the-project', masked: true, public: false, raw: false });
  t.like(variable('RAW'), { value: '$HOME', raw: true });
  t.like(variable('FILE'), { value: 'text', file: true });
  t.is(variable('P'), undefined);
  t.is(variable('E'), undefined);

  const environment = { name: 'review/a', action: 'start' as const };
  const inReview = await getPayload(project, { isProtected: true, definition: { ...definition, environment } });
  t.like(inReview.values, { E: 'one-review', P: 'protected-one' });

  // Of the pipeline itself, and above all of whoever started the job by hand.
  const sealed = (binding: string, value: string) => app.services.keys.encrypt(value, binding);
  const started = await getPayload(project, {
    definition,
    prepare: ({ id, pipeline_id: pipelineId }) => [
      sql`insert into pipeline_variables (project_id, pipeline_id, key, value, variable_type, raw) values
        (${project.id}, ${pipelineId}, 'K', ${sealed(`pipeline_variables:${pipelineId}:K`, 'scheduled')}, 'env_var', false),
        (${project.id}, ${pipelineId}, 'M', ${sealed(`pipeline_variables:${pipelineId}:M`, 'scheduled')}, 'file', true)`,
      sql`insert into job_variables (project_id, job_id, key, value)
        values (${project.id}, ${id}, 'M', ${sealed(`job_variables:${id}:M`, 'by hand')})`,
    ],
  });
  t.like(started.variable('K'), { value: 'scheduled', public: false, raw: false });
  t.like(started.variable('M'), { value: 'by hand', file: false });
});
