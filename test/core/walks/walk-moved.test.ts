import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { useApp } from '../app.js';
import { unique } from '../builders.js';
import { getContainer, nameOf, describeAnswer, walkRoutes, WALK_MS } from '../walk.js';
import { makePeople, Sandbox } from '../sandbox.js';
import type { People } from '../sandbox.js';

const app = useApp(test);
let people: People;

test.serial.before('everybody who calls', async () => {
  people = await makePeople(app);
});

/** A sandbox whose project was renamed: its record still has the old path. */
async function movedWorld(): Promise<Sandbox> {
  const sandbox = await Sandbox.make(app, people);
  await app.as(people.author).put(`/projects/${sandbox.project.id}`, { path: `moved-${unique()}` });
  return sandbox;
}

// Contract: projects-5.4.every
test("by a project's old path every GET is 301, and every other method 405", async (t) => {
  t.timeout(WALK_MS);
  const routes = allRoutes.filter((route) => getContainer(route) === 'Project');
  t.true(routes.length > 50);
  const problems = await walkRoutes(routes, movedWorld, async (route, walker) => {
    const { project } = await walker.sandbox();
    const request = await walker.example(route);
    request.path.id = project.full_path;
    const answer = await walker.send(app.as(people.author), request);
    const location = answer.headers.get('location') ?? '';
    const right =
      route.method === 'GET'
        ? answer.status === 301 && location.startsWith(`http://capstan.test/api/v4/projects/${project.id}`)
        : answer.status === 405 && answer.body?.message === 'Non GET methods are not allowed for moved projects';
    return [right ? null : `${nameOf(route)}: ${describeAnswer(answer)}`];
  });
  t.deepEqual(problems, []);
});
