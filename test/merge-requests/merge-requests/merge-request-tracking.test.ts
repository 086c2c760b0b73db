import test from 'ava';
import { useApp } from '../../core/app.js';
import { commitTo, mergeRequestIn } from '../merge-request-steps.js';

const app = useApp(test);

// Contract: mr-7.subscribe, mr-7.time, mr-7.people, mr-7.award
test('time, subscriptions, people and emoji are kept as of issues', async (t) => {
  const project = await app.build.project();
  const { owner } = project;
  const reviewer = await app.build.member(project, 'developer');
  const { iid } = await mergeRequestIn(app, project, { reviewer_ids: [reviewer.id] });
  const at = `/projects/${project.id}/merge_requests/${iid}`;
  const api = app.as(owner);
  t.like((await api.post(`${at}/time_estimate`, { duration: '3h' })).body, { time_estimate: 10_800 });
  t.like((await api.post(`${at}/add_spent_time`, { duration: '1h' })).body, { total_time_spent: 3600 });
  t.like((await api.get(`${at}/time_stats`)).body, { time_estimate: 10_800, total_time_spent: 3600 });
  t.like((await api.post(`${at}/reset_spent_time`, {})).body, { total_time_spent: 0 });
  t.like((await api.post(`${at}/reset_time_estimate`, {})).body, { time_estimate: 0 });
  t.is((await api.post(`${at}/subscribe`, {})).status, 304);
  t.like((await api.post(`${at}/unsubscribe`, {})).body, { subscribed: false });
  const people = (await api.get(`${at}/participants`)).body as { id: number }[];
  t.deepEqual(
    people.map(({ id }) => id),
    [owner.id, reviewer.id].toSorted((a, b) => a - b),
  );
  t.like((await api.get(`${at}/reviewers`)).body[0], { user: { id: reviewer.id }, state: 'unreviewed' });
  t.is((await api.post(`${at}/award_emoji`, { name: 'thumbsup' })).status, 201);
  t.like((await api.get(at)).body, { upvotes: 1 });
  t.like((await api.get(`${at}/award_emoji`)).body[0], { name: 'thumbsup', awardable_type: 'MergeRequest' });
});

// Contract: mr-7.events
test('state, labels and milestones tell their own history', async (t) => {
  const project = await app.build.project();
  const { iid } = await mergeRequestIn(app, project, { labels: 'a' });
  const at = `/projects/${project.id}/merge_requests/${iid}`;
  const api = app.as(project.owner);
  const milestone = (await api.post(`/projects/${project.id}/milestones`, { title: 'v1' })).body;
  await api.put(at, { state_event: 'close', milestone_id: milestone.id });
  await api.put(at, { state_event: 'reopen', remove_labels: 'a' });
  const states = (await api.get(`${at}/resource_state_events`)).body;
  t.deepEqual(
    states.map(({ state, resource_type }: { state: string; resource_type: string }) => [state, resource_type]),
    [
      ['closed', 'MergeRequest'],
      ['reopened', 'MergeRequest'],
    ],
  );
  t.like((await api.get(`${at}/resource_state_events/${states[0].id}`)).body, { state: 'closed' });
  const labels = (await api.get(`${at}/resource_label_events`)).body as { action: string }[];
  t.deepEqual(
    labels.map(({ action }) => action),
    ['add', 'remove'],
  );
  t.like((await api.get(`${at}/resource_milestone_events`)).body[0], { action: 'add', milestone: { title: 'v1' } });
  const planned = (await api.get(`/projects/${project.id}/milestones/${milestone.id}/merge_requests`)).body;
  t.is(planned[0].iid, iid);
});

