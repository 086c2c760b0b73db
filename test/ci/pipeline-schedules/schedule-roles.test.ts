import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { create, NIGHTLY, getPath } from './schedule-steps.js';

const app = useApp(test);

const set = (
  project: { id: number },
  column: 'builds_access_level' | 'override' | 'public_jobs' | 'archived',
  value: string,
) =>
  app
    .context()
    .query(
      column === 'builds_access_level'
        ? sql`update projects set builds_access_level = ${value} where id = ${project.id}`
        : column === 'override'
          ? sql`update projects set ci_pipeline_variables_minimum_override_role = ${value} where id = ${project.id}`
          : column === 'public_jobs'
            ? sql`update projects set public_jobs = ${value === 'true'} where id = ${project.id}`
            : sql`update projects set archived = ${value === 'true'} where id = ${project.id}`,
    );

/** A private project whose branch `free` is unprotected, with a schedule of its owner and one member of each role. */
async function team(visibility = 'private') {
  const project = await app.build.project({ visibility });
  await app.as(project.owner).post(`/projects/${project.id}/repository/branches`, { branch: 'free', ref: 'main' });
  const { body: schedule } = await create(app.as(project.owner), project, { ref: 'free' });
  const members = {
    stranger: await app.build.user(),
    guest: await app.build.member(project, 'guest'),
    reporter: await app.build.member(project, 'reporter'),
    developer: await app.build.member(project, 'developer'),
    maintainer: await app.build.member(project, 'maintainer'),
    owner: project.owner,
    admin: await app.build.admin(),
  };
  return { project, schedule, members, one: (rest = '') => getPath(project, `/${schedule.id}${rest}`) };
}

type Members = Awaited<ReturnType<typeof team>>['members'];

async function statuses(members: Members, ask: (user: BuiltUser) => Promise<{ status: number }>) {
  const found: Record<string, number> = {};
  for (const [role, user] of Object.entries(members)) found[role] = (await ask(user)).status;
  return found;
}

// Contract: schedules-1.0
test('every endpoint answers 401 to anonymous callers, also on public projects', async (t) => {
  const { project, one } = await team('public');
  const requests: [string, string][] = [
    ['GET', getPath(project)],
    ['POST', getPath(project)],
    ['GET', one()],
    ['PUT', one()],
    ['DELETE', one()],
    ['GET', one('/pipelines')],
    ['GET', one('/runs')],
    ['GET', one('/next_runs')],
    ['POST', one('/take_ownership')],
    ['POST', one('/play')],
    ['POST', one('/variables')],
    ['GET', one('/variables/KEY')],
    ['PUT', one('/variables/KEY')],
    ['DELETE', one('/variables/KEY')],
  ];
  for (const [method, path] of requests) {
    const { status, body } = await app.anonymous.request(method, path);
    t.is(status, 401, `${method} ${path}`);
    t.deepEqual(body, { message: '401 Unauthorized' });
  }
});

// Contract: schedules-3.1
test('reading the list of a private project takes the Reporter role when public pipelines are off', async (t) => {
  const { project, members } = await team();
  await set(project, 'public_jobs', 'false');
  t.deepEqual(await statuses(members, (user) => app.as(user).get(getPath(project))), {
    stranger: 404,
    guest: 403,
    reporter: 200,
    developer: 200,
    maintainer: 200,
    owner: 200,
    admin: 200,
  });
  t.deepEqual((await app.as(members.guest).get(getPath(project))).body, { message: '403 Forbidden' });
});

