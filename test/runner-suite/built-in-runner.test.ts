import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { startBuiltInRunner } from './runner-process.js';
import type { RunnerProcess } from './runner-process.js';
import { ScriptedService, variable } from './scripted-service.js';

const SECRET = 'a-secret-of-the-project';

let service: ScriptedService;
let runner: RunnerProcess;
let hidden: string;

test.before(async () => {
  service = await ScriptedService.start();
  hidden = mkdtempSync(path.join(tmpdir(), 'hidden-'));
  writeFileSync(path.join(hidden, 'key'), 'the key');
  runner = await startBuiltInRunner(service.url, service.token, ['--concurrency', '4', '--hide', hidden]);
});

test.after.always(async () => {
  await runner.stop('SIGTERM');
  await service.stop();
  rmSync(hidden, { recursive: true, force: true });
});

/** A service with a runner of its own, which runs one job at a time. */
async function startOwn(t: ExecutionContext, options: string[] = []): Promise<ScriptedService> {
  const own = await ScriptedService.start();
  const single = await startBuiltInRunner(own.url, own.token, ['--concurrency', '1', ...options]);
  t.teardown(async () => {
    await single.stop();
    await own.stop();
  });
  return own;
}

test('a script runs, its commands are told in the log, and the end is reported with the checksum of the log', async (t) => {
  const end = await service.end(service.offer(['echo "out $((1 + 1))"', 'echo two >&2\necho three']));
  t.like(end, { state: 'success' });
  t.regex(end.log, /\$ echo "out \$\(\(1 \+ 1\)\)"\S*\nout 2\n/);
  t.regex(end.log, /two\nthree|three\ntwo/);
  t.regex(end.log, /section_start:\d+:step_script\r/);
  t.regex(end.log, /section_end:\d+:step_script\r/);
});

test('a job is acknowledged before its script runs', async (t) => {
  const id = service.offer(['while [ ! -e go ]; do sleep 0.1; done'], { steps: [] });
  t.true((await service.until(id, ({ isAcknowledged }) => isAcknowledged)).isAcknowledged);
  await service.end(id);
});

test('the first failing command ends a script; the exit code is reported, and after_script sees the status', async (t) => {
  const steps = [
    { name: 'script', script: ['false | true', 'echo not reached'], when: 'on_success' },
    { name: 'after_script', script: ['echo "status $CI_JOB_STATUS"', 'exit 3'], when: 'always', allow_failure: true },
  ];
  const end = await service.end(service.offer([], { steps }));
  t.like(end, { state: 'failed', failure_reason: 'script_failure', exit_code: 1 });
  t.notRegex(end.log, /\nnot reached/);
  t.regex(end.log, /\nstatus failed/);
});

test('variables: later ones win, they name each other, raw ones do not, files are written, circles stay', async (t) => {
  const variables = [
    variable('A', 'low'),
    variable('A', 'high'),
    variable('B', '$A and ${A}, $$A, ${MISSING}.'),
    variable('RAW', '$A', { raw: true }),
    variable('FILE', 'content\n', { file: true }),
    variable('NAMES_FILE', '$FILE'),
    variable('ONE', '$TWO'),
    variable('TWO', '$ONE'),
    variable('QUOTES', `it's "$(id)"`, { raw: true }),
  ];
  const script = ['printf "%s\\n" "$B" "$RAW" "$QUOTES" "$ONE"', 'cat "$NAMES_FILE"', 'stat -c "mode %a" "$FILE"'];
  const { log } = await service.end(service.offer(script, { variables }));
  for (const line of ['high and high, $A, .', '$A', `it's "$(id)"`, '$ONE', 'content', 'mode 600'])
    t.true(log.includes(`\n${line}\n`), `${line} in ${log}`);
});

test('masked values and what follows the prefix of a token are not in the log, however the output is cut', async (t) => {
  const variables = [variable('S', SECRET, { masked: true }), variable('L', `${SECRET}-and-more`, { masked: true })];
  const half = SECRET.slice(0, 9);
  const script = [
    `printf '${half}'; sleep 0.8; printf '${SECRET.slice(9)}\\n'`,
    'echo "[$L]"; echo glpat-abcdefgh.12345; echo "half: a-secret"',
  ];
  const { log } = await service.end(service.offer(script, { variables }));
  t.false(log.includes(SECRET));
  t.false(log.includes('abcdefgh'));
  t.true(log.includes('\n[MASKED]\n'));
  t.true(log.includes('\n[[MASKED]]\n'));
  t.true(log.includes('\nglpat-[MASKED]\n'));
  t.true(log.includes('\nhalf: a-secret\n'));
});

