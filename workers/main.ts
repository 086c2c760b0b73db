import { hostname } from 'node:os';
import { inspect } from 'node:util';
import { BadSettings, EXIT_BAD_SETTINGS, loadConfig } from '../shared/core/config.js';
import { databaseProblem } from '../shared/core/database-problems.js';
import { databaseWork } from '../shared/core/database-work.js';
import { onShutdown, reportReady } from '../shared/core/process.js';
import { openWorkerQueue } from '../shared/instance/process/queue.js';
import { openServices } from '../shared/instance/process/services.js';
import { backgroundServices, handlers } from './domains.js';
import { RunningJobs } from './instance/queue-jobs/running-jobs.js';
import { subscribe } from './instance/queue-jobs/work.js';
import { domains } from '../shared/domains.js';

/** Jobs in hand may end within this time; those that don't are handed back and run again elsewhere. */
const DRAIN_MS = 25_000;

async function main() {
  const config = loadConfig();
  const services = await openServices(domains, config, 'worker', { work: databaseWork.worker });
  const boss = await openWorkerQueue(config.databaseUrl, (error) => services.log.error({ err: error }, 'queue error'));
  const beside = backgroundServices();
  const running = new RunningJobs({ id: 0, name: `${hostname()}:${process.pid}` });
  for (const handler of handlers) await subscribe(services, boss, handler, running);
  for (const service of beside) await service.start(services, boss);
  onShutdown(services.log, async () => {
    for (const service of beside) await service.stop();
    await boss.stop({ graceful: true, timeout: DRAIN_MS, close: true });
    await services.close();
  });
  services.log.info({ queues: handlers.map((handler) => handler.kind.name) }, 'working');
  reportReady({ role: 'worker' });
}

try {
  await main();
} catch (error) {
  const bad = error instanceof BadSettings;
  const words = bad ? error.message : databaseProblem(error, process.env.DATABASE_URL ?? '');
  process.stderr.write(`capstan worker: ${words ?? inspect(error)}\n`);
  process.exit(bad ? EXIT_BAD_SETTINGS : 1);
}
