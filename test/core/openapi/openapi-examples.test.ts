import test from 'ava';
import type { z } from 'zod';
import { allRoutes } from '../../../api/domains.js';
import { openApiDocument } from '../../../api/core/openapi/document.js';
import { buildExample } from '../../../api/core/openapi/examples.js';
import { pathNames, getPathTemplate } from '../../../api/core/openapi/operations.js';
import { isRequired } from '../../../api/core/openapi/schemas.js';
import { leastRole } from '../../../api/core/openapi/least-role.js';
import { parseParams } from '../../../shared/core/operations/params.js';
import { useApp } from '../app.js';
import { written } from '../described.js';
import { requestExample, specialCaller } from '../examples.js';
import { getContainer, nameOf, ownFields, describeAnswer, WALK_MS, walkRoutes } from '../walk.js';
import { makePeople, Sandbox } from '../sandbox.js';

// A long test: it goes through every operation.

// Sends the documented example of each operation unchanged, because new API users start with them.

interface Described {
  parameters?: { name?: string; schema?: { examples?: unknown[] } }[];
  requestBody?: { content: Record<string, { example: Record<string, unknown> }> };
}

const { paths } = written(openApiDocument(allRoutes)) as unknown as {
  paths: Record<string, Record<string, Described>>;
};
const app = useApp(test);

const isFile = (field: z.ZodType): boolean => field.meta()?.format === 'binary';

test('every operation shows every parameter that it needs, by values that its own declaration takes', (t) => {
  for (const route of allRoutes) {
    const example = buildExample(route);
    const needed = [
      ...pathNames(route.path),
      // A text cannot represent a file.
      ...ownFields(route).flatMap(([name, field]) => (isRequired(field) && !isFile(field) ? [name] : [])),
    ];
    for (const name of needed) t.true(name in example, `${nameOf(route)}: no example of ${name}`);
    const fields = Object.values(route.operation.params.shape) as z.ZodType[];
    const takesFile = fields.some((field) => isRequired(field) && isFile(field));
    if (!takesFile)
      t.notThrows(() => parseParams(route.operation.params, example, route.operation.rules), nameOf(route));
    const described = paths[getPathTemplate(route.path)]?.[route.method.toLowerCase()];
    const inDocument = {
      ...Object.fromEntries(
        (described?.parameters ?? []).map(({ name, schema }) => [name?.replace(/\[\]$/, ''), schema?.examples?.[0]]),
      ),
      ...described?.requestBody?.content['application/json']?.example,
    };
    for (const [name, value] of Object.entries(example))
      t.deepEqual(inDocument[name], value, `${nameOf(route)}: ${name}`);
  }
});

test('an example shows nothing that is neither needed nor chosen: creating a project takes a name', (t) => {
  t.deepEqual(paths['/projects']?.post?.requestBody?.content['application/json']?.example, { name: 'Rocket' });
  const paging = ['page', 'per_page'];
  const filters = (paths['/projects']?.get?.parameters ?? []).filter(({ name = '' }) => !paging.includes(name));
  t.true(filters.length > 10);
  t.deepEqual(
    filters.filter(({ schema }) => schema?.examples !== undefined),
    [],
  );
});

test('no operation refuses the body that its description shows as malformed', async (t) => {
  t.timeout(WALK_MS);
  const people = await makePeople(app);
  const bodies = allRoutes.filter(
    (route) =>
      paths[getPathTemplate(route.path)]?.[route.method.toLowerCase()]?.requestBody &&
      requestExample(route).namesOthers === undefined,
  );
  t.true(bodies.length > 50);
  const makeWorld = () => Sandbox.make(app, people);
  const problems = await walkRoutes(bodies, makeWorld, async (route, walker) => {
    const request = await walker.example(route);
    // The branch is created by the test, because it contains the files to change.
    const { branch } = request.params;
    const inPath = new Set(pathNames(route.path));
    request.params = Object.fromEntries(Object.entries(buildExample(route)).filter(([name]) => !inPath.has(name)));
    if (branch !== undefined) request.params.branch = branch;
    const role = getContainer(route) ? 'owner' : 'admin';
    const user =
      (await specialCaller(await walker.sandbox(), route)) ?? people[leastRole(route) === 'admin' ? 'admin' : role];
    const answer = await walker.send(app.as(user), request);
    return [answer.status === 400 || answer.status === 422 ? `${nameOf(route)}: ${describeAnswer(answer)}` : null];
  });
  t.deepEqual(problems, []);
});
