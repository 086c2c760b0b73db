import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { createRunnerAs } from './runner-owners.js';

const app = useApp(test);

// Contract: runners.gitbeaker
test('@gitbeaker/rest does the whole cycle of runners', async (t) => {
  const admin = await app.build.admin();
  const { id: projectId } = await app.build.project({ owner: admin, empty: true });
  const { id: otherId } = await app.build.project({ owner: admin, empty: true });
  const api = new Gitlab({ host: app.url, token: admin.token });
  const { Runners: runners, Users: users } = api;
  const created = await users.createCIRunner('project_type', {
    projectId,
    description: 'Builder',
    tagList: ['a', 'b'],
  });
  t.regex(created.token, /^glrt-/);
  const { id } = created as unknown as { id: number };
  t.like(await runners.show(id), { id, description: 'Builder', tag_list: ['a', 'b'], runner_type: 'project_type' });
  t.like(await runners.edit(id, { paused: true, tagList: ['c'], maximumTimeout: 900, accessLevel: 'ref_protected' }), {
    paused: true,
    tag_list: ['c'],
    maximum_timeout: 900,
    access_level: 'ref_protected',
  });
  const ids = (some: { id: number }[]) => some.map((one) => one.id);
  t.deepEqual(ids(await runners.all({ projectId, type: 'project_type' })), [id]);
  t.deepEqual(ids(await runners.all({ owned: true, paused: true, tagList: ['c'] })), [id]);
  t.true(ids(await runners.all()).includes(id));
  t.like(await runners.enable(otherId, id), { id });
  t.deepEqual(ids(await runners.all({ projectId: otherId, type: 'project_type' })), [id]);
  await runners.disable(otherId, id);
  await t.throwsAsync(() => runners.disable(projectId, id), { message: /Only one project associated/ });
  t.deepEqual(await runners.allJobs(id), []);
  await runners.remove({ runnerId: id });
  await t.throwsAsync(() => runners.show(id), { message: /404 Runner Not Found/ });
  const other = await createRunnerAs(app.as(admin), { runner_type: 'instance_type' });
  await runners.remove({ token: other.token } as never);
  await t.throwsAsync(() => runners.show(other.id), { message: /404 Runner Not Found/ });
  await t.throwsAsync(() => runners.register('token'), { message: /410/ });
});