// Contract: mr-7.issues, mr-7.commit, mr-7.reference
test('a merge request closes what it says once its commits are in the default branch', async (t) => {
  const project = await app.build.project();
  const api = app.as(project.owner);
  for (const title of ['One', 'Two', 'Three']) await api.post(`/projects/${project.id}/issues`, { title });
  await commitTo(app, project, 'feature', 'main', { message: 'Work\n\nFixes #2' });
  const mergeRequest = await mergeRequestIn(app, project, {
    source_branch: 'feature',
    description: 'Closes #1. See #3',
  });
  const at = `/projects/${project.id}/merge_requests/${mergeRequest.iid}`;
  const numbers = async (path: string) =>
    ((await api.get(path)).body as { iid: number }[]).map(({ iid }) => iid).toSorted();
  t.deepEqual(await numbers(`${at}/closes_issues`), [1, 2]);
  t.deepEqual(await numbers(`${at}/related_issues`), [1, 2, 3]);
  t.deepEqual(await numbers(`/projects/${project.id}/issues/1/closed_by`), [mergeRequest.iid]);
  t.deepEqual(await numbers(`/projects/${project.id}/issues/3/closed_by`), []);
  t.deepEqual(await numbers(`/projects/${project.id}/issues/3/related_merge_requests`), [mergeRequest.iid]);
  t.like((await api.get(`/projects/${project.id}/issues/1`)).body, { merge_requests_count: 1 });
  t.deepEqual(await numbers(`/projects/${project.id}/repository/commits/${mergeRequest.sha}/merge_requests`), [
    mergeRequest.iid,
  ]);
  t.is((await api.get(`/projects/${project.id}/repository/commits/${'1'.repeat(40)}/merge_requests`)).status, 404);
  const html = (
    await api.post('/markdown', { text: `See !${mergeRequest.iid}`, gfm: true, project: project.full_path })
  ).body.html;
  t.regex(html, /\/-\/merge_requests\/1"/);
});

// Contract: mr-7.pipelines
test('pipelines of the branch are those of the merge request, and one is started for its head', async (t) => {
  const project = await app.build.project();
  const mergeRequest = await mergeRequestIn(app, project);
  const at = `/projects/${project.id}/merge_requests/${mergeRequest.iid}`;
  const api = app.as(project.owner);
  const first = (await api.post(`/projects/${project.id}/pipeline`, { ref: mergeRequest.source_branch })).body;
  const second = await api.post(`${at}/pipelines`, {});
  t.is(second.status, 200);
  t.like(second.body, { source: 'merge_request_event', sha: mergeRequest.sha });
  const list = (await api.get(`${at}/pipelines`)).body as { id: number }[];
  t.deepEqual(
    list.map(({ id }) => id),
    [second.body.id, first.id],
  );
  t.is((await api.get(at)).body.head_pipeline.id, second.body.id);
});

// Contract: mr-7.forks
test('a fork proposes its branch to the upstream, whose repository gets and keeps the commits', async (t) => {
  const upstream = await app.build.project({ visibility: 'public' });
  const user = await app.build.user();
  const fork = (await app.as(user).post(`/projects/${upstream.id}/fork`, {})).body as { id: number };
  await app.work();
  const at = { id: fork.id, owner: user };
  const sha = await commitTo(app, at, 'feature', 'main');
  const response = await app.as(user).post(`/projects/${fork.id}/merge_requests`, {
    source_branch: 'feature',
    target_branch: 'main',
    title: 'From a fork',
  });
  t.is(response.status, 201, 'the upstream is the target unless told: mr_default_target_self is false');
  t.like(response.body, { project_id: upstream.id, source_project_id: fork.id, sha, changes_count: '1' });
  const path = `/projects/${upstream.id}/merge_requests/${response.body.iid}`;
  t.is((await app.as(upstream.owner).get(`${path}/commits`)).body[0].id, sha);
  const again = await commitTo(app, at, 'feature');
  await app.work();
  t.like((await app.as(upstream.owner).get(path)).body, { sha: again });
  t.is((await app.as(user).put(path, { title: 'Renamed' })).status, 200, 'its author edits it');
  await app.as(user).put(`/projects/${fork.id}`, { mr_default_target_self: true });
  const own = await app.as(user).post(`/projects/${fork.id}/merge_requests`, {
    source_branch: 'feature',
    target_branch: 'main',
    title: 'In the fork',
  });
  t.is(own.body.project_id, fork.id);
});
