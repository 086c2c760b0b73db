import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';

/*
 * The metrics of this process for `/-/metrics` (operations.md section 2; decisions/0039-metrics.md). Labels are fixed
 * values: route patterns, names of queues and limits. None may contain an id, a path or a name chosen by a user.
 */

/** All metrics of this process. */
export const registry = new Registry();

const registers = [registry];

const SECONDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10];

export const httpRequests = new Counter({
  name: 'http_requests_total',
  help: 'Answered HTTP requests',
  labelNames: ['method', 'status', 'route'],
  registers,
});

export const httpSeconds = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Seconds from the head of a request until its answer is ready to be sent',
  labelNames: ['method', 'route'],
  buckets: SECONDS,
  registers,
});

export const graphqlSeconds = new Histogram({
  name: 'graphql_duration_seconds',
  help: 'Seconds that checking and running one GraphQL operation took',
  labelNames: ['operation_kind', 'outcome'],
  buckets: SECONDS,
  registers,
});

export const graphqlComplexity = new Histogram({
  name: 'graphql_complexity',
  help: 'Complexity of GraphQL operations',
  labelNames: ['operation_kind', 'outcome'],
  buckets: [1, 10, 50, 100, 150, 200, 250, 500],
  registers,
});

export const sqlSeconds = new Histogram({
  name: 'sql_duration_seconds',
  help: 'Seconds until the database answered, for each exchange of one or more statements',
  buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
  registers,
});

export const poolConnections = new Gauge({
  name: 'db_pool_connections',
  help: 'Connections to the database that are idle or busy, and requests that wait for one',
  labelNames: ['state'],
  registers,
});

export const jobsProcessed = new Counter({
  name: 'jobs_processed_total',
  help: 'Attempts at jobs that ended in this process, well or not',
  labelNames: ['queue'],
  registers,
});

export const jobsFailed = new Counter({
  name: 'jobs_failed_total',
  help: 'Attempts at jobs that failed in this process',
  labelNames: ['queue'],
  registers,
});

export const jobsReady = new Gauge({
  name: 'jobs_queue_ready',
  help: 'Jobs that could start now',
  labelNames: ['queue'],
  registers,
});

export const jobsLatency = new Gauge({
  name: 'jobs_queue_latency_seconds',
  help: 'Seconds for which the job that has waited longest could have started',
  labelNames: ['queue'],
  registers,
});

export const jobsActive = new Gauge({
  name: 'jobs_active',
  help: 'Jobs that run, as of the last time that a worker counted them',
  labelNames: ['queue'],
  registers,
});

export const throttled = new Counter({
  name: 'rate_limit_throttled_total',
  help: 'Times that a rate limit refused',
  labelNames: ['name'],
  registers,
});

export const spamChecks = new Counter({
  name: 'spam_checks_total',
  help: 'Checks for spam',
  labelNames: ['checker', 'verdict'],
  registers,
});

export const spamSeconds = new Histogram({
  name: 'spam_check_duration_seconds',
  help: 'Seconds that one checker took to judge a text, or to be given up',
  labelNames: ['checker'],
  buckets: [0.001, 0.01, 0.1, 0.5, 1, 2.5],
  registers,
});

export const pollsHeld = new Gauge({
  name: 'ci_polls_held',
  help: 'Requests of runners that this process holds until there is a job',
  registers,
});

export const jobsPending = new Gauge({
  name: 'ci_jobs_pending',
  help: 'Jobs of pipelines that wait for a runner',
  registers,
});

export const queueSeconds = new Histogram({
  name: 'ci_queue_seconds',
  help: 'Seconds that a job of a pipeline was queued before this process handed it to a runner',
  buckets: [0.05, 0.25, 1, 5, 30, 120, 600, 3600],
  registers,
});

export const firstLogSeconds = new Histogram({
  name: 'ci_first_log_seconds',
  help: 'Seconds from the queueing of a job until this process received the first bytes of its log',
  buckets: [0.1, 0.5, 1, 3, 10, 30, 120, 600, 3600],
  registers,
});

export const appInfo = new Gauge({
  name: 'app_info',
  help: 'What runs here; always 1',
  labelNames: ['version', 'revision'],
  registers,
});
