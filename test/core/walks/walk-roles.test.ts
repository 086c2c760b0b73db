import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { openApiDocument } from '../../../api/core/openapi/document.js';
import { leastRole } from '../../../api/core/openapi/least-role.js';
import { getPathTemplate } from '../../../api/core/openapi/operations.js';
import type { RestRoute } from '../../../api/core/routes.js';
import { UserCaller } from '../../../shared/core/context/callers.js';
import type { Context } from '../../../shared/core/context/context.js';
import { CapstanError } from '../../../shared/core/values/errors.js';
import { parseParams } from '../../../shared/core/operations/params.js';
import { TOKEN_SCOPES } from '../../../shared/auth/personal-access-tokens/create-token.js';
import { written } from '../described.js';
import { useApp } from '../app.js';
import type { BuiltUser } from '../builders.js';
import type { Answer } from '../client.js';
import { examplesFile, fillList, makeReady, specialCaller } from '../examples.js';
import { badForm, getContainer, nameOf, describeAnswer, takesUsers, walkRoutes, WALK_MS } from '../walk.js';
import type { Walker, WalkRequest } from '../walk.js';
import { makePeople, WALKED_ROLES, Sandbox } from '../sandbox.js';
import type { People } from '../sandbox.js';

// A long test: it goes through every route.

const app = useApp(test);
let people: People;
const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);

test.serial.before('everybody who calls', async () => {
  people = await makePeople(app);
});

const makeWorld = () => Sandbox.make(app, people);

/** Whether the operation's own rule permits a user, checked with the real record. */
async function mayCall(user: BuiltUser, { route: { operation }, path }: WalkRequest): Promise<boolean> {
  const ctx = app.context(new UserCaller(user, { kind: 'access', id: user.token_id, scopes: TOKEN_SCOPES }));
  try {
    // Some finders lock what they find, which only a transaction can.
    const record = await ctx.transaction(() =>
      operation.resource.find(
        ctx as Context<never>,
        parseParams(operation.resourceParams, path) as Record<string, unknown>,
      ),
    );
    return operation.rule?.(ctx.caller, record) ?? true;
  } catch (error) {
    if (error instanceof CapstanError) return false;
    throw error;
  }
}

type CallerName = (typeof WALKED_ROLES)[number] | 'admin';

/**
 * The lowest role that the rule permits, and the roles that it denies; outside containers all users are treated the
 * same way.
 */
async function rightsTo(
  request: WalkRequest,
): Promise<{ least: CallerName; deniedRoles: (typeof WALKED_ROLES)[number][] }> {
  // The token of a program stands in a parameter, whoever sends it.
  if (request.route.options.headerParams) return { least: 'guest', deniedRoles: [] };
  const roles = getContainer(request.route) ? WALKED_ROLES : (['guest'] as const);
  const answers = await Promise.all(roles.map((role) => mayCall(people[role], request)));
  return {
    least: roles.find((_role, index) => answers[index]) ?? 'admin',
    deniedRoles: roles.filter((_role, index) => !answers[index]),
  };
}

// Contract: walk-8
test("who is refused by an operation's rule is 403 on its route, or 404 where the record is not to be seen", async (t) => {
  t.timeout(WALK_MS);
  const problems = await walkRoutes(allRoutes.filter(takesUsers), makeWorld, async (route, walker) => {
    const request = await walker.example(route);
    const { deniedRoles } = await rightsTo(request);
    const answers = await Promise.all(
      deniedRoles.map(async (role) => ({ role, answer: await walker.send(app.as(people[role]), request) })),
    );
    return answers.map(({ role, answer }) => {
      const { status, body } = answer;
      const message = String((body as { message?: unknown } | null)?.message);
      const denied =
        (status === 403 && message.startsWith('403 Forbidden')) ||
        message === route.operation.denial?.().message ||
        (status === 404 && message !== `404 ${getContainer(route)} Not Found`) ||
        // Tokens of other users are never revealed (core-resources.md section 2).
        (status === 401 && !getContainer(route));
      const wrong = badForm(answer) ?? (denied ? null : describeAnswer(answer));
      return wrong && `${nameOf(route)} as ${role}: ${wrong}`;
    });
  });
  t.deepEqual(problems, []);
});

