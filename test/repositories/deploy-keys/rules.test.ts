import test from 'ava';
import { refRights } from '../../../shared/repositories/protected-refs/ref-rights.js';
import { removeUser } from '../../../shared/tenancy/users/remove-user.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { keyedProject, keyIn } from './keys.js';
import type { Keyed } from './keys.js';

const app = useApp(test);
const KINDS = ['branches', 'tags'] as const;
type Kind = (typeof KINDS)[number];

/** API names for what a key is allowed to do with branches and with tags. */
const ALLOWED = { branches: 'allowed_to_push', tags: 'allowed_to_create' } as const;
const LEVELS = { branches: 'push_access_levels', tags: 'create_access_levels' } as const;
const LABELS = { branches: 'Push', tags: 'Create' } as const;

const getPath = ({ id }: Keyed, kind: Kind) => `/projects/${id}/protected_${kind}`;

const protect = (project: Keyed, kind: Kind, keyId: number, name = 'v*') =>
  app.as(project.owner).post(getPath(project, kind), { name, [ALLOWED[kind]]: [{ deploy_key_id: keyId }] });

/** The entries of the rule `v*`, as returned. */
async function getEntries(project: Keyed, kind: Kind): Promise<Record<string, unknown>[]> {
  const { body } = await app.as(project.owner).get(`${getPath(project, kind)}/v*`);
  return body[LEVELS[kind]];
}

/** Whether a deploy key may push to a branch, and create a tag, that the rules `v*` hold for. */
async function admitted(project: Keyed, keyId: number, owner: BuiltUser, access: number): Promise<boolean[]> {
  const question = { project_id: project.id, user_id: owner.id, admin: owner.admin, access, deploy_key_id: keyId };
  const [branch, tag] = await refRights(app.context(), [
    { ...question, full_name: 'refs/heads/v1' },
    { ...question, full_name: 'refs/tags/v1' },
  ]);
  return [branch!.push, tag!.create];
}

// Contract: deploy-keys.entries, protected-tags-2.4
test('a rule over branches or tags names a key that may push, and shows its title as a Maintainer', async (t) => {
  for (const kind of KINDS) {
    const project = await keyedProject(app);
    const { id } = await keyIn(app, project, { title: 'Robot', can_push: true });
    const response = await protect(project, kind, id);
    t.is(response.status, 201);
    const [entry, ...more] = await getEntries(project, kind);
    t.deepEqual(more, []);
    t.deepEqual(
      { ...entry, id: 0 },
      {
        id: 0,
        access_level: 40,
        access_level_description: 'Robot',
        user_id: null,
        group_id: null,
        deploy_key_id: id,
      },
    );
    await app.as(project.owner).put(`${project.path}/${id}`, { title: 'Other' });
    t.is((await getEntries(project, kind))[0]?.['access_level_description'], 'Other');
  }
});

// Contract: deploy-keys.entries, protected-tags-3.6
test('a key that only reads, of another project, or none at all is 422, in unverified words', async (t) => {
  const other = await keyedProject(app);
  const theirs = await keyIn(app, other, { can_push: true });
  for (const kind of KINDS) {
    const project = await keyedProject(app);
    const reading = await keyIn(app, project);
    for (const id of [reading.id, theirs.id, 99_999_999]) {
      const { status, body } = await protect(project, kind, id);
      t.deepEqual(
        [status, body],
        [422, { message: [`${LABELS[kind]} access levels deploy key is not enabled for this project`] }],
      );
    }
    t.deepEqual((await app.as(project.owner).get(getPath(project, kind))).body, []);
  }
});

test('a key neither merges nor takes a protection away: 422, in unverified words', async (t) => {
  const project = await keyedProject(app);
  const { id } = await keyIn(app, project, { can_push: true });
  const client = app.as(project.owner);
  await client.post(getPath(project, 'branches'), { name: 'v*' });
  for (const action of ['merge', 'unprotect']) {
    const entry = { [`allowed_to_${action}`]: [{ deploy_key_id: id }] };
    for (const { status, body } of [
      await client.post(getPath(project, 'branches'), { name: 'other', ...entry }),
      await client.patch(`${getPath(project, 'branches')}/v*`, entry),
    ]) {
      t.is(status, 422);
      t.regex(body.message[0], new RegExp(`access levels deploy key cannot ${action}$`));
    }
  }
});

// Contract: deploy-keys.entries
test('an entry with a key is added to a protected branch, once, and taken away', async (t) => {
  const project = await keyedProject(app);
  const { id } = await keyIn(app, project, { can_push: true });
  const patch = (body: object) => app.as(project.owner).patch(`${getPath(project, 'branches')}/v*`, body);
  await app.as(project.owner).post(getPath(project, 'branches'), { name: 'v*' });
  await patch({ allowed_to_push: [{ deploy_key_id: id }] });
  const { body } = await patch({ allowed_to_push: [{ deploy_key_id: id }] });
  t.deepEqual(
    body.push_access_levels.map((level: { deploy_key_id?: number }) => level.deploy_key_id),
    [undefined, id],
  );
  await patch({ allowed_to_push: [{ id: body.push_access_levels[1].id, _destroy: true }] });
  t.is((await getEntries(project, 'branches')).length, 1);
});

