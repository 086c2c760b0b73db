import test from 'ava';
import type { ExecutionContext } from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { leastRole } from '../../../api/core/openapi/least-role.js';
import type { RestRoute } from '../../../api/core/routes.js';
import { subscriberToAll } from '../../../shared/core/context/subscribers.js';
import type { EventType } from '../../../shared/core/values/events.js';
import { sql } from 'kysely';
import { domains } from '../../../shared/domains.js';
import { useApp } from '../../core/app.js';
import type { RequestExample } from '../../core/area-examples.js';
import { areaExamples, makeReady, requestExample, specialCaller } from '../../core/examples.js';
import { nameOf, describeAnswer, walkRoutes, WALK_MS } from '../../core/walk.js';
import { makePeople, Sandbox } from '../../core/sandbox.js';
import type { People } from '../../core/sandbox.js';
import { queryOne } from '../../core/query-one.js';

// A slow test: it calls every privileged operation.

/** Types of the events that were recorded. */
const eventTypes: string[] = [];
const allEventTypes = domains.flatMap(({ auditOf }) => Object.keys(auditOf) as EventType[]);
const listener = subscriberToAll('test', allEventTypes, (recorded) => {
  eventTypes.push(...recorded.map(({ event }) => event.type));
  return Promise.resolve();
});

const app = useApp(test, [], { subscribers: [listener] });
let people: People;

test.serial.before('everybody who calls', async () => {
  people = await makePeople(app);
});

/** Whether a route writes, and is only for Maintainers, Owners or administrators or changes credentials or members. */
function isPrivileged(route: RestRoute): boolean {
  if (route.operation.kind !== 'write') return false;
  if (route.operation.authentication === 'administrator' || /token|password|members/.test(route.path)) return true;
  return ['maintainer', 'owner', 'admin'].includes(leastRole(route) ?? '');
}

const newestAuditEventId = async () =>
  (await queryOne<{ id: number }>(app.context(), sql`select coalesce(max(id), 0) as id from audit_events`))?.id ?? 0;

/** The outcome of a call to a privileged route: what it recorded, or its failure. */
interface Call {
  name: string;
  failed: string | null;
  example: RequestExample;
  audited: boolean;
  events: readonly string[];
}

async function callEach(): Promise<Call[]> {
  const calls: Call[] = [];
  const makeSandbox = () => Sandbox.make(app, people);
  const walk = async (route: RestRoute, walker: Parameters<Parameters<typeof walkRoutes>[2]>[1]) => {
    const sandbox = await walker.sandbox();
    const request = await walker.example(route);
    const example = requestExample(route);
    Object.assign(request.params, example.edit);
    const user = (await specialCaller(sandbox, route)) ?? people.admin;
    await makeReady(sandbox, route, request.path);
    const before = await newestAuditEventId();
    eventTypes.length = 0;
    const answer = await walker.send(app.as(user), request);
    const failed = answer.status >= 300 ? describeAnswer(answer) : null;
    calls.push({
      name: nameOf(route),
      failed,
      example,
      audited: (await newestAuditEventId()) > before,
      events: [...eventTypes],
    });
    return [];
  };
  // One at a time, so that each event can be attributed to the current call.
  await walkRoutes(allRoutes.filter(isPrivileged), makeSandbox, walk, 1);
  return calls;
}

let allCalls: Promise<Call[]> | null = null;

/** The outcome of each privileged route; the routes are called once, for all tests. */
function privilegedCalls(t: ExecutionContext): Promise<Call[]> {
  t.timeout(180_000);
  allCalls ??= callEach();
  return allCalls;
}

/**
 * Names of privileged routes whose call failed or recorded no event, unless the example states why that is allowed.
 */
const routesWithout = (
  calls: readonly Call[],
  reason: 'notAudited' | 'notPublished',
  hasRecorded: (call: Call) => boolean,
): string[] =>
  calls
    .filter((call) => call.example[reason] === undefined && !(call.failed === null && hasRecorded(call)))
    .map(({ name, failed }) => `${name}: ${failed ?? 'nothing'}`);

// Contract: core-9.audit.complete
test('every change that only Maintainers, Owners or administrators may make is in the audit log', async (t) => {
  t.timeout(WALK_MS);
  const calls = await privilegedCalls(t);
  t.true(calls.length > 20);
  t.deepEqual(
    routesWithout(calls, 'notAudited', ({ audited }) => audited),
    [],
  );
});

test('every change that only Maintainers, Owners or administrators may make is published as an event', async (t) => {
  t.timeout(WALK_MS);
  const calls = await privilegedCalls(t);
  t.true(calls.length > 20);
  t.deepEqual(
    routesWithout(calls, 'notPublished', ({ events }) => events.length > 0),
    [],
  );
});

test('every route listed as not audited or not published still exists', (t) => {
  const names = new Set(allRoutes.map(nameOf));
  const exempt = areaExamples
    .flatMap(({ requests = {} }) => Object.entries(requests))
    .filter(([, { notAudited, notPublished }]) => notAudited !== undefined || notPublished !== undefined);
  t.true(exempt.length > 10);
  t.deepEqual(
    exempt.filter(([name]) => !names.has(name)).map(([name]) => name),
    [],
  );
});