// Contract: walk-9
test('the least role that the API description names is the least that the rule lets through', async (t) => {
  t.timeout(WALK_MS);
  const described = allRoutes.filter((route) => getContainer(route) && route.operation.rule);
  t.true(described.length > 0);
  const problems = await walkRoutes(described, makeWorld, async (route, walker) => {
    const { least } = await rightsTo(await walker.example(route));
    const documentedRole = leastRole(route);
    return [documentedRole === least ? null : `${nameOf(route)}: described as ${documentedRole}, but ${least} may`];
  });
  t.deepEqual(problems, []);
});

type Schemas = Record<string, unknown>;
const document = written(openApiDocument(allRoutes)) as {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: Schemas }> }> }>
  >;
  components: object;
};

/** How a successful response violates the API's own description, or null. */
function unlikeDescribed(route: RestRoute, answer: Answer): string | null {
  const { responses } = document.paths[getPathTemplate(route.path)]?.[route.method.toLowerCase()] ?? {};
  const response = responses?.[String(answer.status)] ?? responses?.[`${Math.floor(answer.status / 100)}XX`];
  if (!response) return `status ${answer.status} is not described`;
  const schema = response.content?.['application/json']?.schema;
  if (!schema) return answer.status === 204 && answer.text !== '' ? 'a body where none should be' : null;
  if (answer.headers.get('content-type') !== 'application/json') return `type ${answer.headers.get('content-type')}`;
  const valid = ajv.compile({ ...schema, components: document.components });
  return valid(answer.body) ? null : ajv.errorsText(valid.errors).slice(0, 400);
}

/** The request that should succeed, and who sends it. */
async function readyRequest(
  route: RestRoute,
  walker: Walker,
): Promise<{ request: WalkRequest; user: BuiltUser; least: string }> {
  const sandbox = await walker.sandbox();
  await fillList(sandbox, route);
  const request = await walker.example(route);
  const { least } = await rightsTo(request);
  // If every role passes the rule, checks inside the operation may still require the owner.
  const role = route.operation.rule || !getContainer(route) ? least : 'owner';
  const user = (await specialCaller(sandbox, route)) ?? people[role];
  await makeReady(sandbox, route, request.path);
  return { request, user, least: role };
}

// Contract: walk-9
test('the least role is let in on every route, and the answer is as the API description says', async (t) => {
  t.timeout(WALK_MS);
  const problems = await walkRoutes(allRoutes, makeWorld, async (route, walker) => {
    const { request, user, least } = await readyRequest(route, walker);
    const answer = await walker.send(app.as(user), request);
    const wrong = answer.status < 300 ? unlikeDescribed(route, answer) : describeAnswer(answer);
    // A refusal may also be one of an example that is not declared.
    return [wrong && `${nameOf(route)} as ${least}: ${wrong} (examples: ${examplesFile(route)})`];
  });
  t.deepEqual(problems, []);
});

// Contract: walk-10
test.serial('no route needs more SQL statements than its operation declares, sign-in included', async (t) => {
  t.timeout(WALK_MS);
  const measure = async (route: RestRoute, walker: Walker) => {
    const { request, user } = await readyRequest(route, walker);
    const client = app.as(user);
    // A read is measured the second time, when nothing is made ready any more; a write works only once.
    if (route.operation.kind === 'read') await walker.send(client, request);
    await app.tokens.written();
    app.tokens.forget();
    const before = app.services.db.statements;
    const answer = await walker.send(client, request);
    const needed = app.services.db.statements - before;
    const { statements } = route.operation;
    if (answer.status >= 300) return [`${nameOf(route)}: ${describeAnswer(answer)}`];
    return [needed > statements ? `${nameOf(route)} needs ${needed} statements and declares ${statements}` : null];
  };
  // One at a time, and before the other tests: the counter is one for the process.
  t.deepEqual(await walkRoutes(allRoutes, makeWorld, measure, 1), []);
});
