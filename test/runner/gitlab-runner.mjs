import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

import { ensureDirectory } from '#launch/files.mjs';
import { runEntry } from '#launch/start.mjs';
import { inCheckout } from '#launch/runtime.mjs';
import { runStep } from '#launch/steps.mjs';

/*
 * npm run test:runner [-- 17|18|19]: the suite of runners with unmodified gitlab-runners, one of each major version. They are built
 * where Go and its module proxy are there, and kept in the user's cache; elsewhere their tests are shown as skipped. With
 * GITLAB_RUNNER, the paths of programs separated by colons, those are used instead.
 */

const MODULE = 'gitlab.com/gitlab-org/gitlab-runner';
/** Its tags are no versions of Go modules: each has one of these instead. */
const VERSIONS = [
  { version: '17.2.0', at: 'v1.11.1-0.20240718134825-6428c2882da6' },
  { version: '18.5.0', at: 'v1.11.1-0.20251013192030-bda84871762d' },
  { version: '19.4.0', at: 'v1.11.1-0.20260903214710-fc1f1862bd91' },
];
const BUILD_MS = 45 * 60_000;
const cache = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'capstan', 'gitlab-runner');

/** @typedef {{ version: string, program: string } | { version: string, missing: string }} Found */

/** @param {string} program @returns {Found} */
function inspect(program) {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const version = /^Version:\s*(\S+)/m.exec(stdout ?? '')?.[1];
  return version ? { version, program } : { version: program, missing: `${program} is no gitlab-runner` };
}

/** Where Go keeps settings and what it fetches: nothing is written to the home folder. @param {string} directory */
function goEnvironment(directory) {
  const settings = path.join(process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'go', 'env');
  return {
    ...process.env,
    HOME: directory,
    XDG_CONFIG_HOME: directory,
    GOENV: process.env.GOENV ?? (existsSync(settings) ? settings : 'off'),
    GOPATH: path.join(cache, 'go'),
    GOCACHE: path.join(cache, 'go-build'),
    GOFLAGS: `${process.env.GOFLAGS ?? ''} -modcacherw`.trim(),
  };
}

/** @param {{ version: string, at: string }} source @returns {Found} */
function build({ version, at }) {
  const program = path.join(cache, `gitlab-runner-${version}`);
  if (existsSync(program)) return { version, program };
  ensureDirectory(cache, 0o700);
  // A module of its own, that only requires it: what its own go.mod replaces lies outside of a downloaded module.
  const directory = mkdtempSync(path.join(tmpdir(), 'gitlab-runner-build-'));
  const flags = `-s -w -X ${MODULE}/common.VERSION=${version}`;
  const steps = [
    ['mod', 'init', 'build'],
    ['get', `${MODULE}@${at}`],
    ['build', '-mod=mod', '-ldflags', flags, '-o', program, MODULE],
  ];
  try {
    const env = goEnvironment(path.join(directory, 'home'));
    if (spawnSync('go', ['version'], { env }).status !== 0) return { version, missing: 'Go is not installed' };
    console.log(`Building gitlab-runner ${version} ...`);
    for (const step of steps) {
      const { status, stderr } = spawnSync('go', step, { cwd: directory, env, encoding: 'utf8', timeout: BUILD_MS });
      if (status === 0) continue;
      const problem = stderr.split('\n').find((line) => /:.*(\d{3} |error|not)/i.test(line)) ?? `go ${step[0]} failed`;
      return { version, missing: `it can't be built here (${problem.trim()})` };
    }
    return { version, program };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

await runEntry(async () => {
  const chosen = process.argv.slice(2);
  const programs = (process.env.GITLAB_RUNNER ?? '').split(':').filter(Boolean);
  const versions = VERSIONS.filter(
    ({ version }) => chosen.length === 0 || chosen.includes(version.split('.')[0] ?? ''),
  );
  if (programs.length === 0 && versions.length === 0)
    throw new Error(`${chosen.join(' ')}: there is ${VERSIONS.map(({ version }) => version).join(', ')}.`);
  let result = 0;
  for (const found of programs.length > 0 ? programs.map(inspect) : versions.map(build)) {
    const missing = 'missing' in found ? found.missing : '';
    if (missing) console.log(`gitlab-runner ${found.version}: ${missing}: its tests are skipped.`);
    const env = {
      ...process.env,
      CAPSTAN_GITLAB_RUNNER: 'program' in found ? found.program : '',
      CAPSTAN_GITLAB_RUNNER_MISSING: missing,
      CAPSTAN_GITLAB_RUNNER_VERSION: found.version,
    };
    const tests = [inCheckout('test', 'runner', 'test.mjs'), '--suite=runner'];
    result = (await runStep(process.execPath, tests, { env })) || result;
  }
  return result;
});
