import { inspect } from 'node:util';
import { loadConfig } from '../shared/core/values/config.js';
import { databaseWork } from '../shared/core/database/database-work.js';
import { createLogger, flushLogs } from '../shared/core/log/log.js';
import { startTracing, stopTracing } from '../shared/core/traces/tracing.js';
import { openServices } from '../shared/instance/process/services.js';
import { domains } from '../shared/domains.js';
import { answerJobs } from './instance/queue-jobs/answer-jobs.js';
import { handlers } from './domains.js';

/** Connections of the pool: a job is one line of work, which seldom asks for two things at once. */
const POOL_SIZE = 3;

// The process of jobs of isolated kinds. Its worker starts it, tells it what to do, and ends it.
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
    // Nothing goes on once the worker is gone: whoever rescues its jobs does them again.
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
