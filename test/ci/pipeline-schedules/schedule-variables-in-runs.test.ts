import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { create, getPath, ring } from './schedule-steps.js';

const app = useApp(test);
const SECRET = 'what only some may know';

/** A Developer's schedule with a variable, and users of all kinds who may request it. */
async function sandbox() {
  const project = await app.build.project();
  await app.as(project.owner).post(`/projects/${project.id}/repository/branches`, { branch: 'work', ref: 'main' });
  const [author, other, maintainer] = [
    await app.build.member(project, 'developer'),
    await app.build.member(project, 'developer'),
    await app.build.member(project, 'maintainer'),
  ];
  const people: Record<string, BuiltUser> = {
    author,
    other,
    maintainer,
    owner: project.owner,
    reporter: await app.build.member(project, 'reporter'),
    administrator: await app.build.admin(),
  };
  const { body: schedule } = await create(app.as(author), project, { ref: 'work', cron: '0 * * * *' });
  const one = (rest = '') => getPath(project, `/${schedule.id}${rest}`);
  await app.as(author).post(one('/variables'), { key: 'KEY', value: SECRET });
  /** The users whose response contains the value. */
  const listReaders = async (ask: (user: BuiltUser) => Promise<{ text: string }>) => {
    const names: string[] = [];
    for (const [name, user] of Object.entries(people)) if ((await ask(user)).text.includes(SECRET)) names.push(name);
    return names;
  };
  const inRun = async () => {
    const [run] = (await app.as(project.owner).get(one('/pipelines?sort=desc'))).body;
    return (user: BuiltUser) => app.as(user).get(`/projects/${project.id}/pipelines/${run.id}/variables`);
  };
  return { project, people, one, schedule, author, other, maintainer, listReaders, inRun };
}

const READERS = ['author', 'maintainer', 'owner', 'administrator'];

// Contract: delivery-3.variables
test.serial('the variables of a run are read by whom its schedule shows them, and by nobody else', async (t) => {
  const { people, one, other, author, schedule, project, maintainer, listReaders, inRun } = await sandbox();
  t.deepEqual(await listReaders((user) => app.as(user).get(one())), READERS);
  const query = `{ project(fullPath: "${project.full_path}") {
    pipelineSchedules { nodes { variables { nodes { value } } } } } }`;
  t.deepEqual(await listReaders((user) => app.as(user).graphql(query)), READERS);
  app.clock.advance('1 hour');
  await ring(app);
  t.deepEqual(await listReaders(await inRun()), READERS, 'due');
  // Playing makes the run one's own, and shows nothing of the schedule's all the same.
  for (const [player, readers] of [
    [other, ['maintainer', 'owner', 'administrator']],
    [author, READERS],
  ] as const) {
    t.is((await app.as(player).post(one('/play'))).status, 201);
    await app.work();
    const ask = await inRun();
    t.deepEqual(await listReaders(ask), readers, `played by ${player.username}`);
    t.deepEqual((await ask(people.reporter as BuiltUser)).body, { message: '403 Forbidden' });
  }
  const ask = await inRun();
  await app.as(maintainer).post(one('/take_ownership'));
  t.deepEqual(await listReaders(ask), ['maintainer', 'owner', 'administrator'], 'taken over');
  await app.as(maintainer).delete(one());
  t.deepEqual(await listReaders(ask), ['maintainer', 'owner', 'administrator'], `deleted ${schedule.id}`);
});
