import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { commitTo, mergeRequestIn } from '../merge-request-steps.js';

const app = useApp(test);

const iids = (body: unknown) => (body as { iid: number }[]).map(({ iid }) => iid);

// Contract: mr-7.list, mr-7.list.filters
test('lists of a project, a group and all are filtered and ordered', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const at = { ...project, owner: group.owner };
  await commitTo(app, at, 'main');
  const other = await app.build.groupMember(group, 'developer');
  await commitTo(app, at, 'stable', 'main');
  const one = await mergeRequestIn(app, at, { title: 'Draft: Engine', labels: 'a', source_branch: undefined });
  const two = await mergeRequestIn(app, at, {
    title: 'Wheel',
    description: 'round',
    labels: 'a,b',
    assignee_ids: [other.id],
    reviewer_ids: [other.id],
    target_branch: 'stable',
  });
  await app.as(group.owner).put(`/projects/${project.id}/merge_requests/${one.iid}`, { state_event: 'close' });
  await app.context().query(sql`
    insert into merge_request_approvals (project_id, merge_request_id, user_id, created_at)
    values (${project.id}, ${two.id}, ${other.id}, now())`);
  await app.as(other).post(`/projects/${project.id}/merge_requests/${two.iid}/award_emoji`, { name: 'thumbsup' });
  const list = async (query: string, as = group.owner) =>
    iids((await app.as(as).get(`/projects/${project.id}/merge_requests?${query}`)).body);
  const cases: Record<string, number[]> = {
    '': [2, 1],
    'sort=asc': [1, 2],
    'state=opened': [2],
    'state=closed': [1],
    'state=merged': [],
    'draft=true': [1],
    'wip=no': [2],
    'labels=a': [2, 1],
    'labels=a,b': [2],
    'labels=None': [],
    'not[labels]=b': [1],
    [`assignee_id=${other.id}`]: [2],
    'assignee_id=None': [1],
    [`reviewer_id=${other.id}`]: [2],
    'reviewer_id=Any': [2],
    [`reviewer_username=${other.username}`]: [2],
    [`not[reviewer_id]=${other.id}`]: [1],
    [`approved_by_ids[]=${other.id}`]: [2],
    'approved_by_ids=None': [1],
    [`approved_by_usernames[]=${other.username}`]: [2],
    [`author_id=${other.id}`]: [],
    [`author_username=${group.owner.username}`]: [2, 1],
    [`source_branch=${String(two.source_branch)}`]: [2],
    'target_branch=stable': [2],
    [`source_project_id=${project.id}`]: [2, 1],
    'search=round': [2],
    'search=round&in=title': [],
    'iids[]=1': [1],
    'milestone=None': [2, 1],
    'order_by=title&sort=asc': [1, 2],
    'order_by=popularity': [2, 1],
    'order_by=merged_at': [2, 1],
    'order_by=priority': [2, 1],
    'order_by=label_priority': [2, 1],
    'order_by=milestone_due': [2, 1],
    'order_by=updated_at&sort=asc': [1, 2],
    'created_after=2999-01-01T00:00:00Z': [],
    'updated_before=2999-01-01T00:00:00Z': [2, 1],
    'merged_after=2000-01-01T00:00:00Z': [],
    'environment=production': [],
    'deployed_after=2000-01-01T00:00:00Z': [],
    'scope=assigned_to_me': [],
  };
  for (const [query, expected] of Object.entries(cases)) t.deepEqual(await list(query), expected, query);
  t.deepEqual(await list('my_reaction_emoji=thumbsup', other), [2]);
  t.deepEqual(await list('scope=reviews_for_me', other), [2]);
  t.deepEqual(await list('scope=assigned_to_me', other), [2]);
  t.deepEqual(iids((await app.as(other).get(`/groups/${group.id}/merge_requests`)).body), [2, 1]);
  t.deepEqual(iids((await app.as(group.owner).get('/merge_requests')).body), [2, 1]);
  t.deepEqual(iids((await app.as(other).get('/merge_requests?scope=assigned_to_me')).body), [2]);
  t.is((await app.anonymous.get('/merge_requests')).status, 401);
  t.is((await app.as(other).get(`/projects/${project.id}/merge_requests?author_id=1&author_username=a`)).status, 400);
  const simple = (await app.as(other).get(`/projects/${project.id}/merge_requests?view=simple`)).body;
  t.deepEqual(
    Object.keys(simple[0]).toSorted(),
    'created_at description id iid project_id state title updated_at web_url'.split(' '),
  );
  const detailed = (await app.as(other).get(`/projects/${project.id}/merge_requests?with_labels_details=true`)).body;
  t.like(detailed[1].labels[0], { name: 'a' });
});

// Contract: mr-7.rights
test('merge requests are for those who see the code: guests of a private project see none', async (t) => {
  const project = await app.build.project();
  await mergeRequestIn(app, project);
  const path = `/projects/${project.id}/merge_requests`;
  const guest = await app.build.member(project, 'guest');
  const reporter = await app.build.member(project, 'reporter');
  const developer = await app.build.member(project, 'developer');
  t.is((await app.as(guest).get(path)).status, 403);
  t.is((await app.as(guest).get(`${path}/1`)).status, 404);
  t.deepEqual((await app.as(guest).get('/merge_requests?scope=all')).body, []);
  t.is((await app.as(reporter).get(`${path}/1`)).status, 200);
  t.deepEqual(iids((await app.as(reporter).get('/merge_requests?scope=all')).body), [1]);
  t.is((await app.as(reporter).put(`${path}/1`, { title: 'Other' })).status, 403);
  t.is((await app.as(developer).put(`${path}/1`, { title: 'Other' })).status, 200);
  t.is((await app.as(reporter).post(path, { title: 'x', source_branch: 'a', target_branch: 'main' })).status, 403);
  await app.as(project.owner).put(`/projects/${project.id}`, { merge_requests_access_level: 'disabled' });
  t.is((await app.as(project.owner).get(path)).status, 403);
  t.is((await app.as(project.owner).get(`${path}/1`)).status, 404);
  t.deepEqual((await app.as(reporter).get('/merge_requests?scope=all')).body, []);
});
