import test from 'ava';
import { settingEntries } from '../../../shared/tenancy/namespaces/declared-settings.js';
import { declaredGroupSettings } from '../../../shared/tenancy/groups/declared-group-settings.js';
import { useApp } from '../../core/app.js';
import { otherValue } from '../containers/other-value.js';

const app = useApp(test);

const SETTINGS = settingEntries(declaredGroupSettings);
const CHANGES: Record<string, unknown> = {
  ...Object.fromEntries(SETTINGS.map(([name, one]) => [name, otherValue(name, one)])),
  // Not every text is the name of a branch.
  default_branch: 'trunk',
};

/** A group whose settings an administrator changed from their defaults, as seen by its Owner and others. */
async function changedGroup() {
  const group = await app.build.group({ visibility: 'public' });
  const owner = app.as(group.owner);
  const before = await owner.get(`/groups/${group.id}`);
  const edited = await app.as(await app.build.admin()).put(`/groups/${group.id}`, CHANGES);
  return { group, owner, before, edited };
}

test('declared settings of a group are stored, and shown where they say so', async (t) => {
  const { group, owner, before, edited } = await changedGroup();
  t.is(edited.status, 200, edited.text);
  const after = await owner.get(`/groups/${group.id}`);
  for (const [name, { initial, options }] of SETTINGS) {
    if (options.visibleTo === 'nobody') continue;
    t.deepEqual(before.body[name], initial, name);
    t.deepEqual(edited.body[name], CHANGES[name], name);
    t.deepEqual(after.body[name], CHANGES[name], name);
  }
});

test('of settings of a group that only administrators choose, what an Owner sends is ignored', async (t) => {
  const { group, owner, before } = await changedGroup();
  const back = Object.fromEntries(SETTINGS.map(([name, { initial }]) => [name, initial]));
  const edited = await owner.put(`/groups/${group.id}`, { ...back, max_artifacts_size: 9 });
  t.is(edited.status, 200, edited.text);
  for (const [name, { initial, options }] of SETTINGS) {
    // Some kinds of settings treat null as omitted, so a null default cannot be restored by sending it.
    if (!(name in before.body) || initial === null) continue;
    t.deepEqual(edited.body[name], options.setBy === undefined ? initial : CHANGES[name], name);
  }
  t.is(edited.body.max_artifacts_size, CHANGES.max_artifacts_size);
});

test('changes of declared settings of a group stand in its audit log', async (t) => {
  const { group, owner } = await changedGroup();
  const { body } = await owner.get(`/groups/${group.id}/audit_events?per_page=100`);
  const auditedNames = new Set(body.map(({ details }: { details: { change?: string } }) => details.change));
  for (const [name, { options }] of SETTINGS) t.is(auditedNames.has(name), options.audited === true, name);
});

test('a subgroup begins with just those settings of the group above that say so', async (t) => {
  const { group, owner } = await changedGroup();
  const response = await owner.post('/groups', { name: 'Below', path: 'below', parent_id: group.id });
  t.is(response.status, 201, response.text);
  for (const [name, { initial, options }] of SETTINGS)
    if (options.visibleTo !== 'nobody')
      t.deepEqual(response.body[name], options.inherited ? CHANGES[name] : initial, name);
});
