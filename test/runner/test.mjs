import { existsSync } from 'node:fs';
import path from 'node:path';

import { runEntry } from '#launch/start.mjs';
import { checkout, inCheckout, projectNode } from '#launch/runtime.mjs';
import { runStep } from '#launch/steps.mjs';
import { prepareDevelopment } from './prepare.mjs';
import { environmentWithoutSettings, throwaway, withScratchPostgres } from './scratch-postgres.mjs';
import { dealOut, dealOutTests } from './test-files.mjs';
import { readReport } from './test-report.mjs';
import { TestWatch } from './test-watch.mjs';

/*
 * npm test [-- files]: installs, builds, and runs the tests against a PostgreSQL of their own; `--suite=NAME` runs a
 * suite that takes long instead. The last line is `N passed, M failed`.
 */

const suiteOption = '--suite=';
/** @typedef {{ code: number, passed: number, failed: number, troubles: string[] }} Result */
const nothingRan = { passed: 0, failed: 1, troubles: [] };

await runEntry(async () => {
  /** @type {Result} */
  let result = { code: 1, ...nothingRan };
  try {
    await prepareDevelopment();
    result = await withScratchPostgres(throwaway, ({ url, directory }) => runTests(url, directory));
  } finally {
    // Repeated because it is easily overlooked in the middle of a run.
    if (result.troubles.length > 0) console.log(['What went wrong beside the tests:', ...result.troubles].join('\n'));
    console.log(`${result.passed} passed, ${result.failed} failed`);
  }
  return result.code;
});

/** @param {string} url @param {string} directory @returns {Promise<Result>} */
async function runTests(url, directory) {
  const env = {
    ...environmentWithoutSettings(),
    NODE_ENV: 'test',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? inCheckout('node_modules', '.cache', 'compile'),
    CAPSTAN_TEST_DATABASE_URL: url,
    CAPSTAN_TEST_DIRECTORY: directory,
    CAPSTAN_TEST_JOURNAL: path.join(directory, 'journal'),
  };
  const node = projectNode();
  const preparation = inCheckout('dist', 'test', 'core', 'prepare.js');
  if (existsSync(preparation)) {
    const code = await runStep(node, ['--enable-source-maps', preparation], { cwd: checkout, env });
    if (code !== 0) return { code, ...nothingRan };
  }
  const watch = new TestWatch(env.CAPSTAN_TEST_JOURNAL);
  try {
    const result = await runAva(node, env, watch);
    watch.close();
    return { ...result, troubles: [...watch.troubles, ...result.troubles] };
  } finally {
    watch.close();
  }
}

/** @param {string} node @param {NodeJS.ProcessEnv} env @param {TestWatch} watch */
async function runAva(node, env, watch) {
  const suite = process.argv.find((argument) => argument.startsWith(suiteOption))?.slice(suiteOption.length) ?? null;
  const chosen = process.argv
    .slice(2)
    .filter((argument) => !argument.startsWith(suiteOption))
    .map(compiled);
  const together = { ...env, CAPSTAN_TESTS_TOGETHER: '1' };
  let result = await (chosen.length > 0 ? ava(node, chosen, env) : ava(node, dealOutTests(suite), together));
  // The remaining tests of a process that hung are assigned again, without the file that hung.
  while (watch.lost.length > 0) {
    const next = await ava(node, dealOut(watch.lost.splice(0)), together);
    result = added(result, next);
  }
  const failed = result.failed + watch.failed;
  return { ...result, failed: result.code === 0 ? failed : Math.max(failed, 1) };
}

/** @param {Result} one @param {Result} other */
function added(one, other) {
  return {
    code: one.code || other.code,
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    troubles: [...one.troubles, ...other.troubles],
  };
}

/** @param {string} node @param {string[]} args @param {NodeJS.ProcessEnv} env @returns {Promise<Result>} */
async function ava(node, args, env) {
  const report = readReport((text) => process.stdout.write(text));
  const color = process.stdout.isTTY ? ['--color'] : [];
  const code = await runStep(node, [inCheckout('node_modules', 'ava', 'entrypoints', 'cli.js'), ...color, ...args], {
    cwd: checkout,
    env,
    stdio: ['inherit', 'pipe', 'inherit'],
    onStart: (child) => child.stdout?.on('data', report.take),
  });
  const { passed, failed, troubles } = report.end();
  if (code !== 0) return { code, passed, failed, troubles };
  return passed === 0 ? { code: 1, passed: 0, failed: 1, troubles } : { code, passed, failed, troubles };
}

/** `test/x.test.ts` means its compiled file, which is what runs. */
/** @param {string} argument */
function compiled(argument) {
  return /^(\.\/)?test\/.*\.ts$/.test(argument)
    ? `dist/${argument.replace(/^\.\//, '').replace(/\.ts$/, '.js')}`
    : argument;
}
