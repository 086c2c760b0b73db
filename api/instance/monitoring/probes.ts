import type { Context as KoaContext, Middleware } from 'koa';
import type { Origin } from '../../../shared/core/context/context.js';
import { METRICS_TYPE } from '../../../shared/core/metrics/text.js';
import { SERVICE_NAME } from '../../../shared/core/values/version.js';
import { mayMonitor, readMetrics } from '../../../shared/instance/monitoring/metrics.js';
import { aggregate, failed, OK, runChecks, formatError } from '../../../shared/instance/monitoring/health-check.js';
import { dependencyChecks, healthParts } from '../../../shared/instance/monitoring/health-checks.js';
import type { CheckEntry } from '../../../shared/instance/monitoring/health-check.js';
import type { ApiServices } from '../../core/services.js';

/** Answers one path; a path that it does not know is not answered. */
type Probe = (koa: KoaContext, services: ApiServices) => Promise<void> | void;

function send(koa: KoaContext, status: number, type: string, body: string): void {
  koa.status = status;
  koa.body = body;
  koa.set('Content-Type', type);
  koa.set('Cache-Control', 'no-store');
}

const sendStatus = (koa: KoaContext, status: number, body: object) =>
  send(koa, status, 'application/json', JSON.stringify(body));

const masterCheck = ({ lifecycle }: ApiServices) => [lifecycle.draining ? failed('This process is told to stop.') : OK];

/** A response shows that requests are served: the event loop is running. */
const liveness: Probe = (koa) => sendStatus(koa, 200, OK);

/**
 * The problems that keep this instance from serving: included only if there are any, since the public response has no
 * such field.
 */
async function findWhatStops({ db }: ApiServices): Promise<Record<string, CheckEntry[]>> {
  const problem = await db.findProblem();
  return problem === null ? {} : { db_check: [failed(problem)] };
}

async function readiness(koa: KoaContext, services: ApiServices): Promise<void> {
  const own = { master_check: masterCheck(services) };
  const all = koa.query.all === '1' || koa.query.all === 'true';
  try {
    const checks = all ? await runChecks(services, dependencyChecks) : await findWhatStops(services);
    const found = aggregate({ ...own, ...checks });
    sendStatus(koa, found.status === 'ok' ? 200 : 503, found);
  } catch (error) {
    services.log.error({ err: error }, 'a health check failed');
    sendStatus(koa, 500, { status: 'failed', message: formatError(error) });
  }
}

async function metrics(koa: KoaContext, services: ApiServices): Promise<void> {
  send(koa, 200, METRICS_TYPE, await readMetrics(services));
}

/** For monitoring alone: anything that is wrong with anything. */
const healthCheck =
  (part: string): Probe =>
  async (koa, services) => {
    const found = await runChecks(services, healthParts.get(part) ?? []).catch((error: unknown) => ({
      error: [failed(formatError(error))],
    }));
    const reasons = Object.values(found)
      .flat()
      .filter(({ status }) => status === 'failed')
      .map(({ message, labels }) => [...Object.values(labels ?? {}), message].join(': '));
    if (reasons.length === 0) send(koa, 200, 'text/plain', 'success');
    else send(koa, 500, 'text/plain', `health_check failed: ${reasons.join(' ')}`);
  };

const PROBES = new Map<string, Probe>([
  ['/-/liveness', liveness],
  ['/-/readiness', readiness],
  ['/-/metrics', metrics],
  ...[...healthParts.keys()].map(
    (part) => [part === '' ? '/health_check' : `/health_check/${part}`, healthCheck(part)] as const,
  ),
]);

const HEALTH = '/-/health';
const ALIVE = `${SERVICE_NAME} OK`;

/**
 * Serves the probes of operations.md section 1 without session, rate limit or API route. `/-/health` is public; for the
 * others, clients that are not on the instance's allowlist get the same response as for any unknown path.
 */
export function probesMiddleware(services: ApiServices): Middleware {
  const last = new Map<string, number>();
  const note = (koa: KoaContext, pattern: string) => {
    koa.state.pattern = pattern;
    // Logged when it answers something else than before.
    koa.state.quiet = (last.get(pattern) ?? 200) === koa.status;
    last.set(pattern, koa.status);
  };
  return async (koa, next) => {
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return next();
    if (koa.path === HEALTH) {
      send(koa, 200, 'text/plain', ALIVE);
      return note(koa, HEALTH);
    }
    const probe = PROBES.get(koa.path);
    const { ip } = koa.state.origin as Origin;
    if (!probe || !mayMonitor(services.settings.current, ip)) return next();
    await probe(koa, services);
    note(koa, koa.path);
  };
}
