import { inspect } from 'node:util';
import { BadSettings, EXIT_BAD_SETTINGS, loadConfig } from '../shared/core/values/config.js';
import { databaseProblem } from '../shared/core/database/database-problems.js';
import { databaseWork } from '../shared/core/database/database-work.js';
import { onShutdown, reportReady, untilReleased } from '../shared/core/log/process.js';
import { createLogger } from '../shared/core/log/log.js';
import { startTracing, stopTracing } from '../shared/core/traces/tracing.js';
import { openWorkerQueue } from '../shared/instance/pg-boss/queue-client.js';
import { openServices } from '../shared/instance/process/services.js';
import { backgroundServices, handlers } from './domains.js';
import { JobProcesses } from './instance/queue-jobs/job-processes.js';
import { RunningJobs } from './instance/queue-jobs/running-jobs.js';
import { Subscriptions } from './instance/queue-jobs/subscriptions.js';
import { WorkerRegister } from './instance/queue-jobs/worker-register.js';
import { WorkerStopping } from './core/job-ends.js';
import { domains } from '../shared/domains.js';

/** Jobs in hand may end within this time; those that don't are handed back and run again elsewhere. */
const DRAIN_MS = 25_000;
/** Jobs get the signal to end this long before the time limit, so that the finished part of a batch is kept. */
const END_MS = 7_000;

async function main() {
  await untilReleased();
  const config = loadConfig();
  await startTracing(process.env, 'worker', createLogger(config.logLevel, 'worker'));
  const services = await openServices(domains, config, 'worker', { work: databaseWork.worker });
  const onError = (error: Error) => services.log.error({ err: error }, 'queue error');
  const boss = await openWorkerQueue(config.databaseUrl, onError, { recurring: true });
  const beside = backgroundServices();
  const running = new RunningJobs();
  const processes = new JobProcesses(new URL('./job-process.js', import.meta.url), services.log);
  const subscriptions = new Subscriptions(services, boss, handlers, running, processes);
  const works = {
    queues: handlers.map(({ kind }) => kind.name),
    concurrency: handlers.reduce((sum, { concurrency = 1 }) => sum + concurrency, 0),
  };
  const register = new WorkerRegister(services, boss, running, works, (paused) => subscriptions.sync(paused));
  await register.start();
  for (const service of beside) await service.start(services, boss);
  onShutdown(services.log, async () => {
    for (const service of beside) await service.stop();
    subscriptions.stop();
    const ending = setTimeout(
      () => running.endAll(new WorkerStopping('The worker is stopping.'), services.log),
      DRAIN_MS - END_MS,
    );
    await boss.stop({ graceful: true, timeout: DRAIN_MS, close: true });
    clearTimeout(ending);
    processes.close();
    await register.stop();
    await services.close();
    await stopTracing();
  });
  services.log.info({ queues: works.queues }, 'working');
  reportReady({ role: 'worker' });
}

try {
  await main();
} catch (error) {
  const bad = error instanceof BadSettings;
  const message = bad ? error.message : databaseProblem(error, process.env.DATABASE_URL ?? '');
  process.stderr.write(`capstan worker: ${message ?? inspect(error)}\n`);
  process.exit(bad ? EXIT_BAD_SETTINGS : 1);
}
