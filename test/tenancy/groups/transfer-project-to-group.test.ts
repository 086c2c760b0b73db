import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: core-3.adopt
test('an administrator transfers a project into a group', async (t) => {
  const admin = await app.build.admin();
  const group = await app.build.group();
  const project = await app.build.project({ empty: true });
  const { status, body } = await app
    .as(admin)
    .post(`/groups/${group.id}/projects/${encodeURIComponent(project.full_path)}`);
  t.is(status, 201);
  t.is(body.id, group.id);
  t.deepEqual(
    (body.projects as { id: number }[]).map(({ id }) => id),
    [project.id],
  );
  const moved = await app.as(group.owner).get(`/projects/${project.id}`);
  t.is(moved.body.path_with_namespace, `${group.full_path}/${project.path}`);
  const again = await app.as(admin).post(`/groups/${group.id}/projects/${project.id}`);
  t.is(again.status, 400);
  t.regex(again.body.message, /^Failed to transfer project /);
});

// Contract: core-3.adopt
test('only administrators do, and only with projects that there are', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(await app.build.group({ owner: group.owner }));
  t.is((await app.as(group.owner).post(`/groups/${group.id}/projects/${project.id}`)).status, 403);
  const { status, body } = await app.as(await app.build.admin()).post(`/groups/${group.id}/projects/99999999`);
  t.is(status, 404);
  t.deepEqual(body, { message: '404 Project Not Found' });
});
