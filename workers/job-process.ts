import { inspect } from 'node:util';
import { loadConfig } from '../shared/core/values/config.js';
import { databaseWork } from '../shared/core/database/database-work.js';
import { createLogger, flushLogs } from '../shared/core/log/log.js';
import { startTracing, stopTracing } from '../shared/core/traces/tracing.js';
import { openServices } from '../shared/instance/process/services.js';
import { domains } from '../shared/domains.js';
import { answerJobs } from './instance/queue-jobs/answer-jobs.js';
import { handlers } from './domains.js';

/** Connections of the pool: a job is mostly sequential, and seldom runs two queries at the same time. */
const POOL_SIZE = 3;

// The process for jobs of isolated kinds. Its worker starts it, sends it jobs, and stops it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
try {
  const config = loadConfig();
  await startTracing(process.env, 'worker', createLogger(config.logLevel, 'worker'));
  const services = await openServices(domains, config, 'job', { work: databaseWork.worker, poolSize: POOL_SIZE });
  const isBusy = answerJobs(
    services,
    handlers.filter(({ kind }) => kind.isolated !== undefined),
  );
  process.once('disconnect', () => {
    // No work continues after the worker has exited: its jobs are rescued and run again.
    if (isBusy()) process.exit(0);
    const closed = Promise.all([services.close(), stopTracing()]);
    void closed.catch(() => undefined).then(() => process.exit(0));
  });
  if (!process.connected) process.exit(0);
} catch (error) {
  process.stderr.write(`capstan job process: ${inspect(error)}\n`);
  flushLogs();
  process.exit(1);
}
