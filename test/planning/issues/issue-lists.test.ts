import test from 'ava';
import { useApp } from '../../core/app.js';
import type { Answer } from '../../core/client.js';
import { sql } from 'kysely';
import { issuesIn } from './issue-steps.js';

const app = useApp(test);

const iids = ({ body }: Answer): number[] => body.map(({ iid }: { iid: number }) => iid);

/** Four issues: what each has is in its title. */
async function four() {
  const steps = await issuesIn(app);
  const { project, owner, make, edit, milestone } = steps;
  const member = await app.build.member(project, 'developer');
  const [past, next] = [
    await milestone({ project }, { title: 'past', start_date: '2029-12-01', due_date: '2030-01-05' }),
    await milestone({ project }, { title: 'next', start_date: '2030-03-01', due_date: '2030-04-01' }),
  ];
  await make({ title: 'Red apple', labels: 'fruit,red', weight: 3, milestone_id: past, due_date: '2029-12-31' });
  await make({ title: 'Green pear', description: 'not an apple', labels: 'fruit', assignee_ids: [member.id] });
  await make({
    title: 'car',
    labels: 'red',
    issue_type: 'incident',
    weight: 1,
    milestone_id: next,
    due_date: '2030-01-01',
  });
  await make({ title: 'secret', confidential: true, assignee_ids: [member.id, owner.id], due_date: '2030-02-10' });
  await edit(3, { state_event: 'close' });
  return { ...steps, member };
}

// Contract: core-6.filters
test('every filter finds what it names, with None, Any and what is left out', async (t) => {
  const { path, owner, member } = await four();
  const rows: [string, number[]][] = [
    ['', [4, 3, 2, 1]],
    ['state=opened', [4, 2, 1]],
    ['state=closed', [3]],
    ['state=all', [4, 3, 2, 1]],
    ['labels=fruit', [2, 1]],
    ['labels=fruit,red', [1]],
    ['labels[]=red', [3, 1]],
    ['labels=None', [4]],
    ['labels=any', [3, 2, 1]],
    ['labels=unknown', []],
    ['not[labels]=red', [4, 2]],
    ['not[labels]=red,fruit', [4]],
    ['milestone=past', [1]],
    ['milestone=None', [4, 2]],
    ['milestone=Any', [3, 1]],
    ['milestone_id=Upcoming', [1]],
    ['milestone_id=started', [1]],
    ['milestone=%23upcoming', [1]],
    ['not[milestone]=past', [4, 3, 2]],
    ['not[milestone_id]=Any', [4, 2]],
    ['iids[]=1&iids[]=3', [3, 1]],
    ['iids=1,3,99999999999', [3, 1]],
    ['not[iids]=1,3', [4, 2]],
    [`author_id=${owner.id}`, [4, 3, 2, 1]],
    [`author_id=${member.id}`, []],
    [`author_username=${owner.username.toUpperCase()}`, [4, 3, 2, 1]],
    ['not[author_username]=nobody', [4, 3, 2, 1]],
    [`not[author_id]=${owner.id}`, []],
    [`assignee_id=${member.id}`, [4, 2]],
    ['assignee_id=None', [3, 1]],
    ['assignee_id=0', [3, 1]],
    ['assignee_id=any', [4, 2]],
    [`assignee_username[]=${member.username}`, [4, 2]],
    [`assignee_username=${member.username},${owner.username}`, [4]],
    [`not[assignee_id]=${owner.id}`, [3, 2, 1]],
    [`not[assignee_username]=${member.username}`, [3, 1]],
    ['search=apple', [2, 1]],
    ['search=apple&in=title', [1]],
    ['search=APPLE%20red', [1]],
    ['search=apple&in=description', [2]],
    ['search=apple%20pear%20green', [2]],
    ['search=%25', []],
    ['created_after=2030-01-01', [4, 3, 2, 1]],
    ['created_after=2030-01-02', []],
    ['created_before=2029-12-31', []],
    ['updated_before=2030-01-01T00:00:00Z', [4, 3, 2, 1]],
    ['updated_after=2031-01-01', []],
    ['due_date=0', [2]],
    ['due_date=none', [2]],
    ['due_date=any', [4, 3, 1]],
    ['due_date=today', [3]],
    ['due_date=tomorrow', []],
    ['due_date=overdue', [1]],
    ['due_date=week', [3, 1]],
    ['due_date=month', [3]],
    ['due_date=next_month_and_previous_two_weeks', [4, 3, 1]],
    ['confidential=true', [4]],
    ['confidential=false', [3, 2, 1]],
    ['issue_type=incident', [3]],
    ['issue_type=task', []],
    ['weight=3', [1]],
    ['weight=None', [4, 2]],
    ['weight=Any', [3, 1]],
    ['not[weight]=3', [4, 3, 2]],
    ['epic_id=None', [4, 3, 2, 1]],
    ['epic_id=5', []],
    ['my_reaction_emoji=None', [4, 3, 2, 1]],
    ['my_reaction_emoji=thumbsup', []],
    ['scope=created_by_me', [4, 3, 2, 1]],
    ['scope=assigned-to-me', [4]],
    ['labels=fruit&not[search]=x&state=opened', [2, 1]],
  ];
  for (const [query, expected] of rows) {
    const answer = await app.as(owner).get(`${path}?${query}`);
    t.deepEqual([answer.status, iids(answer)], [200, expected], query);
    t.is(answer.headers.get('x-total'), String(expected.length), query);
  }
});

