import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { leastRole } from '../../../api/core/openapi/least-role.js';
import type { Route } from '../../../api/core/routes.js';
import { sql } from '../../../shared/core/sql.js';
import { useApp } from '../../core/app.js';
import { makeReady, specialCaller } from '../../core/examples.js';
import { nameOf, told, walkRoutes } from '../../core/walk.js';
import { makePeople, World } from '../../core/world.js';
import type { People } from '../../core/world.js';

const app = useApp(test);
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

test('everything that Maintainers, Owners or administrators alone may change is in the audit log', async (t) => {
  const routes = allRoutes.filter((route) => isPrivileged(route) && !(nameOf(route) in NOT_AUDITED));
  t.true(routes.length > 20);
  const makeWorld = () => World.make(app, people);
  const walk = async (route: Route, lane: Parameters<Parameters<typeof walkRoutes>[2]>[1]) => {
    const world = await lane.world();
    const request = await lane.example(route);
    Object.assign(request.params, EDITS[nameOf(route)]);
    const user = (await specialCaller(world, route)) ?? people.admin;
    await makeReady(world, route, request.path);
    await READY[nameOf(route)]?.(request.path);
    const before = await newest();
    const answer = await lane.send(app.as(user), request);
    if (answer.status >= 300) return [`${nameOf(route)}: ${told(answer)}`];
    return [(await newest()) > before ? null : `${nameOf(route)} wrote no event`];
  };
  // One at a time: an event belongs to whatever is called right then.
  t.deepEqual(await walkRoutes(routes, makeWorld, walk, 1), []);
});

test('what is named as not audited is still there', (t) => {
  const names = new Set(allRoutes.map(nameOf));
  t.deepEqual(
    Object.keys(NOT_AUDITED).filter((name) => !names.has(name)),
    [],
  );
});
