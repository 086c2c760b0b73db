import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { ANONYMOUS } from '../shared/core/context/callers.js';
import { BadSettings, EXIT_BAD_SETTINGS, loadConfig } from '../shared/core/values/config.js';
import type { Config } from '../shared/core/values/config.js';
import { Context } from '../shared/core/context/context.js';
import { getBasicReaders, getTokenSources } from '../shared/core/domain.js';
import { createLogger } from '../shared/core/log/log.js';
import { databaseProblem } from '../shared/core/database/database-problems.js';
import { moveAvatars } from '../shared/instance/avatars/move-avatars.js';
import { openServices } from '../shared/instance/process/services.js';
import { onShutdown, reportReady, untilReleased } from '../shared/core/log/process.js';
import { startTracing, stopTracing } from '../shared/core/traces/tracing.js';
import { SERVICE_VERSION } from '../shared/core/values/version.js';
import { buildApp } from './app.js';
import type { DevelopmentPages } from './core/pages/development.js';
import { LISTEN_PROBLEMS, listen } from './core/server/listen.js';
import { createApiServer } from './core/server/server.js';
import { Traffic } from './core/traffic.js';
import { serveBuiltInRunner } from './built-in-runner.js';
import { loadGraphql } from './graphql.js';
import { getHeldPolls } from '../shared/ci/job-handouts/held-polls.js';
import { getLogFeed } from '../shared/ci/job-logs/log-feed.js';
import { UptimeBeat } from '../shared/ci/uptimes/uptime-beat.js';
import { getQueueFeed } from '../shared/instance/queues/queue-feed.js';
import { apiServices } from './services.js';
import { domains } from '../shared/domains.js';

/**
 * Maximum time for open requests to finish after the process receives its stop signal; a request transaction takes
 * less.
 */
const DRAIN_MOST_SECONDS = 25;
/** And what came after that. */
const LATE_MS = 2_000;

/** With PORT 0 the URL is known only once the server listens. */
function settleUrl(config: Config, address: AddressInfo): string {
  if (config.port === 0 && !process.env.EXTERNAL_URL)
    config.externalUrl = config.externalUrl.replace(/:0$/, `:${address.port}`);
  return `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${address.port}`;
}

/** `npm run dev` serves the pages from their sources. */
async function openDevelopmentPages(): Promise<DevelopmentPages | undefined> {
  if (process.env.CAPSTAN_DEVELOPMENT !== '1') return undefined;
  const { DevelopmentPages: Pages } = await import('./core/pages/development.js');
  return new Pages();
}

async function main() {
  await untilReleased();
  const config = loadConfig();
  await startTracing(process.env, 'api', createLogger(config.logLevel, 'api'));
  const services = await openServices(domains, config, 'api');
  const traffic = new Traffic();
  const own = apiServices(services, traffic, getTokenSources(domains), getBasicReaders(domains));
  own.denials.start();
  own.changes.start();
  getHeldPolls(services).start();
  const development = await openDevelopmentPages();
  const app = buildApp(own, undefined, development);
  const server = createApiServer(app, traffic);
  await development?.attach(server, config.dataDir);
  await listen(server, config).catch((error: NodeJS.ErrnoException) => {
    const problem = LISTEN_PROBLEMS[error.code ?? ''];
    if (!problem) throw error;
    throw new BadSettings([`HOST and PORT must be free to listen on; ${config.host}:${config.port} ${problem}.`]);
  });
  const url = settleUrl(config, server.address() as AddressInfo);
  const uptime = new UptimeBeat(services);
  uptime.start();
  onShutdown(services.log, async () => {
    const drained = own.lifecycle.drain(config.drainSeconds, DRAIN_MOST_SECONDS);
    // Open streams would delay the shutdown until the limit; their clients reconnect to another process.
    getQueueFeed(services).stop();
    getHeldPolls(services).stop();
    getLogFeed(services).stop();
    await Promise.all([drained, own.changes.stop()]);
    // Running requests are answered; idle connections are closed at once.
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    // What came meanwhile is no clone that goes on for an hour either.
    const cut = setTimeout(() => server.closeAllConnections(), LATE_MS);
    await Promise.all([closed, development?.close()]);
    clearTimeout(cut);
    own.denials.stop();
    await Promise.all([own.tokens.written(), own.denials.written(), uptime.stop()]);
    await services.close();
    await stopTracing();
  });
  services.log.info({ url, version: SERVICE_VERSION, revision: config.revision }, 'listening');
  serveBuiltInRunner(services);
  reportReady({ role: 'api', url, externalUrl: config.externalUrl });
  // Avatars of earlier versions are on this machine's disk and are served from there until they have been moved.
  moveAvatars(new Context(services, ANONYMOUS)).catch((error: unknown) =>
    services.log.error({ err: error }, 'pictures were not moved to the object store'),
  );
  // Ready without it; the first caller shall not wait for it either.
  loadGraphql().catch((error: unknown) => services.log.error({ err: error }, 'graphql did not load'));
}

try {
  await main();
} catch (error) {
  const bad = error instanceof BadSettings;
  const message = bad ? error.message : databaseProblem(error, process.env.DATABASE_URL ?? '');
  process.stderr.write(`capstan api: ${message ?? inspect(error)}\n`);
  process.exit(bad ? EXIT_BAD_SETTINGS : 1);
}