// Contract: core-6.order
test('lists have ten orders, and what has no value comes last in both directions', async (t) => {
  const { path, owner, project } = await four();
  const ctx = app.context();
  await ctx.query(sql`
    insert into label_priorities (project_id, label_id, priority)
    select ${project.id}, l.id, case l.title when 'red' then 1 else 2 end from labels l where l.project_id = ${project.id}`);
  await ctx.query(sql`update issues set upvotes = iid % 3 where project_id = ${project.id}`);
  const rows: [string, number[], number[]][] = [
    ['created_at', [1, 2, 3, 4], [4, 3, 2, 1]],
    ['updated_at', [1, 2, 3, 4], [4, 3, 2, 1]],
    ['due_date', [1, 3, 4, 2], [4, 3, 1, 2]],
    ['weight', [3, 1, 2, 4], [1, 3, 4, 2]],
    ['title', [3, 2, 1, 4], [4, 1, 2, 3]],
    ['popularity', [3, 1, 4, 2], [2, 4, 1, 3]],
    ['relative_position', [1, 2, 3, 4], [4, 3, 2, 1]],
    ['milestone_due', [1, 3, 2, 4], [3, 1, 4, 2]],
    ['label_priority', [1, 3, 2, 4], [2, 3, 1, 4]],
    ['priority', [1, 3, 2, 4], [3, 1, 2, 4]],
  ];
  for (const [order, up, down] of rows)
    for (const [sort, expected] of [
      ['asc', up],
      ['desc', down],
    ] as const)
      t.deepEqual(
        iids(await app.as(owner).get(`${path}?order_by=${order}&sort=${sort}`)),
        expected,
        `${order} ${sort}`,
      );
});

// Contract: core-6.filters
test('bad filters are 400 by their names', async (t) => {
  const { path, owner } = await issuesIn(app);
  const rows: [string, string][] = [
    ['state=open', 'state does not have a valid value'],
    ['assignee_id=you', 'assignee_id is invalid'],
    ['assignee_id=1&assignee_username=x', 'assignee_id, assignee_username are mutually exclusive'],
    ['author_id=1&author_username=x', 'author_id, author_username are mutually exclusive'],
    ['milestone=x&milestone_id=None', 'milestone, milestone_id are mutually exclusive'],
    ['milestone_id=soon', 'milestone_id is invalid'],
    ['created_after=yesterday', 'created_after is invalid'],
    ['due_date=2030-01-01', 'due_date does not have a valid value'],
    ['order_by=id', 'order_by does not have a valid value'],
    ['in=notes', 'in does not have a valid value'],
    ['not[author_id]=x', 'not[author_id] is invalid'],
  ];
  for (const [query, error] of rows) {
    const { status, body } = await app.as(owner).get(`${path}?${query}`);
    t.deepEqual([status, body], [400, { error }], query);
  }
});

