import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { ed25519, keyedProject } from './keys.js';

const app = useApp(test);
const getClient = (token: string) => new Gitlab({ host: app.url, token });

// Contract: deploy-keys.gitbeaker
test('@gitbeaker/rest adds, lists, shows, edits, enables and removes deploy keys', async (t) => {
  const one = await keyedProject(app);
  const two = await keyedProject(app, { owner: one.owner });
  const { DeployKeys: keys } = getClient(one.owner.token);
  const key = ed25519();
  const newKey = await keys.create(one.id, 'Robot', key, { canPush: true });
  t.like(newKey, { title: 'Robot', key, can_push: true });
  t.like(await keys.show(one.id, newKey.id), { id: newKey.id, key });
  t.like(await keys.edit(one.id, newKey.id, { title: 'Other', canPush: false }), { title: 'Other', can_push: false });
  t.like(await keys.enable(two.id, newKey.id), { id: newKey.id });
  t.deepEqual(
    (await keys.all({ projectId: two.id })).map(({ id }) => id),
    [newKey.id],
  );
  const { DeployKeys: all } = getClient((await app.build.admin()).token);
  t.true((await all.all()).some(({ id }) => id === newKey.id));
  await keys.remove(one.id, newKey.id);
  await keys.remove(two.id, newKey.id);
  t.deepEqual(await keys.all({ projectId: one.id }), []);
  await t.throwsAsync(keys.show(one.id, newKey.id), { message: /404 Not found/ });
});

// Contract: deploy-keys.gitbeaker, protected-refs.gitbeaker
test('@gitbeaker/rest protects branches and tags for a deploy key, shows, edits and unprotects them', async (t) => {
  const { id: project, owner } = await keyedProject(app);
  const { DeployKeys: keys, ProtectedBranches: branches, ProtectedTags: tags } = getClient(owner.token);
  const { id } = await keys.create(project, 'Robot', ed25519(), { canPush: true });
  const allowed = [{ deploy_key_id: id }] as never;
  t.like(await branches.protect(project, 'release/*', { allowedToPush: allowed }), {
    name: 'release/*',
    push_access_levels: [{ deploy_key_id: id, access_level_description: 'Robot' }],
  } as object);
  t.like(await branches.show(project, 'release/*'), { name: 'release/*' });
  t.like(await branches.edit(project, 'release/*', { allowForcePush: true }), { allow_force_push: true });
  t.deepEqual(
    (await branches.all(project)).map(({ name }) => name),
    ['release/*'],
  );
  await branches.unprotect(project, 'release/*');
  t.deepEqual(await branches.all(project), []);
  t.like(await tags.protect(project, 'v*', { allowedToCreate: allowed }), {
    name: 'v*',
    create_access_levels: [{ deploy_key_id: id, access_level_description: 'Robot' }],
  } as object);
  t.like(await tags.show(project, 'v*'), { name: 'v*' });
  t.is((await tags.all(project)).length, 1);
  await tags.unprotect(project, 'v*');
  t.deepEqual(await tags.all(project), []);
});