// Contract: schedules-3.1
test('a schedule that one may not read is 404, with everything below it', async (t) => {
  const { project, members, one } = await team();
  await set(project, 'public_jobs', 'false');
  t.deepEqual(await statuses(members, (user) => app.as(user).get(one())), {
    stranger: 404,
    guest: 404,
    reporter: 200,
    developer: 200,
    maintainer: 200,
    owner: 200,
    admin: 200,
  });
  const guest = app.as(members.guest);
  for (const answer of [
    await guest.get(one('/pipelines')),
    await guest.get(one('/variables/KEY')),
    await guest.put(one(), {}),
    await guest.delete(one()),
    await guest.post(one('/play')),
    await guest.post(one('/take_ownership')),
    await guest.post(one('/variables'), { key: 'K', value: 'v' }),
  ]) {
    t.is(answer.status, 404);
    t.deepEqual(answer.body, { message: '404 Pipeline Schedule Not Found' });
  }
});

// Contract: schedules-3.1
test('with public pipelines Guests, and everybody on a public project, read schedules', async (t) => {
  const { project, members, one } = await team('public');
  t.is((await app.as(members.stranger).get(getPath(project))).status, 200);
  t.is((await app.as(members.guest).get(one())).status, 200);
  t.false('variables' in (await app.as(members.stranger).get(one())).body);
  await set(project, 'public_jobs', 'false');
  t.is((await app.as(members.stranger).get(getPath(project))).status, 403);
  t.is((await app.as(members.stranger).get(one())).status, 404);
  await set(project, 'public_jobs', 'true');
  await set(project, 'builds_access_level', 'private');
  t.is((await app.as(members.stranger).get(getPath(project))).status, 403);
  t.is((await app.as(members.guest).get(getPath(project))).status, 200);
});

// Contract: schedules-1.4
test('creating takes the Developer role', async (t) => {
  const { project, members } = await team();
  t.deepEqual(await statuses(members, (user) => app.as(user).post(getPath(project), { ...NIGHTLY, ref: 'free' })), {
    stranger: 404,
    guest: 403,
    reporter: 403,
    developer: 201,
    maintainer: 201,
    owner: 201,
    admin: 201,
  });
});

// Contract: schedules-1.5, schedules-3.3
test('editing is for the owner and administrators, and a Maintainer must take ownership first', async (t) => {
  const { members, one } = await team();
  t.deepEqual(await statuses(members, (user) => app.as(user).put(one(), { description: 'x' })), {
    stranger: 404,
    guest: 403,
    reporter: 403,
    developer: 403,
    maintainer: 403,
    owner: 200,
    admin: 200,
  });
  t.is((await app.as(members.maintainer).post(one('/take_ownership'))).status, 201);
  t.is((await app.as(members.maintainer).put(one(), { description: 'mine' })).status, 200);
  t.is((await app.as(members.owner).put(one(), { description: 'no longer' })).status, 403);
});

// Contract: schedules-3.3
test('an owner who is no Developer any more may neither edit nor delete', async (t) => {
  const { project, members } = await team();
  const { body } = await app.as(members.developer).post(getPath(project), { ...NIGHTLY, ref: 'free' });
  const path = getPath(project, `/${body.id}`);
  t.is((await app.as(members.developer).put(path, { description: 'x' })).status, 200);
  await app.build.member(project, 'reporter', members.developer);
  t.is((await app.as(members.developer).put(path, { description: 'y' })).status, 403);
  t.is((await app.as(members.developer).delete(path)).status, 403);
  t.is((await app.as(members.developer).post(`${path}/take_ownership`)).status, 403);
  t.false('variables' in (await app.as(members.developer).get(path)).body);
});

// Contract: schedules-3.4
test('deleting and taking ownership are for Maintainers and the owner', async (t) => {
  const { project, members } = await team();
  const mine = async () =>
    getPath(project, `/${(await app.as(members.owner).post(getPath(project), { ...NIGHTLY, ref: 'free' })).body.id}`);
  const expected = {
    stranger: 404,
    guest: 403,
    reporter: 403,
    developer: 403,
    maintainer: 201,
    owner: 200,
    admin: 201,
  };
  t.deepEqual(await statuses(members, async (user) => app.as(user).post(`${await mine()}/take_ownership`)), expected);
  await app.context().query(sql`delete from pipeline_schedules where project_id = ${project.id}`);
  t.deepEqual(await statuses(members, async (user) => app.as(user).delete(await mine())), {
    ...expected,
    maintainer: 200,
    admin: 200,
  });
  const own = (await app.as(members.developer).post(getPath(project), { ...NIGHTLY, ref: 'free' })).body;
  t.is((await app.as(members.developer).delete(getPath(project, `/${own.id}`))).status, 200);
});