// Contract: core-6.list, core-6.group-list
test('the list of a group has the issues of all projects below, named from there', async (t) => {
  const group = await app.build.group();
  const below = await app.build.group({ parent: group, owner: group.owner });
  const [near, far] = [await app.build.projectIn(group), await app.build.projectIn({ ...below, owner: group.owner })];
  for (const project of [near, far]) await (await issuesIn(app, project)).make();
  const { body } = await app.as(group.owner).get(`/groups/${group.id}/issues`);
  t.deepEqual(
    body.map(({ references }: { references: { relative: string } }) => references.relative),
    [`${far.full_path}#1`, `${near.path}#1`],
  );
  await app.as(group.owner).post(`/projects/${far.id}/archive`);
  t.is((await app.as(group.owner).get(`/groups/${group.id}/issues`)).body.length, 1);
  t.is((await app.as(group.owner).get(`/groups/${group.id}/issues?non_archived=false`)).body.length, 2);
});

// Contract: core-6.list
test('the list of all issues begins with the caller: made by them, given to them, or all that they see', async (t) => {
  const { owner, member } = await four();
  const count = async (user: typeof owner, query: string) => (await app.as(user).get(`/issues?${query}`)).body.length;
  t.is(await count(owner, ''), 4);
  t.is(await count(member, ''), 0);
  t.is(await count(member, 'scope=assigned_to_me'), 2);
  t.is(await count(member, 'scope=all'), 4);
  t.is((await app.anonymous.get('/issues')).status, 401);
  t.is((await app.anonymous.get('/issues?scope=all')).status, 200);
  t.is((await app.anonymous.get('/issues_statistics')).status, 401);
  const [first] = (await app.as(member).get('/issues?scope=all&per_page=1')).body;
  t.is(first.references.relative, first.references.full);
});

// Contract: core-6.details
test('with_labels_details shows labels as records', async (t) => {
  const { path, owner } = await four();
  const { body } = await app.as(owner).get(`${path}?with_labels_details=true&iids=2`);
  t.like(body[0].labels[0], { name: 'fruit', color: '#6699cc', description: null });
});

// Contract: core-6.one-by-id
test('administrators read any issue by its global id, others do not', async (t) => {
  const { make, owner } = await issuesIn(app);
  const { id } = await make();
  const admin = await app.build.admin();
  t.is((await app.as(admin).get(`/issues/${id}`)).body.id, id);
  t.is((await app.as(owner).get(`/issues/${id}`)).status, 403);
  t.is((await app.anonymous.get(`/issues/${id}`)).status, 401);
  t.deepEqual((await app.as(admin).get('/issues/999999')).body, { message: '404 Not found' });
});

// Contract: core-6.statistics
test('statistics count by state on all three levels, by the same filters', async (t) => {
  const group = await app.build.group();
  const steps = await issuesIn(app, await app.build.projectIn(group));
  await steps.make({ labels: 'a' });
  await steps.make({ labels: 'a' });
  await steps.make();
  await steps.edit(1, { state_event: 'close' });
  const client = app.as(group.owner);
  for (const path of ['', `/groups/${group.id}`, `/projects/${steps.project.id}`]) {
    const counts = async (query: string) => (await client.get(`${path}/issues_statistics?${query}`)).body;
    t.deepEqual(await counts(''), { statistics: { counts: { all: 3, closed: 1, opened: 2 } } });
    t.deepEqual(await counts('labels=a'), { statistics: { counts: { all: 2, closed: 1, opened: 1 } } });
  }
});
