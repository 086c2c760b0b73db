export default {
  files: ['dist/test/**/*.test.js'],
  // Each file has a process and a database of its own.
  workerThreads: false,
  concurrency: 2,
  timeout: '2m',
  environmentVariables: { NODE_ENV: 'test' },
  nodeArguments: ['--enable-source-maps'],
};
