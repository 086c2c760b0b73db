// What runs several files in one process is written for a run of all tests only (test/runner/test-files.mjs).
const together = process.env.CAPSTAN_TESTS_TOGETHER === '1';
// `npm test` ends by itself what hangs (test/runner/test-watch.mjs), and knows how busy the machine is.
const watched = process.env.CAPSTAN_TEST_JOURNAL !== undefined;

export default {
  files: ['dist/test/**/*.test.js', ...(together ? [] : ['!dist/test/together/**'])],
  // Each file has a database of its own, and by itself a process of its own.
  workerThreads: false,
  concurrency: 2,
  timeout: watched ? 0 : '4m',
  environmentVariables: { NODE_ENV: 'test' },
  nodeArguments: ['--enable-source-maps'],
  // Tells `npm test` how far each process is.
  require: ['./dist/test/core/one-process/journal.js'],
};
