import type { ExecutionContext } from 'ava';
import { ANONYMOUS } from '../../shared/core/context/callers.js';
import { Context } from '../../shared/core/context/context.js';
import { loadConfig } from '../../shared/core/values/config.js';
import { domains } from '../../shared/domains.js';
import { openServices } from '../../shared/instance/process/services.js';
import type { TestApp } from './app.js';
import type { StartedService } from './processes.js';

/** Where things happen: a test's own service, or one that other processes run. */
export type Stage = Pick<TestApp, 'context'> & { readonly clock: { now(): Date } };

/** Access to the data of a service that other processes run. */
export async function openStage(t: Pick<ExecutionContext, 'teardown'>, service: StartedService): Promise<Stage> {
  const config = { ...loadConfig(service.env), logLevel: 'silent' as const };
  const services = await openServices(domains, config, 'test', { poolSize: 2, syncSettings: false });
  t.teardown(() => services.close());
  return { clock: services.clock, context: (() => new Context(services, ANONYMOUS)) as Stage['context'] };
}