// Contract: schedules-1.8
test('playing is for Developers, not only for the owner', async (t) => {
  const { members, one } = await team();
  t.deepEqual(await statuses(members, (user) => app.as(user).post(one('/play'))), {
    stranger: 404,
    guest: 403,
    reporter: 403,
    developer: 201,
    maintainer: 201,
    owner: 201,
    admin: 201,
  });
});

// Contract: schedules-7.2
test('a pipeline that was played is the pipeline of who played it', async (t) => {
  const { project, members, one } = await team();
  await app.as(members.developer).post(one('/play'));
  await app.work();
  const [pipeline] = (await app.as(members.owner).get(one('/pipelines'))).body;
  const { body } = await app.as(members.owner).get(`/projects/${project.id}/pipelines/${pipeline.id}`);
  t.is(body.user.id, members.developer.id);
});

// Contract: schedules-3.5, schedules-4.7
test('on a protected branch a Developer gets 400 with a reason when creating or editing, and 403 when playing', async (t) => {
  const { project, members, one } = await team();
  const developer = app.as(members.developer);
  const rejection = await create(developer, project);
  t.is(rejection.status, 400);
  t.deepEqual(rejection.body, {
    message: { base: ['The current user is not authorized to create the pipeline schedule'] },
  });
  const { body: own } = await create(developer, project, { ref: 'free' });
  const edited = await developer.put(getPath(project, `/${own.id}`), { ref: 'main' });
  t.is(edited.status, 400);
  t.deepEqual(edited.body, {
    message: { base: ['The current user is not authorized to update the pipeline schedule'] },
  });
  await app.as(members.owner).put(one(), { ref: 'main' });
  const played = await developer.post(one('/play'));
  t.is(played.status, 403);
  t.deepEqual(played.body, { message: '403 Forbidden' });
  t.is((await app.as(members.maintainer).post(one('/play'))).status, 201);
});

// Contract: schedules-3.2
test('the push rule or the merge rule of a branch lets one schedule on it', async (t) => {
  const { project, members } = await team();
  const owner = app.as(members.owner);
  await owner.delete(`/projects/${project.id}/protected_branches/main`);
  await owner.post(`/projects/${project.id}/protected_branches`, {
    name: 'main',
    push_access_level: 0,
    merge_access_level: 30,
  });
  t.is((await create(app.as(members.developer), project)).status, 201);
});

