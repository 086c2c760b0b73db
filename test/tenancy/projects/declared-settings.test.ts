import test from 'ava';
import { settingEntries } from '../../../shared/tenancy/namespaces/declared-settings.js';
import { declaredSettings } from '../../../shared/tenancy/projects/declared-settings.js';
import { useApp } from '../../core/app.js';
import { otherValue } from '../containers/other-value.js';

// The plan is of the whole instance: one after the other.
const app = useApp(test);

/** Settings that are stored by themselves: a mirror needs a URL, a fork an upstream, some an administrator. */
const PLAIN = settingEntries(declaredSettings).filter(
  ([, { options }]) => options.setBy === undefined && !/mirror|of_forks/.test(options.visibleTo ?? ''),
);
const OTHER = Object.fromEntries(
  PLAIN.filter(([name]) => name !== 'mirror').map(([name, one]) => [name, otherValue(name, one)]),
);
// None of these may be open to more people than the repository, and a closed one cannot be forked.
const CHANGES = { ...OTHER, repository_access_level: 'enabled', forking_access_level: 'enabled' };

test.serial('changes of just those settings that say so stand in the audit log', async (t) => {
  const project = await app.build.project({ empty: true });
  const caller = app.as(project.owner);
  t.is((await caller.put(`/projects/${project.id}`, CHANGES)).status, 200);
  const { body } = await caller.get(`/projects/${project.id}/audit_events?per_page=100`);
  const auditedNames = new Set(body.map(({ details }: { details: { change?: string } }) => details.change));
  const unchanged = new Set(['repository_access_level', 'forking_access_level']);
  for (const [name, { options }] of PLAIN)
    if (name in CHANGES && !unchanged.has(name)) t.is(auditedNames.has(name), options.audited === true, name);
});

test.serial('a fork begins with just those settings of its upstream that say so', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  t.is((await app.as(project.owner).put(`/projects/${project.id}`, CHANGES)).status, 200);
  const caller = app.as(await app.build.user());
  const response = await caller.post(`/projects/${project.id}/fork`, {});
  t.is(response.status, 201, response.text);
  const { body } = await caller.get(`/projects/${response.body.id}`);
  for (const [name, one] of PLAIN) {
    // What more than the setting decides is not the upstream's either.
    if (!(name in OTHER) || one.initial === undefined) continue;
    const expectedValue: unknown = one.options.inherited ? CHANGES[name as keyof typeof CHANGES] : one.initial;
    t.deepEqual(body[name], expectedValue, name);
  }
});

test.serial('settings are shown to those whom they name, from their plan on, and ignored below it', async (t) => {
  const project = await app.build.project({ empty: true, visibility: 'public' });
  const owner = app.as(project.owner);
  const stranger = app.as(await app.build.user());
  const before = await owner.get(`/projects/${project.id}`);
  await app.set({ plan: 'free' });
  const edited = await owner.put(`/projects/${project.id}`, CHANGES);
  t.is(edited.status, 200, edited.text);
  const outside = await stranger.get(`/projects/${project.id}`);
  await app.set({ plan: 'ultimate' });
  const after = await owner.get(`/projects/${project.id}`);
  for (const [name, { options }] of PLAIN) {
    if (!(name in CHANGES)) continue;
    const { plan, visibleTo } = options;
    t.is(name in edited.body, plan === undefined && visibleTo !== 'nobody', `${name} in a free plan`);
    t.is(name in outside.body, plan === undefined && ![`maintainers`, 'nobody'].includes(visibleTo ?? ''), name);
    const expectedValue: unknown = plan === undefined ? CHANGES[name as keyof typeof CHANGES] : before.body[name];
    if (visibleTo !== 'nobody') t.deepEqual(after.body[name], expectedValue, name);
  }
});
