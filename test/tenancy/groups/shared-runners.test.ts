import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

const STRICT = 'disabled_and_unoverridable';
const OVERRIDABLE = 'disabled_and_overridable';

/** A group with a subgroup, one in that, and a project in each. */
async function tree(setting = 'enabled') {
  const owner = await app.build.user();
  const top = await app.build.group({ owner, shared_runners_setting: setting });
  const sub = await app.build.group({ owner, parent: top });
  const deep = await app.build.group({ owner, parent: sub });
  const groups = [top, sub, deep];
  const projects: { id: number }[] = [];
  for (const group of groups) projects.push(await app.build.projectIn({ ...group, owner }));
  const client = app.as(owner);
  const set = (group: { id: number }, shared_runners_setting: string) =>
    client.put(`/groups/${group.id}`, { shared_runners_setting });
  const switchOn = (project: { id: number }, shared_runners_enabled = true) =>
    client.put(`/projects/${project.id}`, { shared_runners_enabled });
  const state = async () => ({
    groups: await Promise.all(
      groups.map(async ({ id }) => (await client.get(`/groups/${id}`)).body.shared_runners_setting as string),
    ),
    projects: await Promise.all(
      projects.map(async ({ id }) => (await client.get(`/projects/${id}`)).body.shared_runners_enabled as boolean),
    ),
  });
  return { owner, client, top, sub, deep, projects, set, switchOn, state };
}

// Contract: core-3.shared-runners
test('subgroups and projects are made with what their group has of shared runners', async (t) => {
  for (const [setting, enabled] of [
    ['enabled', true],
    [OVERRIDABLE, false],
    [STRICT, false],
  ] as const) {
    const { state } = await tree(setting);
    t.deepEqual(await state(), { groups: [setting, setting, setting], projects: [enabled, enabled, enabled] });
  }
});

// Contract: core-3.shared-runners
test('switching shared runners of a group off or on does so everywhere below', async (t) => {
  const { top, set, state } = await tree();
  for (const [setting, enabled] of [
    [STRICT, false],
    ['enabled', true],
    [OVERRIDABLE, false],
    ['enabled', true],
  ] as const) {
    t.is((await set(top, setting)).body.shared_runners_setting, setting);
    t.deepEqual(await state(), { groups: [setting, setting, setting], projects: [enabled, enabled, enabled] });
  }
});

// Contract: core-3.shared-runners
test('from unoverridable to overridable nothing below is switched, and a stricter subgroup stays so', async (t) => {
  const { top, sub, set, state } = await tree(STRICT);
  await set(top, OVERRIDABLE);
  t.deepEqual((await state()).groups, [OVERRIDABLE, STRICT, STRICT]);
  await set(sub, 'enabled');
  await set(top, 'enabled');
  await set(sub, STRICT);
  await set(top, OVERRIDABLE);
  t.deepEqual((await state()).groups, [OVERRIDABLE, STRICT, STRICT]);
});

// Contract: core-3.shared-runners
test('below a group that allows it, subgroups and projects switch shared runners on', async (t) => {
  const { sub, projects, set, switchOn, state } = await tree(OVERRIDABLE);
  const [first = { id: 0 }] = projects;
  t.is((await set(sub, 'enabled')).status, 200);
  t.is((await switchOn(first)).body.shared_runners_enabled, true);
  t.deepEqual(await state(), { groups: [OVERRIDABLE, 'enabled', 'enabled'], projects: [true, true, true] });
});

// Contract: core-3.shared-runners
test('below a group that does not, neither subgroups nor projects switch shared runners on', async (t) => {
  const { client, top, sub, projects, set, switchOn, state } = await tree(STRICT);
  const rejection = await set(sub, 'enabled');
  t.is(rejection.status, 400);
  t.deepEqual(rejection.body.message, {
    update_shared_runners: [
      'Validation failed: Shared runners enabled cannot be enabled because parent group has shared Runners disabled',
    ],
  });
  t.is((await set(sub, OVERRIDABLE)).status, 400);
  const attributes = { name: 'Late', path: 'late', parent_id: top.id, shared_runners_setting: 'enabled' };
  t.deepEqual((await client.post('/groups', attributes)).body, {
    message:
      'Failed to save group {:shared_runners_enabled=>["cannot be enabled because parent group has shared Runners disabled"]}',
  });
  const problem = { shared_runners_enabled: ['cannot be enabled because parent group does not allow it'] };
  const [first = { id: 0 }] = projects;
  const switched = await switchOn(first);
  t.deepEqual([switched.status, switched.body], [400, { message: problem }]);
  const project = { name: 'Late', namespace_id: top.id };
  const created = await client.post('/projects', { ...project, shared_runners_enabled: true });
  t.deepEqual([created.status, created.body], [400, { message: problem }]);
  t.is((await switchOn(first, false)).status, 200);
  t.deepEqual(await state(), { groups: [STRICT, STRICT, STRICT], projects: [false, false, false] });
});

// Contract: core-3.shared-runners
test('a group or project that goes below a stricter group has its shared runners switched off', async (t) => {
  const { owner, client, sub, state } = await tree();
  const strict = await app.build.group({ owner, shared_runners_setting: STRICT });
  t.is((await client.post(`/groups/${sub.id}/transfer`, { group_id: strict.id })).status, 201);
  t.deepEqual(await state(), { groups: ['enabled', STRICT, STRICT], projects: [true, false, false] });
  const project = await app.build.project({ owner });
  const moved = await client.put(`/projects/${project.id}/transfer`, { namespace: strict.id });
  t.is(moved.body.shared_runners_enabled, false);
  const events = await client.get(`/groups/${sub.id}/audit_events`);
  t.true(
    (events.body as { details: { change?: string; to?: string } }[]).some(
      ({ details }) => details.change === 'shared_runners_setting' && details.to === STRICT,
    ),
  );
});

// Contract: core-3.shared-runners
test('a fork comes to a stricter group without shared runners', async (t) => {
  const owner = await app.build.user();
  const strict = await app.build.group({ owner, shared_runners_setting: STRICT });
  const project = await app.build.project({ owner });
  const { status, body } = await app.as(owner).post(`/projects/${project.id}/fork`, { namespace_id: strict.id });
  t.is(status, 201);
  t.is(body.shared_runners_enabled, false);
});

test('only Owners say whether shared runners work for a group', async (t) => {
  const { top } = await tree();
  const maintainer = await app.build.groupMember(top, 'maintainer');
  t.is((await app.as(maintainer).put(`/groups/${top.id}`, { shared_runners_setting: STRICT })).status, 403);
});