test('a job sees neither hidden directories nor the processes of the machine, and can write to its own directories', async (t) => {
  const script = [
    `ls -A '${hidden}' 2>&1 | head -1 || :; test ! -e '${hidden}/key' && echo hidden`,
    'ls -A /run 2>/dev/null | grep -v systemd || echo empty run',
    `test ! -e /proc/${process.pid}/environ && echo alone`,
    'echo a > /tmp/a && echo b > ~/b && echo c > c && umask && id -u',
  ];
  const end = await service.end(service.offer(script));
  t.is(end.state, 'success', end.log);
  for (const line of ['hidden', 'alone', '0077']) t.true(end.log.includes(`\n${line}\n`), end.log);
  if (process.getuid?.() === 0) t.true(end.log.includes('\n65531\n'));
  t.false(end.log.includes('the key'));
});

test('a job can write nowhere else, shares no memory with the machine, and sees no builds of others', async (t) => {
  const script = [
    'for at in /var/tmp "$PROGRAM"; do ! touch "$at/by-a-job" 2>/dev/null || echo "wrote to $at"; done',
    'echo "shared: $(ls -A /dev/shm)."; echo kept > /dev/shm/of-a-job',
    'echo "builds: $(ls "$CI_BUILDS_DIR/../.."), $(ls "$CI_BUILDS_DIR/.." | wc -l)."',
  ];
  const variables = [variable('PROGRAM', path.resolve('dist', 'shared', 'runner'))];
  const { state, log } = await service.end(service.offer(script, { variables }));
  t.is(state, 'success', log);
  t.notRegex(log, /\nwrote to /);
  t.regex(log, /\nshared: \.\n/);
  t.regex(log, /\nbuilds: builds, 1\.\n/);
  t.false(existsSync('/dev/shm/of-a-job'));
});

test('what a job leaves where the runner writes its next script is replaced, not followed', async (t) => {
  const builds = mkdtempSync(path.join(tmpdir(), 'builds-'));
  t.teardown(() => rmSync(builds, { recursive: true, force: true }));
  const own = await startOwn(t, ['--builds-dir', builds]);
  // Any file that the runner may write to, which the job cannot.
  const target = path.join(builds, 'target');
  const steps = [
    { name: 'script', script: [`ln -s '${target}' "$CI_PROJECT_DIR.tmp/script-2"`], when: 'on_success' },
    { name: 'after_script', script: ['echo "after: $(stat -c %F "$0")"'], when: 'always', allow_failure: true },
  ];
  const { log } = await own.end(own.offer([], { steps }));
  t.true(log.includes('\nafter: regular file\n'), log);
  t.false(existsSync(target));
});

test('file variables may have any name, and what a job made readable only is no problem for the next', async (t) => {
  const own = await startOwn(t);
  const variables = [variable('tmp', 'one', { file: true }), variable('home', 'two', { file: true })];
  const script = ['cat "$tmp" "$home"; echo', 'mkdir -p ~/cache && touch ~/cache/module && chmod 500 ~/cache'];
  for (const round of ['first', 'second']) {
    const { state, log } = await own.end(own.offer(script, { variables }));
    t.is(state, 'success', `${round}: ${log}`);
    t.true(log.includes('\nonetwo\n'), log);
  }
});

test('a job gets the work tree neither of another project at its path nor of unprotected refs', async (t) => {
  const own = await startOwn(t);
  const job_info = { name: 'job', stage: 'test', project_name: 'p', project_full_path: 'group/p' };
  const first = await own.end(own.offer(['echo secret > left'], { job_info: { ...job_info, project_id: 8 } }));
  t.is(first.state, 'success', first.log);
  const git_info = { repo_url: `${own.url}/group/p.git`, ref: 'main', sha: '0'.repeat(40), protected: true };
  for (const other of [
    { job_info: { ...job_info, project_id: 9 } },
    { job_info: { ...job_info, project_id: 8 }, git_info },
  ]) {
    const next = await own.end(own.offer(['test ! -e left'], other));
    t.is(next.state, 'success', next.log);
  }
});

