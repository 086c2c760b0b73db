import { runRunnerSuite } from './run-runner-suite.js';
import { startBuiltInRunner } from './runner-process.js';

// A process of its own: starts the service and runners, again and again.
// A long test: jobs of real runners take seconds each.
runRunnerSuite((url, token, concurrency) => startBuiltInRunner(url, token, ['--concurrency', String(concurrency)]), {
  name: 'built-in runner',
});
