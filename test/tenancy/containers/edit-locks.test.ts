import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { holding } from '../../core/holding.js';

// The tests look for sessions that wait for locks, so they run one at a time.
const app = useApp(test);

test.serial('who may not edit a project or group is refused without waiting for whoever edits it', async (t) => {
  const group = await app.build.group({ visibility: 'public' });
  const project = await app.build.projectIn(group, { visibility: 'public' });
  const developer = app.as(await app.build.groupMember(group, 'developer'));
  const ctx = app.context();
  await ctx.transaction(async () => {
    await ctx.query(sql`select p.id from projects p where p.id = ${project.id} for update`);
    await ctx.query(sql`select n.id from namespaces n where n.id = ${group.id} for update`);
    for (const reference of [project.id, encodeURIComponent(project.full_path)])
      t.is((await developer.put(`/projects/${reference}`, { lfs_enabled: false })).status, 403);
    for (const params of [{ lfs_enabled: false }, { name: 'Other' }])
      t.is((await developer.put(`/groups/${group.id}`, params)).status, 403);
    const hidden = app.as(await app.build.user());
    t.is((await hidden.put('/projects/999999999', { lfs_enabled: false })).status, 404);
    t.is((await hidden.put('/groups/99999999999999999999', { lfs_enabled: false })).status, 404);
  });
});

test.serial('an edit sees what was edited while it waited', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const owner = app.as(group.owner);
  const edit = (path: string) => () => owner.put(path, { lfs_enabled: false });
  const renaming = sql`update projects set name = 'Renamed meanwhile' where id = ${project.id}`;
  const edited = await holding(app, renaming, edit(`/projects/${project.id}`));
  t.like(edited.body, { name: 'Renamed meanwhile', lfs_enabled: false });
  const describing = sql`update namespaces set description = 'Described meanwhile' where id = ${group.id}`;
  const described = await holding(app, describing, edit(`/groups/${group.id}`));
  t.like(described.body, { description: 'Described meanwhile', lfs_enabled: false });
});
