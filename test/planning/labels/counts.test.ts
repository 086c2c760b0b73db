import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';

const app = useApp(test);

/** `open closed` of a label in a list with counts. */
async function countsIn(client: Client, path: string, name: string): Promise<string | undefined> {
  const { body } = await client.get(`${path}/labels?with_counts=true&only_group_labels=false`);
  type Counted = { name: string; open_issues_count: number; closed_issues_count: number };
  const label = (body as Counted[]).find((one) => one.name === name);
  return label && `${label.open_issues_count} ${label.closed_issues_count}`;
}

// Contract: labels-8.counts
test('a label counts the issues that the caller sees: in which projects, and which confidential ones', async (t) => {
  const group = await app.build.group({ visibility: 'public' });
  const open = await app.build.projectIn(group, { visibility: 'public' });
  const shut = await app.build.projectIn(group, { visibility: 'private' });
  const owner = app.as(group.owner);
  await owner.post(`/groups/${group.id}/labels`, { name: 'bug', color: 'red' });
  const author = await app.build.member(open, 'guest');
  const post = (client: Client, project: { id: number }, attributes: object = {}) =>
    client.post(`/projects/${project.id}/issues`, { title: 'x', labels: 'bug', ...attributes });
  await post(owner, open);
  const { body: done } = await post(owner, open);
  await post(owner, shut);
  await post(owner, open, { confidential: true });
  const guest = app.as(author);
  t.is((await post(guest, open, { confidential: true })).status, 201);
  await post(owner, open, { confidential: true, assignee_ids: [author.id] });
  await app.context().query(sql`update issues set state = 'closed' where id = ${done.id}`);
  const path = `/groups/${group.id}`;
  t.is(await countsIn(owner, path, 'bug'), '5 1');
  t.is(await countsIn(app.as(await app.build.admin()), path, 'bug'), '5 1');
  t.is(await countsIn(guest, path, 'bug'), '3 1');
  t.is(await countsIn(app.as(await app.build.user()), path, 'bug'), '1 1');
  t.is(await countsIn(app.anonymous, path, 'bug'), '1 1');
  t.is(await countsIn(app.as(await app.build.member(shut, 'planner')), path, 'bug'), '2 1');
  t.is(await countsIn(app.anonymous, `/projects/${open.id}`, 'bug'), '1 1');
  await owner.put(`/projects/${open.id}`, { issues_access_level: 'private' });
  t.is(await countsIn(app.anonymous, path, 'bug'), '0 0');
  t.is(await countsIn(guest, path, 'bug'), '3 1');
  await owner.put(`/projects/${open.id}`, { issues_access_level: 'disabled' });
  t.is(await countsIn(owner, path, 'bug'), '1 0');
});

test('counts follow labels and state as issues change, and are left out unless asked for', async (t) => {
  const project = await app.build.project({ empty: true });
  const as = app.as(project.owner);
  const path = `/projects/${project.id}`;
  const { id } = (await as.post(`${path}/issues`, { title: 'x', labels: 'a,b' })).body;
  const ctx = app.context();
  t.is(await countsIn(as, path, 'a'), '1 0');
  await ctx.query(sql`update issues set state = 'closed', confidential = true where id = ${id}`);
  t.is(await countsIn(as, path, 'a'), '0 1');
  t.is(await countsIn(app.as(await app.build.member(project, 'guest')), path, 'a'), '0 0');
  await ctx.query(sql`update issues set state = 'opened', confidential = false where id = ${id}`);
  t.is(await countsIn(app.as(await app.build.member(project, 'guest')), path, 'b'), '1 0');
  await as.delete(`${path}/labels/b`);
  t.deepEqual((await as.get(`${path}/issues/1`)).body.labels, ['a']);
  t.false('open_issues_count' in (await as.get(`${path}/labels`)).body[0]);
});

test('a promoted label has the issues of those that became one with it', async (t) => {
  const group = await app.build.group();
  const [one, two] = [await app.build.projectIn(group), await app.build.projectIn(group)];
  const as = app.as(group.owner);
  for (const { id } of [one, two]) await as.post(`/projects/${id}/issues`, { title: 'x', labels: 'bug' });
  t.is((await as.put(`/projects/${one.id}/labels/bug/promote`)).status, 200);
  t.is(await countsIn(as, `/groups/${group.id}`, 'bug'), '2 0');
  t.deepEqual((await as.get(`/projects/${two.id}/issues/1`)).body.labels, ['bug']);
});