// Contract: protected-tags-5.6, schedules-3.2
test('a protected tag is open to schedules of those who may create it', async (t) => {
  const { project, members } = await team();
  await app.as(members.owner).post(`/projects/${project.id}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  await app.as(members.owner).post(`/projects/${project.id}/protected_tags`, { name: 'v*' });
  const { status, body } = await create(app.as(members.developer), project, { ref: 'v1' });
  t.is(status, 400);
  t.deepEqual(body, { message: { base: ['The current user is not authorized to create the pipeline schedule'] } });
  t.is((await create(app.as(members.maintainer), project, { ref: 'v1' })).status, 201);
});

// Contract: schedules-3.7
test('in an archived project schedules are read, and every write is 403', async (t) => {
  const { project, members, one } = await team();
  await app.as(members.owner).post(one('/variables'), { key: 'KEY', value: 'v' });
  await set(project, 'archived', 'true');
  const owner = app.as(members.owner);
  t.is((await owner.get(getPath(project))).status, 200);
  t.is((await owner.get(one())).status, 200);
  for (const answer of [
    await create(owner, project),
    await owner.put(one(), { description: 'x' }),
    await owner.delete(one()),
    await owner.post(one('/play')),
    await app.as(members.maintainer).post(one('/take_ownership')),
    await owner.post(one('/variables'), { key: 'K', value: 'v' }),
    await owner.put(one('/variables/KEY'), { value: 'v' }),
    await owner.delete(one('/variables/KEY')),
  ]) {
    t.is(answer.status, 403);
    t.deepEqual(answer.body, { message: '403 Forbidden' });
  }
});

// Contract: schedules-2.3
test('variables of the detail are for Maintainers and the owner, and left out for others', async (t) => {
  const { members, one } = await team();
  const canRead: Record<string, boolean> = {};
  for (const [role, user] of Object.entries(members))
    if (role !== 'stranger') canRead[role] = 'variables' in (await app.as(user).get(one())).body;
  t.deepEqual(canRead, { guest: false, reporter: false, developer: false, maintainer: true, owner: true, admin: true });
});

test('one variable is read by Maintainers and the owner', async (t) => {
  const { members, one } = await team();
  await app.as(members.owner).post(one('/variables'), { key: 'KEY', value: 'v' });
  t.deepEqual(await statuses(members, (user) => app.as(user).get(one('/variables/KEY'))), {
    stranger: 404,
    guest: 403,
    reporter: 403,
    developer: 403,
    maintainer: 200,
    owner: 200,
    admin: 200,
  });
});

// Contract: schedules-1.9
test('setting a variable takes the right to edit the schedule', async (t) => {
  const { members, one } = await team();
  let count = 0;
  const post = (user: BuiltUser) => app.as(user).post(one('/variables'), { key: `K${(count += 1)}`, value: 'v' });
  const expected = {
    stranger: 404,
    guest: 403,
    reporter: 403,
    developer: 403,
    maintainer: 403,
    owner: 201,
    admin: 201,
  };
  t.deepEqual(await statuses(members, post), expected);
  const key = `K${count}`;
  t.deepEqual(await statuses(members, (user) => app.as(user).put(one(`/variables/${key}`), { value: 'w' })), {
    ...expected,
    owner: 200,
    admin: 200,
  });
});

// Contract: schedules-1.12
test('deleting a variable is for the owner and Maintainers', async (t) => {
  const { members, one } = await team();
  let count = 0;
  const remove = async (user: BuiltUser) => {
    const key = `K${(count += 1)}`;
    await app.as(members.owner).post(one('/variables'), { key, value: 'v' });
    return app.as(user).delete(one(`/variables/${key}`));
  };
  t.deepEqual(await statuses(members, remove), {
    stranger: 404,
    guest: 403,
    reporter: 403,
    developer: 403,
    maintainer: 202,
    owner: 202,
    admin: 202,
  });
});

// Contract: schedules-3.6
test('the minimum role to set pipeline variables holds for variables of schedules', async (t) => {
  const { project, members, one } = await team();
  const owner = app.as(members.owner);
  await owner.post(one('/variables'), { key: 'KEY', value: 'v' });
  await set(project, 'override', 'no_one_allowed');
  for (const answer of [
    await owner.post(one('/variables'), { key: 'K', value: 'v' }),
    await owner.put(one('/variables/KEY'), { value: 'v' }),
    await owner.delete(one('/variables/KEY')),
  ])
    t.is(answer.status, 403);
  t.is((await owner.get(one('/variables/KEY'))).status, 200, 'reading stays');
  await set(project, 'override', 'maintainer');
  const { body: own } = await create(app.as(members.developer), project, { ref: 'free' });
  const path = getPath(project, `/${own.id}/variables`);
  t.is((await app.as(members.developer).post(path, { key: 'K', value: 'v' })).status, 403);
  await set(project, 'override', 'developer');
  t.is((await app.as(members.developer).post(path, { key: 'K', value: 'v' })).status, 201);
  await set(project, 'override', 'owner');
  t.is((await owner.post(one('/variables'), { key: 'K', value: 'v' })).status, 201);
});
