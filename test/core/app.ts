import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestFn } from 'ava';
import { buildApp } from '../../api/app.js';
import { boundRoutes } from '../../api/domains.js';
import type { RestRoute } from '../../api/core/routes.js';
import { createApiServer } from '../../api/core/server/server.js';
import { Traffic } from '../../api/core/traffic.js';
import type { TrafficLimits } from '../../api/core/traffic.js';
import { parseNetworks } from '../../shared/core/values/client-network.js';
import type { Config } from '../../shared/core/values/config.js';
import type { Subscriber } from '../../shared/core/context/context.js';
import type { ChangeFeed } from '../../shared/core/page-changes/change-feed.js';
import { ANONYMOUS } from '../../shared/core/context/callers.js';
import type { Caller } from '../../shared/core/context/callers.js';
import { Context } from '../../shared/core/context/context.js';
import { getBasicReaders, getTokenSources } from '../../shared/core/domain.js';
import type { Domain } from '../../shared/core/domain.js';
import type { GitLimits } from '../../shared/git/index.js';
import type { Logger } from '../../shared/core/log/log.js';
import type { ScryptCost } from '../../shared/core/threads/passwords.js';
import { databaseWork } from '../../shared/core/database/database-work.js';
import type { DatabaseWork } from '../../shared/core/database/database-work.js';
import { openServices } from '../../shared/instance/process/services.js';
import type { OpenServices } from '../../shared/core/context/open-services.js';
import type { TokenAuthenticator } from '../../shared/auth/personal-access-tokens/authenticate-token.js';
import type { DenialLog } from '../../shared/instance/refused-requests/denial-log.js';
import { apiServices } from '../../api/services.js';
import { writeSettings } from '../../shared/instance/application-settings/write-settings.js';
import { sql } from 'kysely';
import type { Settings } from '../../shared/core/values/settings.js';
import { handlers } from '../../workers/domains.js';
import { JobInHand } from '../../workers/instance/queue-jobs/job-in-hand.js';
import { runBatch } from '../../workers/instance/queue-jobs/run-batch.js';
import { Builders } from './builders.js';
import type { BuiltUser } from './builders.js';
import { Client } from './client.js';
import { cloneDatabase } from './databases.js';
import { HeldRuns } from './hold-points.js';
import { freezePresentedRecords } from './frozen-records.js';
import { TestClock } from './test-clock.js';
import { domains } from '../../shared/domains.js';

function testConfig(databaseUrl: string, dataDir: string): Config {
  return {
    host: '127.0.0.1',
    port: 0,
    externalUrl: 'http://capstan.test',
    dataDir,
    databaseUrl,
    workers: 0,
    secretKeyBase: 'a secret for tests, of at least 32 characters',
    logLevel: 'silent',
    trustedProxies: [],
    drainSeconds: 0,
    workerMetrics: null,
    objectStore: 'local',
    s3: null,
    registry: null,
    apiVersion: '18.6.0',
    revision: 'abcdef12345',
  };
}

/** All tests of a file use one address and one time. */
export const LIMITS_OFF: Partial<Settings> = {
  token_guess_limit: 0,
  token_guess_address_limit: 0,
  sign_in_limit: 0,
  sign_in_address_limit: 0,
  sign_in_account_limit: 0,
  graphql_requests_at_once_limit: 0,
  runner_jobs_request_api_limit: 0,
  runner_jobs_patch_trace_api_limit: 0,
  runner_jobs_endpoints_api_limit: 0,
};

const CHEAP: ScryptCost = { N: 2 ** 11, r: 8, p: 1 };

export interface AppOptions {
  /** Leaves the limits on token guesses, sign-ins and queries at once on. */
  limitsOn?: boolean;
  /** Proxies whose `X-Forwarded-For` is trusted: with `127.0.0.1` a test's requests may use any address. */
  trustedProxies?: string;
  /** Of hashing passwords; next to none unless a test is about how slow it is. */
  passwordCost?: ScryptCost;
  /** Limits of git processes that a test wants to reach. */
  git?: GitLimits;
  /** Of connections to the database. */
  poolSize?: number;
  /** What differs from what statements of requests may cost. */
  work?: Partial<DatabaseWork>;
  /** Called with events, after the subscribers of the service. */
  subscribers?: readonly Subscriber[];
  /** Served in addition to the service's own: for features of core that no domain uses yet. */
  domains?: readonly Domain[];
  /** Where its lines go, for tests of the log, and for failures that a response does not explain. */
  log?: Logger;
  /** The database URL of the service, derived from the real one: for tests that lose connections. */
  databaseUrl?: (url: string) => Promise<string>;
  /** How long connections may take to be made and to answer, in milliseconds. */
  connections?: { connectMs?: number; answerMarginMs?: number; committedMs?: number };
  /** Limits of bytes in and out, where they differ from the service's. */
  traffic?: Partial<TrafficLimits>;
}

/** Tests send many requests at once, on machines that do other things as well. */
const TIMEOUT_MS = 60_000;

/** A running API over a database of the test file's own, with time standing still. */
export class TestApp {
  services!: OpenServices;
  tokens!: TokenAuthenticator;
  /** Written when a test requests it. */
  denials!: DenialLog;
  traffic!: Traffic;
  /** Hears of changes from the first page on. */
  changes!: ChangeFeed;
  clock = new TestClock();
  /** Holds runs at points that a test names. */
  readonly heldRuns = new HeldRuns();
  build!: Builders;
  url!: string;
  #server!: Server;
  #close: (() => Promise<void>)[] = [];