test('after a cancel the script ends, after_script runs and sees it', async (t) => {
  const steps = [
    { name: 'script', script: ['echo begun', 'sleep 600'], when: 'on_success' },
    { name: 'after_script', script: ['echo "status $CI_JOB_STATUS"'], when: 'always', allow_failure: true },
  ];
  const id = service.offer([], { steps });
  const job = await service.until(id, ({ log }) => log.includes('\nbegun\n'));
  job.status = 'canceling';
  const end = await service.end(id);
  t.is(end.state, 'failed');
  t.true(end.log.includes('\nstatus canceled\n'));
});

test('a job whose token is over ends at once, and nothing more is reported', async (t) => {
  const id = service.offer(['echo begun', 'touch "$CI_BUILDS_DIR/../ended" || :', 'sleep 600']);
  const job = await service.until(id, ({ log }) => log.includes('\nbegun\n'));
  service.answerOnce(new RegExp(`jobs/${id}$`), 403, { 'job-status': 'canceled' });
  const next = service.offer(['echo next']);
  await service.end(next);
  t.is(job.final, null);
});

test('a script over its own time ends, its whole group of processes with it; after_script still runs', async (t) => {
  const steps = [
    { name: 'script', script: ['sleep 600 & sleep 600'], when: 'on_success' },
    { name: 'after_script', script: ['ps ax | grep -c "[s]leep 600" || :'], when: 'always', allow_failure: true },
  ];
  const variables = [variable('RUNNER_SCRIPT_TIMEOUT', '1s')];
  const end = await service.end(service.offer([], { steps, variables }));
  t.like(end, { state: 'failed', failure_reason: 'job_execution_timeout' });
  t.true(end.log.includes('\n0\n'));
});

test('a job over its time is reported so', async (t) => {
  const end = await service.end(service.offer(['sleep 600'], { runner_info: { timeout: 1 } }));
  t.like(end, { state: 'failed', failure_reason: 'job_execution_timeout' });
});

test('a log that the service lost is sent again from where it ends, and whole after a wrong checksum', async (t) => {
  const id = service.offer(['echo one; sleep 1; echo two']);
  const job = await service.until(id, ({ log }) => log.includes('\none\n'));
  job.log = job.log.subarray(0, 10);
  service.answerOnce(new RegExp(`PUT .*jobs/${id}$`), 503);
  const { log } = await service.end(id);
  t.regex(log, /\none\ntwo\n/);
  t.true(log.startsWith('Running with capstan-runner'));
});

test('services without an engine fail the job with a line that says why; an image only warns', async (t) => {
  const failed = await service.end(service.offer(['echo hi'], { services: [{ name: 'postgres:16' }] }));
  t.like(failed, { state: 'failed', failure_reason: 'runner_configuration_error' });
  t.regex(failed.log, /need a container engine/);
  const warned = await service.end(service.offer(['echo hi'], { image: { name: 'node:22' } }));
  t.is(warned.state, 'success');
  t.regex(warned.log, /the image node:22 is not used/);
});

test('sources that cannot be had fail the job as the system, not as the script', async (t) => {
  const variables = [variable('GIT_STRATEGY', 'clone')];
  const end = await service.end(service.offer(['echo hi'], { variables }));
  t.like(end, { state: 'failed', failure_reason: 'runner_system_failure' });
});

test('a runner that stops lets its jobs end', async (t) => {
  const own = await ScriptedService.start();
  const stopping = await startBuiltInRunner(own.url, own.token);
  const id = own.offer(['echo begun; sleep 1; echo finished']);
  await own.until(id, ({ log }) => log.includes('\nbegun'));
  const exit = stopping.stop();
  const end = await own.end(id);
  t.is(end.state, 'success');
  t.is(await exit, 0);
  await own.stop();
});

test('a token that the service does not know ends the runner', async (t) => {
  const own = await ScriptedService.start();
  own.answerOnce(/verify/, 403);
  const refused = await startBuiltInRunner(own.url, 'glrt-other');
  t.is(await refused.stop('SIGCONT'), 78);
  t.regex(refused.said(), /does not know its token/);
  await own.stop();
});

test('a killed runner leaves no process of its jobs behind', async (t) => {
  const own = await ScriptedService.start();
  const killed = await startBuiltInRunner(own.url, own.token);
  const id = own.offer([`echo begun; exec sleep 6${process.pid}`]);
  await own.until(id, ({ log }) => log.includes('\nbegun'));
  await killed.stop('SIGKILL');
  let left = 'unknown';
  for (let tries = 0; tries < 100 && left !== ''; tries += 1)
    left = spawnSync('pgrep', ['-f', `^sleep 6${process.pid}$`], { encoding: 'utf8' }).stdout;
  t.is(left, '');
  await own.stop();
});
