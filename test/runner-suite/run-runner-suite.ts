import test from 'ava';
import type { ExecutionContext } from 'ava';
import { startService } from '../core/processes.js';
import type { StartedService } from '../core/processes.js';
import { must, SuiteProject } from './suite-project.js';

/** A runner that asks a service for jobs. */
export interface SuiteRunner {
  /** Ends it, and resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<unknown>;
}

/** Starts a runner with a token that the service made for it. */
export type StartRunner = (url: string, token: string, concurrency: number) => Promise<SuiteRunner>;

interface SuiteOptions {
  name: string;
  /** Reasons by the name of a test that this runner can't pass. */
  skips?: Record<string, string>;
  /** Why none of it can run here. */
  unavailable?: string;
}

interface Scene {
  project: SuiteProject;
  runner: SuiteRunner;
  token: string;
}

const MASKED = 'a-value-that-nobody-reads';
const PROTECTED = 'a-value-of-protected-branches';

/**
 * What a service and a runner owe each other, as tests: the same for the runner of the service and for any other that
 * speaks the protocol.
 */
export function runRunnerSuite(start: StartRunner, { name, skips = {}, unavailable }: SuiteOptions): void {
  const ends: (() => Promise<void>)[] = [];
  let service: StartedService;

  test.before(async () => {
    if (unavailable === undefined)
      service = await startService({ teardown: (end: () => Promise<void>) => ends.unshift(end) });
  });
  test.after.always(async () => {
    for (const end of ends) await end();
  });

  /** A project of its own with a runner of its own. */
  async function begin(t: ExecutionContext, file: string, concurrency = 2): Promise<Scene> {
    const project = await SuiteProject.make(service, file);
    const token = await project.addRunner();
    const runner = await start(service.url, token, concurrency);
    t.teardown(() => runner.stop('SIGKILL'));
    return { project, runner, token };
  }

  function check(title: string, body: (t: ExecutionContext) => Promise<void>): void {
    test.serial(`${name}: ${title}`, async (t) => {
      const reason = unavailable ?? skips[title];
      if (reason === undefined) return body(t);
      t.log(`skipped: ${reason}`);
      return t.pass();
    });
  }

  check('vector 3: a job of a file runs, the sources are those of its commit, and its log is read', async (t) => {
    const { project } = await begin(t, 'hi: {script: ["echo hi from $CI_JOB_NAME", "cat README.md", "git log -1"]}');
    await project.commit({ 'later.txt': 'later' });
    const pipeline = await project.run();
    const job = await project.end(pipeline, 'hi');
    t.is(job.status, 'success', job.log);
    t.regex(job.log, /\nhi from hi\n/);
    t.regex(job.log, /Add later\.txt/);
    t.regex(job.log, /section_start:\d+:step_script/);
    t.is(await project.endOfPipeline(pipeline), 'success');
    const [runner] = (await must(project.root.get(`/projects/${project.id}/runners`))).body;
    t.is(runner.status, 'online');
  });

  check('a failing script ends its job with the exit code, which allow_failure compares', async (t) => {
    const { project } = await begin(
      t,
      `fails: {script: [exit 7]}\nmay: {script: [exit 137], allow_failure: {exit_codes: 137}}`,
    );
    const pipeline = await project.run();
    const job = await project.end(pipeline, 'fails');
    t.is(job.status, 'failed');
    t.is(job.failure_reason, 'script_failure');
    t.is((await project.end(pipeline, 'may')).status, 'failed');
    t.is(await project.endOfPipeline(pipeline), 'failed');
  });

  check('a log is read while its job runs', async (t) => {
    const { project } = await begin(t, 'slow: {script: [echo begun, "while [ ! -e /tmp/never ]; do sleep 1; done"]}');
    const pipeline = await project.run();
    const job = await project.running(pipeline, 'slow', 'begun');
    t.is(job.status, 'running');
    await must(project.root.post(`/projects/${project.id}/jobs/${job.id}/cancel`));
  });

  check('masked values are not in the log, protected ones only on protected branches, files are files', async (t) => {
    const script = '["echo m=$MASKED_ONE p=$PROTECTED_ONE.", "cat $FILE_ONE", "echo raw=$RAW_ONE"]';
    const { project } = await begin(t, `v: {script: ${script}}`);
    const variables = [
      { key: 'MASKED_ONE', value: MASKED, masked: true },
      { key: 'PROTECTED_ONE', value: PROTECTED, protected: true },
      { key: 'FILE_ONE', value: 'content of a file\n', variable_type: 'file' },
      { key: 'RAW_ONE', value: '$HOME', raw: true },
    ];
    for (const variable of variables) await must(project.root.post(`/projects/${project.id}/variables`, variable));
    await project.commit({ 'work.txt': 'work' }, 'work');
    const inside = await project.end(await project.run('main'), 'v');
    t.is(inside.status, 'success', inside.log);
    t.true(inside.log.includes(`m=[MASKED] p=${PROTECTED}.`), inside.log);
    for (const line of ['content of a file', 'raw=$HOME']) t.true(inside.log.includes(`\n${line}\n`), inside.log);
    const outside = await project.end(await project.run('work'), 'v');
    t.true(outside.log.includes('m=[MASKED] p=.'), outside.log);
    t.false(outside.log.includes(MASKED) || outside.log.includes(PROTECTED));
  });

  check('the token of a job is neither in its log nor in the configuration of its sources', async (t) => {
    const { project } = await begin(
      t,
      'look: {script: ["echo token $CI_JOB_TOKEN", "cat .git/config", "ps axww || :"]}',
    );
    const { log, status } = await project.end(await project.run(), 'look');
    t.is(status, 'success', log);
    t.true(log.includes('\ntoken [MASKED]\n'), log);
    t.notRegex(log, /glcbt-\w/);
    t.notRegex(log, /gitlab-ci-token:(?!\[MASKED\])/);
  });

  check('vector 52: a job canceled while it runs still runs after_script', async (t) => {
    const { project } = await begin(
      t,
      'long: {script: [echo begun, sleep 600], after_script: ["echo after $CI_JOB_STATUS"]}',
    );
    const pipeline = await project.run();
    const job = await project.running(pipeline, 'long', 'begun');
    const { body } = await must(project.root.post(`/projects/${project.id}/jobs/${job.id}/cancel`));
    t.is(body.status, 'canceling');
    const { status, log } = await project.end(pipeline, 'long');
    t.is(status, 'canceled');
    t.true(log.includes('\nafter canceled\n'), log);
  });

  check('a job that fails is tried again as often as its file says, and by hand', async (t) => {
    const { project } = await begin(t, 'flaky: {script: [exit 1], retry: 1}');
    const pipeline = await project.run();
    await project.job(pipeline, 'flaky', async ({ status }) => {
      const all = await project.jobs(pipeline, '?include_retried=true');
      return status === 'failed' && all.length === 2;
    });
    const [job] = await project.jobs(pipeline);
    await must(project.root.post(`/projects/${project.id}/jobs/${job?.id}/retry`));
    await project.job(pipeline, 'flaky', ({ id, status }) => id !== job?.id && status === 'failed');
    t.is((await project.jobs(pipeline, '?include_retried=true')).length, 3);
  });

  check('a script over its time fails as that', async (t) => {
    const { project } = await begin(t, 'slow: {script: [sleep 600], variables: {RUNNER_SCRIPT_TIMEOUT: 2s}}');
    const job = await project.end(await project.run(), 'slow');
    t.is(job.status, 'failed', job.log);
    t.is(job.failure_reason, 'job_execution_timeout');
  });

  check('vector 43: two runners take every job once', async (t) => {
    const { project, token } = await begin(t, 'n: {parallel: 12, script: [echo one]}', 4);
    const second = await start(service.url, token, 4);
    t.teardown(() => second.stop('SIGKILL'));
    const pipeline = await project.run();
    for (let n = 1; n <= 12; n += 1) t.is((await project.end(pipeline, `n ${n}/12`)).status, 'success');
    t.is((await project.jobs(pipeline, '?include_retried=true')).length, 12);
  });

  check('vector 59: of two pipelines with a resource group the second waits, then runs', async (t) => {
    const { project } = await begin(t, 'deploy: {resource_group: one, script: [echo begun, sleep 3]}');
    const first = await project.run();
    await project.running(first, 'deploy', 'begun');
    const second = await project.run();
    await project.job(second, 'deploy', ({ status }) => status === 'waiting_for_resource');
    t.is((await project.end(first, 'deploy')).status, 'success');
    t.is((await project.end(second, 'deploy')).status, 'success');
  });

  check('a killed runner leaves its job to the service, and the next runner goes on with what waits', async (t) => {
    const { project, runner, token } = await begin(
      t,
      'long: {script: [echo begun, sleep 600]}\nnext: {script: [echo next]}',
      1,
    );
    const pipeline = await project.run();
    const job = await project.running(pipeline, 'long', 'begun');
    await runner.stop('SIGKILL');
    const second = await start(service.url, token, 1);
    t.teardown(() => second.stop('SIGKILL'));
    t.is((await project.end(pipeline, 'next')).status, 'success');
    t.is((await project.jobs(pipeline)).find(({ id }) => id === job.id)?.status, 'running');
    await must(project.root.post(`/projects/${project.id}/jobs/${job.id}/cancel`));
  });

  check('artifacts of a job', async (t) => {
    t.log('skipped: the service keeps no artifacts yet');
    t.pass();
  });
}