  /**
   * @param routes served in addition to the service's own: for features of core that no area uses yet
   * @param options.beside an app whose database and clock this one shares, like a second process
   */
  constructor(
    private readonly routes: readonly RestRoute[] = [],
    private readonly options: AppOptions & { beside?: TestApp } = {},
  ) {
    if (options.beside) this.clock = options.beside.clock;
  }

  async start(): Promise<void> {
    const { beside } = this.options;
    const database = beside
      ? { url: beside.services.config.databaseUrl, drop: () => Promise.resolve() }
      : await cloneDatabase();
    const dataDir = await mkdtemp(path.join(tmpdir(), 'capstan-test-'));
    const { databaseUrl } = this.options;
    const config = testConfig(databaseUrl ? await databaseUrl(database.url) : database.url, dataDir);
    const { trustedProxies } = this.options;
    const served = [...domains, ...(this.options.domains ?? [])];
    if (trustedProxies !== undefined) config.trustedProxies = parseNetworks(trustedProxies) ?? [];
    const { subscribers = [] } = this.options;
    const listening = { name: 'test', entities: [], jobKinds: [], subscribers, auditOf: {} };
    this.services = await openServices([...served, listening], config, 'test', {
      clock: this.clock,
      passwordCost: this.options.passwordCost ?? CHEAP,
      git: { timeoutMs: TIMEOUT_MS, ...this.options.git },
      poolSize: this.options.poolSize,
      log: this.options.log,
      connections: this.options.connections,
      work: { ...databaseWork.api, acquireTimeout: TIMEOUT_MS, ...this.options.work },
      // In the background it would be counted to whatever request is under test.
      syncSettings: beside !== undefined,
    });
    if (!this.options.limitsOn && !beside) await this.set(LIMITS_OFF);
    this.services.holdPoints = this.heldRuns;
    this.traffic = new Traffic(this.options.traffic);
    const services = apiServices(this.services, this.traffic, getTokenSources(served), getBasicReaders(served));
    this.tokens = services.tokens;
    this.denials = services.denials;
    this.changes = services.changes;
    this.#server = createApiServer(buildApp(services, [...boundRoutes, ...this.routes]), this.traffic);
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    this.build = new Builders(this);
    this.#close = [
      () => this.changes.stop(),
      () =>
        new Promise((resolve) => {
          this.#server.close(() => resolve());
          this.#server.closeAllConnections();
        }),
      () => this.services.close(),
      () => database.drop(),
      () => rm(dataDir, { recursive: true, force: true }),
    ];
  }

  async stop(): Promise<void> {
    for (const close of this.#close) await close();
  }

  /** Changes settings of the instance, as an administrator would. */
  async set(changes: Partial<Settings>): Promise<void> {
    const ctx = this.context();
    await ctx.transaction(() => writeSettings(ctx, changes));
  }

  /** Listens to changes, and waits until nothing changes: a new page is notified about the last seconds. */
  async calm(): Promise<void> {
    this.changes.start();
    // What was committed just now is heard of by then.
    for (let tries = 0; tries < 10 || (!this.changes.hearing && tries < 1_000); tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    this.clock.advance('1 minute');
  }

  /** A context for calling shared code directly, as a user or anonymously. */
  context(): Context;
  context<C extends Caller>(caller: C): Context<C>;
  context(caller: Caller = ANONYMOUS): Context<Caller> {
    return new Context(this.services, caller);
  }

  /** Requests with a user's token. */
  as(user: BuiltUser): Client {
    return new Client(this.url, { 'PRIVATE-TOKEN': user.token });
  }

  /** Requests without a credential. */
  get anonymous(): Client {
    return new Client(this.url, {});
  }

  /** Requests with headers of the test's own. */
  withHeaders(headers: Record<string, string>): Client {
    return new Client(this.url, headers);
  }

  /** How many statements something takes, sign-in included; not what requests before it write after their answer. */
  async statementsOf(run: () => Promise<unknown>): Promise<number> {
    await this.tokens.written();
    this.tokens.forget();
    const before = this.services.db.statements;
    await run();
    return this.services.db.statements - before;
  }

  #working: Promise<void> = Promise.resolve();

  /**
   * Processes every waiting job, including those that jobs send, through the real queue. One call at a time: a test
   * whose job was claimed by another test's call waits until that is finished.
   */
  work(): Promise<void> {
    const done = this.#working.then(() => this.#workOnce());
    this.#working = done.catch(() => undefined);
    return done;
  }

  async #workOnce(): Promise<void> {
    const { boss, db } = this.services;
    for (let found = true; found;) {
      found = false;
      // Querying each queue would cost more than the jobs.
      const waiting = await db.query<{ name: string }>(
        sql`select distinct name from pgboss.job where state < 'active' and start_after <= pgboss.job_now()`,
      );
      const names = new Set(waiting.map(({ name }) => name));
      for (const handler of handlers) {
        const { kind, batchSize } = handler;
        if (!names.has(kind.name)) continue;
        const jobs = await boss.fetch<object>(kind.name, { batchSize });
        if (jobs.length === 0) continue;
        found = true;
        const inHand = jobs.map((job) => new JobInHand(job));
        await runBatch(this.services, handler, inHand);
        const failed = inHand.find(({ outcome }) => outcome !== 'completed');
        if (failed) throw failed.error;
        await boss.complete(
          kind.name,
          jobs.map((job) => job.id),
        );
      }
    }
  }
}

/** Starts an app before the tests of a file and stops it after them. */
export function useApp(test: TestFn, routes: readonly RestRoute[] = [], options: AppOptions = {}): TestApp {
  freezePresentedRecords();
  const app = new TestApp(routes, options);
  // Serial: a file's own preparations then find it running.
  test.serial.before('start the app', () => app.start());
  test.after.always('stop the app', () => app.stop());
  return app;
}