// Contract: deploy-keys.counts
test.serial(
  'an entry counts for its own key, while that may push, has not ended, and its owner is a Developer or above',
  async (t) => {
    const project = await keyedProject(app);
    const { owner } = project;
    const { id } = await keyIn(app, project, { can_push: true, expires_at: '2030-01-02' });
    const other = await keyIn(app, project, { can_push: true });
    for (const kind of KINDS) await protect(project, kind, id);
    const both = (value: boolean) => [value, value];
    t.deepEqual(await admitted(project, id, owner, 50), both(true));
    t.deepEqual(await admitted(project, id, owner, 30), both(true));
    t.deepEqual(await admitted(project, id, owner, 20), both(false), 'the owner is a Reporter by now');
    t.deepEqual(await admitted(project, id, owner, 0), both(false), 'the owner is no member any more');
    t.deepEqual(await admitted(project, id, await app.build.user(), 50), both(false), 'somebody else');
    t.deepEqual(await admitted(project, other.id, owner, 50), both(false), 'another key');
    await app.as(owner).put(`${project.path}/${id}`, { can_push: false });
    t.deepEqual(await admitted(project, id, owner, 50), both(false), 'it only reads by now');
    await app.as(owner).put(`${project.path}/${id}`, { can_push: true });
    t.deepEqual(await admitted(project, id, owner, 50), both(true));
    app.clock.advance('2 days');
    t.deepEqual(await admitted(project, id, owner, 50), both(false), 'it has ended');
  },
);

// Contract: deploy-keys.counts
test('an entry with a key lets no user push, its owner neither', async (t) => {
  const project = await app.build.project();
  const keyed = { id: project.id, owner: project.owner, path: `/projects/${project.id}/deploy_keys` };
  const { id } = await keyIn(app, keyed, { can_push: true });
  for (const kind of KINDS) await protect(keyed, kind, id);
  const create = (kind: Kind, body: object) =>
    app.as(project.owner).post(`/projects/${project.id}/repository/${kind}`, { ref: 'main', ...body });
  t.not((await create('branches', { branch: 'v1' })).status, 201);
  t.is((await create('tags', { tag_name: 'v1' })).status, 400);
});

// Contract: deploy-keys.entries-go, protected-tags-5.7
test('removing a key from a project removes its entries there; a rule left without any admits nobody', async (t) => {
  const one = await keyedProject(app);
  const two = await keyedProject(app, { owner: one.owner });
  const { id, key } = await keyIn(app, one, { can_push: true });
  await keyIn(app, two, { key, can_push: true });
  for (const kind of KINDS) for (const project of [one, two]) await protect(project, kind, id);
  await app.as(one.owner).delete(`${one.path}/${id}`);
  for (const kind of KINDS) {
    t.deepEqual(await getEntries(one, kind), []);
    t.is((await getEntries(two, kind)).length, 1);
  }
});

// Contract: deploy-keys.users
test('a key stays when its owner is deleted, with its entries, which admit nobody any more', async (t) => {
  const project = await keyedProject(app);
  for (const hard of [false, true]) {
    const owner = await app.build.member(project, 'maintainer');
    const { id } = await keyIn(app, { ...project, owner }, { can_push: true });
    for (const kind of KINDS) await protect(project, kind, id, `${String(hard)}*`);
    await removeUser(app.context(), owner.id, hard);
    t.like((await app.as(project.owner).get(`${project.path}/${id}`)).body, { id, can_push: true });
    t.is(
      (await app.as(project.owner).get(`${getPath(project, 'tags')}/${String(hard)}*`)).body.create_access_levels
        .length,
      1,
    );
    const [rights] = await refRights(app.context(), [
      {
        project_id: project.id,
        full_name: `refs/tags/${String(hard)}1`,
        user_id: owner.id,
        admin: false,
        access: 50,
        deploy_key_id: id,
      },
    ]);
    t.false(rights!.create);
  }
});

// Contract: deploy-keys.plans
test.serial(
  'below Premium rules over tags still take keys; those over branches take roles alone, and keep what they had',
  async (t) => {
    const project = await keyedProject(app);
    const { id } = await keyIn(app, project, { can_push: true });
    await protect(project, 'branches', id);
    await app.set({ plan: 'free' });
    t.teardown(() => app.set({ plan: 'ultimate' }));
    t.is((await protect(project, 'tags', id)).status, 201);
    t.is((await getEntries(project, 'tags'))[0]?.['deploy_key_id'], id);
    const { body } = await protect(project, 'branches', id, 'w*');
    t.deepEqual(
      body.push_access_levels.map((level: { access_level: number }) => level.access_level),
      [40],
    );
    t.is((await getEntries(project, 'branches'))[0]?.['deploy_key_id'], id);
  },
);
