import { compileApart } from '../../shared/ci/configuration/compile-thread.js';
import type { CompileRequest } from '../../shared/ci/configuration/compile.types.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import { quantile } from './statistics.js';

const JOBS = 2000;
const ROUNDS = 15;
const WARM_UP = 5;
const GOAL_MS = 300;
/** The longest that the event loop may stand still meanwhile. */
const GOAL_BLOCKED_MS = 20;

/** Jobs in some 400 KB, each of which extends one and refers to another. */
function writeConfiguration(): string {
  const base =
    '.base:\n  before_script: [a, b]\n  rules:\n    - if: $CI_COMMIT_BRANCH\n.steps:\n  script: [one, two]\n';
  const job = (index: number) =>
    `job ${index}:\n  extends: .base\n  stage: test\n  variables: {INDEX: "${index}"}\n  script:\n` +
    `    - !reference [.steps, script]\n    - echo ${index} ${'x'.repeat(80)}\n`;
  return base + Array.from({ length: JOBS }, (_, index) => job(index)).join('');
}

const request: CompileRequest = {
  text: writeConfiguration(),
  location: '.gitlab-ci.yml',
  origin: { project: 'a/b', sha: 'f'.repeat(40) },
  inputs: {},
  ref: 'main',
  isTag: false,
  source: 'push',
  projectPath: 'a/b',
  variables: {},
  predefined: { CI_COMMIT_BRANCH: 'main', CI_PIPELINE_SOURCE: 'push' },
  limits: { needs: 50, pipelineSize: 0 },
  evaluatesRules: true,
  merged: false,
};

const fetchNothing = () => Promise.reject(new Error('Nothing is fetched.'));

/** A configuration of 2,000 jobs, from its text to its jobs on this side of the thread: another file, and one of git. */
export const configurations: Bench = {
  name: 'ci-compile',
  async run(): Promise<Goal[]> {
    const { signal } = new AbortController();
    const times: number[] = [];
    const again: number[] = [];
    let blocked = 0;
    let last = performance.now();
    const watch = setInterval(() => {
      const now = performance.now();
      if (times.length > 0) blocked = Math.max(blocked, now - last);
      last = now;
    }, 1);
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      for (const [blobId, measured] of [
        [null, times],
        ['b'.repeat(40), again],
      ] as const) {
        const began = performance.now();
        const { jobs } = await compileApart({ ...request, blob_id: blobId }, () => fetchNothing, {
          owner: 'bench',
          signal,
        });
        if (jobs.length !== JOBS) throw new Error(`${jobs.length} jobs were compiled.`);
        if (round >= WARM_UP) measured.push(performance.now() - began);
      }
    }
    clearInterval(watch);
    const median = quantile(times, 0.5);
    report(`the same file of git again: p50 ${quantile(again, 0.5).toFixed(0)} ms`);
    report(`${(request.text.length / 1000).toFixed(0)} kB: p90 ${quantile(times, 0.9).toFixed(0)} ms`);
    return [
      {
        name: 'ci-compile',
        target: `p50 <= ${GOAL_MS} ms`,
        measured: `${median.toFixed(0)} ms`,
        holds: median <= GOAL_MS,
      },
      {
        name: 'ci-compile blocks the event loop',
        target: `<= ${GOAL_BLOCKED_MS} ms`,
        measured: `${blocked.toFixed(0)} ms`,
        holds: blocked <= GOAL_BLOCKED_MS,
      },
    ];
  },
};
