import type { ExecutionContext } from 'ava';
import { openWorkerQueue } from '../../../shared/instance/pg-boss/queue-client.js';
import type { Handler } from '../../../workers/core/handler.js';
import { RunningJobs } from '../../../workers/instance/queue-jobs/running-jobs.js';
import { Subscriptions } from '../../../workers/instance/queue-jobs/subscriptions.js';
import { WorkerRegister } from '../../../workers/instance/queue-jobs/worker-register.js';
import type { TestApp } from '../../core/app.js';

/** A worker as a process has one, with handlers of the test's own; their queues are made where they are missing. */
export async function startWorker(t: ExecutionContext, app: TestApp, handlers: readonly Handler[]) {
  const { boss: sender, config } = app.services;
  for (const { kind } of handlers)
    if (!(await sender.getQueue(kind.name))) await sender.createQueue(kind.name, kind.queue);
  const boss = await openWorkerQueue(config.databaseUrl, (error) => t.log(error.message));
  const running = new RunningJobs();
  const subscriptions = new Subscriptions(app.services, boss, handlers, running);
  const works = { queues: handlers.map(({ kind }) => kind.name), concurrency: handlers.length };
  const register = new WorkerRegister(app.services, boss, running, works, (paused) => subscriptions.sync(paused));
  await register.start();
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    subscriptions.stop();
    await boss.stop({ graceful: true, timeout: 5_000, close: true });
    await register.stop();
  };
  t.teardown(stop);
  return { running, boss, stop };
}
