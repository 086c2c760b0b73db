import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runRunnerSuite } from '../run-runner-suite.js';
import type { SuiteRunner } from '../run-runner-suite.js';

// A process of its own: starts the service and runners, again and again.

/** A gitlab-runner of this machine (`test/runner/gitlab-runner.mjs` finds or builds it). */
const program = process.env.CAPSTAN_GITLAB_RUNNER ?? '';
const reason = process.env.CAPSTAN_GITLAB_RUNNER_MISSING ?? 'npm run test:runner builds it';

async function startGitlabRunner(url: string, token: string, concurrency: number): Promise<SuiteRunner> {
  const directory = mkdtempSync(path.join(tmpdir(), 'gitlab-runner-'));
  const config = path.join(directory, 'config.toml');
  const env = { PATH: process.env.PATH, HOME: directory, LANG: 'C.UTF-8' };
  const directories = ['--builds-dir', path.join(directory, 'builds'), '--cache-dir', path.join(directory, 'cache')];
  const options = [
    '--non-interactive',
    '--config',
    config,
    '--url',
    url,
    '--token',
    token,
    '--executor',
    'shell',
    ...directories,
  ];
  const { status, stderr } = spawnSync(program, ['register', ...options], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`gitlab-runner register: ${stderr}`);
  const settings = `concurrent = ${concurrency}\ncheck_interval = 1\n`;
  const registered = readFileSync(config, 'utf8').replaceAll(/^(concurrent|check_interval) = .*\n/gm, '');
  writeFileSync(config, settings + registered);
  const child = spawn(program, ['run', '--config', config], { cwd: directory, env, stdio: 'ignore', detached: true });
  const exit = once(child, 'exit');
  return {
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await exit;
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

runRunnerSuite(startGitlabRunner, {
  name: `gitlab-runner ${process.env.CAPSTAN_GITLAB_RUNNER_VERSION ?? ''}`.trim(),
  ...(program === '' ? { unavailable: reason } : {}),
});
