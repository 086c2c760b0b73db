import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import test from 'ava';
import { allRoutes } from '../../api/areas.js';
import { openApiDocument } from '../../api/core/openapi/document.js';
import { leastRole } from '../../api/core/openapi/least-role.js';
import { templateOf } from '../../api/core/openapi/operations.js';
import type { Route } from '../../api/core/routes.js';
import { useApp } from './app.js';
import type { BuiltUser } from './builders.js';
import type { Answer } from './client.js';
import { callerOf, fillList } from './examples.js';
import { badForm, containerOf, nameOf, told, walkRoutes } from './walk.js';
import type { Lane } from './walk.js';
import { makePeople, WALKED_ROLES, World } from './world.js';
import type { People } from './world.js';

const app = useApp(test);
let people: People;
const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);

test.serial.before('everybody who calls', async () => {
  people = await makePeople(app);
  // The first request with a token writes down its use; that is no part of any later one.
  for (const user of Object.values(people)) await app.as(user as BuiltUser).get('/version');
});

const makeWorld = () => World.make(app, people);

/** Roles that a route's ability is too high for. */
function refusedRoles(route: Route) {
  const least = leastRole(route.operation as never);
  if (least === null) return [];
  return least === 'admin' ? WALKED_ROLES : WALKED_ROLES.slice(0, WALKED_ROLES.indexOf(least));
}

/** Who should be let in: the least role, or the container's owner where any role may. */
function lowestAllowed(route: Route): BuiltUser {
  return people[callerOf(route) ?? leastRole(route.operation as never) ?? 'owner'];
}

test('each role below the needed one is 403 on every route, or 404 where it may not even see the record', async (t) => {
  const inContainer = allRoutes.filter((route) => containerOf(route) && refusedRoles(route).length > 0);
  t.true(inContainer.length > 0);
  const problems = await walkRoutes(inContainer, makeWorld, async (route, lane) => {
    const request = await lane.example(route);
    const answers = await Promise.all(
      refusedRoles(route).map(async (role) => ({ role, answer: await lane.send(app.as(people[role]), request) })),
    );
    return answers.map(({ role, answer }) => {
      const { status, body } = answer;
      const message = (body as { message?: unknown } | null)?.message;
      const refused =
        (status === 403 && /^403 Forbidden( - .+)?$/.test(String(message))) ||
        (status === 404 && message !== `404 ${containerOf(route)} Not Found`);
      const wrong = badForm(answer) ?? (refused ? null : told(answer));
      return wrong && `${nameOf(route)} as ${role}: ${wrong}`;
    });
  });
  t.deepEqual(problems, []);
});

test('what only administrators may do is 403 for everybody else, on every route outside projects and groups', async (t) => {
  const routes = allRoutes.filter((route) => !containerOf(route) && leastRole(route.operation as never) === 'admin');
  const problems = await walkRoutes(routes, makeWorld, async (route, lane) => {
    const answer = await lane.send(app.as(people.stranger), await lane.example(route));
    const refused = answer.status === 403 && String(answer.body?.message).startsWith('403 Forbidden');
    return [badForm(answer) ?? (refused ? null : `${nameOf(route)}: ${told(answer)}`)];
  });
  t.deepEqual(problems, []);
});

type Schemas = Record<string, unknown>;
const document = openApiDocument(allRoutes) as {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: Schemas }> }> }>
  >;
  components: object;
};

/** What is wrong with a success by the API's own description, or null. */
function unlikeDescribed(route: Route, answer: Answer): string | null {
  const { responses } = document.paths[templateOf(route.path)]?.[route.method.toLowerCase()] ?? {};
  const response = responses?.[String(answer.status)] ?? responses?.[`${Math.floor(answer.status / 100)}XX`];
  if (!response) return `status ${answer.status} is not described`;
  const schema = response.content?.['application/json']?.schema;
  if (!schema) return answer.status === 204 && answer.text !== '' ? 'a body where none should be' : null;
  if (answer.headers.get('content-type') !== 'application/json') return `type ${answer.headers.get('content-type')}`;
  const valid = ajv.compile({ ...schema, components: document.components });
  return valid(answer.body) ? null : ajv.errorsText(valid.errors).slice(0, 400);
}

test('the least role is let in on every route, and the answer is as the API description says', async (t) => {
  const problems = await walkRoutes(allRoutes, makeWorld, async (route, lane) => {
    await fillList(await lane.world(), route);
    const answer = await lane.send(app.as(lowestAllowed(route)), await lane.example(route));
    const wrong = answer.status < 300 ? unlikeDescribed(route, answer) : told(answer);
    return [wrong && `${nameOf(route)} as ${leastRole(route.operation as never) ?? 'owner'}: ${wrong}`];
  });
  t.deepEqual(problems, []);
});

test.serial('no route needs more SQL statements than its operation declares, sign-in included', async (t) => {
  const measure = async (route: Route, lane: Lane) => {
    await fillList(await lane.world(), route);
    const client = app.as(lowestAllowed(route));
    const request = await lane.example(route);
    // A read is measured the second time, when nothing is made ready any more; a write works only once.
    if (route.operation.kind === 'read') await lane.send(client, request);
    app.tokens.forget();
    const before = app.services.db.statements;
    const answer = await lane.send(client, request);
    const needed = app.services.db.statements - before;
    const { statements } = route.operation;
    if (answer.status >= 300) return [`${nameOf(route)}: ${told(answer)}`];
    return [needed > statements ? `${nameOf(route)} needs ${needed} statements and declares ${statements}` : null];
  };
  // One at a time, and before the other tests: the counter is one for the process.
  t.deepEqual(await walkRoutes(allRoutes, makeWorld, measure, 1), []);
});
