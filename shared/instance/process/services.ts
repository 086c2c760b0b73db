import { auditLog } from '../audit-events/audit-log.js';
import { limits } from '../application-settings/limits.js';
import { instanceSettings } from '../application-settings/settings.js';
import type { Config } from '../../core/values/config.js';
import { DatabaseClock } from '../../core/values/clock.js';
import type { Clock } from '../../core/values/clock.js';
import { asConnectionError } from '../../core/database/connection-errors.js';
import { Channels } from '../../core/database/channels.js';
import { Database } from '../../core/database/database.js';
import type { DatabaseOptions } from '../../core/database/database.js';
import { Numbers } from '../../core/database/numbers.js';
import { GitPools } from '../../git/index.js';
import type { GitLimits } from '../../git/index.js';
import { databaseWork } from '../../core/database/database-work.js';
import type { DatabaseWork } from '../../core/database/database-work.js';
import { getEntities } from '../../core/domain.js';
import type { Domain } from '../../core/domain.js';
import type { OpenServices } from '../../core/context/open-services.js';
import { JobSender } from '../../core/context/jobs.js';
import { createLogger, getOutages } from '../../core/log/log.js';
import type { Logger } from '../../core/log/log.js';
import { PASSWORD_COST, Passwords } from '../../core/threads/passwords.js';
import type { ScryptCost } from '../../core/threads/passwords.js';
import { openStore } from '../../core/object-store/open-store.js';
import { publishPageChanges } from '../../core/page-changes/publish-page-changes.js';
import { openSender } from '../pg-boss/queue-client.js';
import { Markdown } from '../../core/markdown/markdown.js';
import { RateLimiter } from '../../core/rate-limits/rate-limiter.js';
import { Keys } from '../../core/values/secrets.js';
import type { Settings } from '../../core/values/settings.js';
import { SettingsStore } from '../../core/context/settings-store.js';
import { constant } from '../../core/database/expressions.js';
import { queries } from '../../core/database/compile.js';

/** The database's own time in milliseconds since 1970. */
async function databaseTime(db: Database): Promise<number> {
  const now = queries<object>().selectNoFrom((eb) => {
    const seconds = eb.fn<number>('date_part', [constant('epoch'), eb.fn('clock_timestamp', [])]);
    return eb(seconds, '*', eb.lit(1000)).as('now');
  });
  const [row] = await db.query<{ now: number }>(now);
  return row?.now as number;
}

/**
 * Opens the services of a process: pool, ORM, database clock, keys and a queue client that sends.
 * @param domains provide the entities to map and the event subscribers
 * @param options.work limits for its statements; those of requests by default
 * @param options.clock replaces the database's clock (tests fix the time)
 * @param options.passwordCost replaces the cost of hashing passwords (tests hash many)
 * @param options.git replaces limits of git processes (tests that reach them)
 * @param options.log replaces the log of the standard output (tests read it)
 * @param options.connections replaces connection timeouts (tests that lose packets)
 * @param options.syncSettings false reads the instance's settings only once (tests that count statements)
 */
export async function openServices(
  domains: readonly Domain[],
  config: Config,
  role: string,
  options: {
    work?: DatabaseWork;
    poolSize?: number;
    clock?: Clock;
    syncSettings?: boolean;
    passwordCost?: ScryptCost;
    git?: GitLimits;
    log?: Logger;
    connections?: Pick<DatabaseOptions, 'connectMs' | 'answerMarginMs' | 'committedMs'>;
  } = {},
): Promise<OpenServices> {
  const log = options.log ?? createLogger(config.logLevel, role);
  const onError = (error: unknown) => log.error({ err: asConnectionError(error) }, 'database error');
  const db = await Database.connect({
    url: config.databaseUrl,
    entities: getEntities(domains),
    work: options.work ?? databaseWork.api,
    poolSize: options.poolSize ?? 10,
    applicationName: `capstan-${role}`,
    onError,
    outages: getOutages(log),
    ...options.connections,
  });
  const databaseClock = options.clock ? null : new DatabaseClock(() => databaseTime(db));
  const clock = (options.clock ?? databaseClock) as Clock;
  const channels = new Channels({ url: config.databaseUrl, log });
  const settings = new SettingsStore<Settings>(instanceSettings, db, log);
  const [boss] = await Promise.all([
    openSender(db, onError),
    databaseClock?.start(onError),
    settings.start((options.syncSettings ?? true) ? channels : null),
  ]);
  const limiter = new RateLimiter({
    url: config.databaseUrl,
    applicationName: `capstan-${role}-limits`,
    clock,
    limits,
    settings,
    log,
  });
  const numbers = new Numbers({ url: config.databaseUrl, applicationName: `capstan-${role}-numbers`, log });
  const objects = openStore(config);
  const keys = new Keys(config.secretKeyBase);
  return {
    config,
    db,
    clock,
    jobs: new JobSender(boss),
    keys,
    passwords: new Passwords(options.passwordCost ?? PASSWORD_COST),
    log,
    settings,
    channels,
    limiter,
    numbers,
    objects,
    markdown: new Markdown(
      config,
      domains.flatMap(({ references = [] }) => references),
    ),
    subscribers: [auditLog(domains), ...domains.flatMap(({ subscribers }) => subscribers), publishPageChanges(domains)],
    git: new GitPools(options.git),
    boss,
    // A process that remembers callers puts its own here.
    forgetCallers: () => undefined,
    // A process that answers requests puts its own here.
    logDenial: () => undefined,
    async close() {
      databaseClock?.stop();
      await settings.stop();
      await channels.stop();
      await limiter.close();
      await numbers.close();
      await objects.close();
      await boss.stop({ graceful: false, close: false });
      await db.close();
    },
  };
}
