import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { leastRole } from '../../../api/core/openapi/least-role.js';
import { useApp } from '../app.js';
import { requestExample, specialCaller } from '../examples.js';
import { getContainer, nameOf, describeAnswer, walkRoutes, WALK_MS } from '../walk.js';
import { makePeople, Sandbox } from '../sandbox.js';
import type { People } from '../sandbox.js';

const app = useApp(test);
let people: People;

test.serial.before('everybody who calls', async () => {
  people = await makePeople(app);
});

const HEADERS = ['x-page', 'x-per-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages'];

/** The pagination headers that a response lacks, or whose values are wrong for the first page with two items. */
function lacks({ headers }: { headers: Headers }, counted: boolean): string[] {
  const names = counted ? HEADERS : HEADERS.slice(0, 4);
  const missing = names.filter((name) => headers.get(name) === null);
  if (headers.get('x-page') !== '1') missing.push('x-page of 1');
  if (headers.get('x-per-page') !== '2') missing.push('x-per-page of 2');
  if (headers.get('x-prev-page') !== '') missing.push('no x-prev-page');
  const link = headers.get('link') ?? '';
  const rels = [...link.matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel);
  const next = headers.get('x-next-page') === '' ? [] : ['next'];
  const expected = [...next, 'first', ...(counted ? ['last'] : [])];
  return rels.join() === expected.join() ? missing : [...missing, `links ${expected.join()}, but ${link}`];
}

// Contract: rest-7.3
test('every paged list has the six headers and its links', async (t) => {
  t.timeout(WALK_MS);
  const routes = allRoutes.filter(({ method, options }) => method === 'GET' && options.paginate === 'offset');
  t.true(routes.length > 30);
  const makeWorld = () => Sandbox.make(app, people);
  const problems = await walkRoutes(routes, makeWorld, async (route, walker) => {
    const role = getContainer(route) && leastRole(route) !== 'admin' ? 'owner' : 'admin';
    const caller = (await specialCaller(await walker.sandbox(), route)) ?? people[role];
    const request = await walker.example(route);
    request.params.per_page = 2;
    const answer = await walker.send(app.as(caller), request);
    if (answer.status !== 200) return [`${nameOf(route)}: ${describeAnswer(answer)}`];
    const missing = lacks(answer, !requestExample(route).uncounted);
    return [missing.length > 0 ? `${nameOf(route)}: lacks ${missing.join(', ')}` : null];
  });
  t.deepEqual(problems, []);
});
