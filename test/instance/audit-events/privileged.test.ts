import test from 'ava';
import type { ExecutionContext } from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { leastRole } from '../../../api/core/openapi/least-role.js';
import type { Route } from '../../../api/core/routes.js';
import { subscriberToAll } from '../../../shared/core/subscribers.js';
import type { EventType } from '../../../shared/core/events.js';
import { sql } from '../../../shared/core/sql.js';
import { domains } from '../../../shared/domains.js';
import { useApp } from '../../core/app.js';
import { makeReady, specialCaller } from '../../core/examples.js';
import { nameOf, told as toldOf, walkRoutes, WALK_MS } from '../../core/walk.js';
import { makePeople, World } from '../../core/world.js';
import type { People } from '../../core/world.js';

/** Types of the events that were recorded. */
const told: string[] = [];
const everything = domains.flatMap(({ auditOf }) => Object.keys(auditOf) as EventType[]);
const listener = subscriberToAll('test', everything, (recorded) => {
  told.push(...recorded.map(({ event }) => event.type));
  return Promise.resolve();
});

const app = useApp(test, [], { subscribers: [listener] });
let people: People;

test.serial.before('everybody who calls', async () => {
  people = await makePeople(app);
});

/** Writes for Maintainers and above that change nobody's rights: each with the reason why it is not in the log. */
const NOT_AUDITED: Record<string, string> = {
  ...Object.fromEntries(
    ['users', 'groups', 'projects'].flatMap((owners) =>
      ['PUT', 'DELETE'].map((method) => [
        `${method} /${owners}/:id/custom_attributes/:key`,
        'notes of administrators, on which no right depends',
      ]),
    ),
  ),
  ...Object.fromEntries(
    [
      'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id',
      'DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id',
      'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables',
      'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key',
      'DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key',
    ].map((name) => [name, 'work of its owner, a Developer; taking it over is in the log']),
  ),
  ...Object.fromEntries(
    ['POST /topics', 'PUT /topics/:id', 'DELETE /topics/:id', 'POST /topics/merge'].map((name) => [
      name,
      'words that projects are found by, on which no right depends',
    ]),
  ),
  'POST /projects/:id/mirror/pull': 'brings in what the upstream has now; that it is followed is in the log',
  'POST /users/:id/follow': 'everybody may follow whom they like',
};

/** Those of which nothing is told at all: each with the reason. */
const NOT_TOLD: Record<string, string> = {
  ...Object.fromEntries(Object.entries(NOT_AUDITED).filter(([name]) => name.includes('/custom_attributes/'))),
  'POST /users/:id/follow': 'everybody may follow whom they like',
};

/** Makes something that the change then ends. */
const READY: Record<string, (path: Record<string, string>) => Promise<unknown>> = {
  'POST /users/:id/activate': ({ id }) => app.as(people.admin).post(`/users/${id}/deactivate`),
};

/** What an edit must change so that there is something to tell. */
const EDITS: Record<string, Record<string, unknown>> = {
  'PATCH /projects/:id/protected_branches/:name': { allow_force_push: true },
  'PUT /application/plan_limits': { ci_pipeline_schedules: 11 },
  'PUT /application/settings': { default_project_visibility: 'internal' },
  'PUT /groups/:id': { membership_lock: true },
  'PUT /groups/:id/members/:user_id': { access_level: 30 },
  'PUT /projects/:id': { request_access_enabled: false },
  'PUT /projects/:id/members/:user_id': { access_level: 30 },
  'PUT /users/:id': { admin: true },
};

/** What Maintainers, Owners or administrators alone may do, and what is done to credentials. */
function isPrivileged(route: Route): boolean {
  if (route.operation.kind !== 'write') return false;
  if (route.operation.gate === 'administrator' || /token|password|members/.test(route.path)) return true;
  return ['maintainer', 'owner', 'admin'].includes(leastRole(route) ?? '');
}

const newest = async () =>
  (await app.context().queryOne<{ id: number }>(sql`select coalesce(max(id), 0) as id from audit_events`))?.id ?? 0;

/** What a call of a privileged route left, or how it failed. */
interface Call {
  name: string;
  failed: string | null;
  audited: boolean;
  events: readonly string[];
}

async function callEach(): Promise<Call[]> {
  const calls: Call[] = [];
  const makeWorld = () => World.make(app, people);
  const walk = async (route: Route, lane: Parameters<Parameters<typeof walkRoutes>[2]>[1]) => {
    const world = await lane.world();
    const request = await lane.example(route);
    Object.assign(request.params, EDITS[nameOf(route)]);
    const user = (await specialCaller(world, route)) ?? people.admin;
    await makeReady(world, route, request.path);
    await READY[nameOf(route)]?.(request.path);
    const before = await newest();
    told.length = 0;
    const answer = await lane.send(app.as(user), request);
    const failed = answer.status >= 300 ? toldOf(answer) : null;
    calls.push({ name: nameOf(route), failed, audited: (await newest()) > before, events: [...told] });
    return [];
  };
  // One at a time: an event belongs to whatever is called right then.
  await walkRoutes(allRoutes.filter(isPrivileged), makeWorld, walk, 1);
  return calls;
}

let called: Promise<Call[]> | null = null;

/** What each privileged route left; they are called once for all tests. */
function privilegedCalls(t: ExecutionContext): Promise<Call[]> {
  t.timeout(180_000);
  called ??= callEach();
  return called;
}

/** Names of privileged routes, but for those of a list, whose call failed or left nothing. */
const without = (calls: readonly Call[], exceptions: Record<string, string>, left: (call: Call) => boolean): string[] =>
  calls
    .filter((call) => !(call.name in exceptions) && !(call.failed === null && left(call)))
    .map(({ name, failed }) => `${name}: ${failed ?? 'nothing'}`);

// Contract: core-9.audit.complete
test('everything that Maintainers, Owners or administrators alone may change is in the audit log', async (t) => {
  t.timeout(WALK_MS);
  const calls = await privilegedCalls(t);
  t.true(calls.length > 20);
  t.deepEqual(
    without(calls, NOT_AUDITED, ({ audited }) => audited),
    [],
  );
});

test('everything that Maintainers, Owners or administrators alone may change is told as an event', async (t) => {
  t.timeout(WALK_MS);
  const calls = await privilegedCalls(t);
  t.true(calls.length > 20);
  t.deepEqual(
    without(calls, NOT_TOLD, ({ events }) => events.length > 0),
    [],
  );
});

test('what is named as not audited is still there', (t) => {
  const names = new Set(allRoutes.map(nameOf));
  t.deepEqual(
    Object.keys(NOT_AUDITED).filter((name) => !names.has(name)),
    [],
  );
});
