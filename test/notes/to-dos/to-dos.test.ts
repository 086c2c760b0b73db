import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { mergeRequestIn, commitTo } from '../../merge-requests/merge-request-steps.js';

const app = useApp(test);

/** A project with an issue and a merge request. */
async function setUp() {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const project = await app.build.projectIn(group, { empty: false });
  const at = { id: project.id, owner };
  const issue = (await app.as(owner).post(`/projects/${project.id}/issues`, { title: 'Leak' })).body;
  await commitTo(app, at, 'boosters', 'main');
  const request = await mergeRequestIn(app, at, { source_branch: 'boosters' });
  const base = `/projects/${project.id}`;
  return {
    owner,
    group,
    project,
    issue,
    request,
    ofIssue: `${base}/issues/${issue.iid}/todo`,
    ofRequest: `${base}/merge_requests/${request.iid}/todo`,
  };
}

// Contract: to-dos.create
test('a to-do of an issue and of a merge request is made once while it is pending', async (t) => {
  const { owner, project, issue, request, ofIssue, ofRequest } = await setUp();
  const as = app.as(owner);
  const [first, second] = [await as.post(ofIssue), await as.post(ofRequest)];
  t.is(first.status, 201);
  const { target, project: todoProject, author, ...rest } = first.body;
  t.deepEqual([target.id, target.title, author.username], [issue.id, 'Leak', owner.username]);
  t.is(todoProject.id, project.id);
  t.like(rest, { action_name: 'marked', target_type: 'Issue', body: 'Leak', state: 'pending' });
  t.is(rest.target_url, issue.web_url);
  t.deepEqual([second.status, second.body.target_type, second.body.target.iid], [201, 'MergeRequest', request.iid]);
  t.is((await as.post(ofIssue)).status, 304);
  t.is((await as.post(`/todos/${first.body.id}/mark_as_done`)).status, 201);
  t.is((await as.post(ofIssue)).status, 201, 'once done it is made anew');
  t.is((await app.anonymous.post(ofIssue)).status, 401);
});

// Contract: to-dos.list
test('to-dos are listed, the newest first, by action, author, project, group, state and type', async (t) => {
  const { owner, project, group, ofIssue, ofRequest } = await setUp();
  const as = app.as(owner);
  await as.post(ofIssue);
  await as.post(ofRequest);
  const types = async (query: string) => {
    const { status, body } = await as.get(`/todos?${query}`);
    return status === 200 ? body.map((one: { target_type: string }) => one.target_type) : body;
  };
  t.deepEqual(await types(''), ['MergeRequest', 'Issue']);
  t.deepEqual(await types('type=Issue'), ['Issue']);
  t.deepEqual(await types('type=Epic'), []);
  t.deepEqual(await types('state=done'), []);
  t.deepEqual(await types('action=marked'), ['MergeRequest', 'Issue']);
  t.deepEqual(await types('action=assigned'), []);
  t.deepEqual(await types(`project_id=${project.id}&group_id=${group.id}`), ['MergeRequest', 'Issue']);
  t.deepEqual(await types('project_id=999999999'), []);
  t.deepEqual(await types(`author_id=${owner.id}`), ['MergeRequest', 'Issue']);
  t.deepEqual(await types('state=later'), { error: 'state does not have a valid value' });
  t.is((await as.get('/todos?per_page=1')).headers.get('x-total'), '2');
});

// Contract: to-dos.done
test('one is done, or all of one user', async (t) => {
  const { owner, ofIssue, ofRequest } = await setUp();
  const as = app.as(owner);
  const { id } = (await as.post(ofIssue)).body;
  await as.post(ofRequest);
  const done = await as.post(`/todos/${id}/mark_as_done`);
  t.deepEqual([done.status, done.body.state], [201, 'done']);
  t.is((await as.post(`/todos/${id}/mark_as_done`)).status, 201);
  t.is((await as.get('/todos')).body.length, 1);
  t.is((await as.post('/todos/mark_as_done')).status, 204);
  t.deepEqual((await as.get('/todos')).body, []);
  t.is((await as.get('/todos?state=done')).body.length, 2);
});

// Contract: to-dos.visible
test('a to-do is shown to its owner alone, and only while they may read what it is about', async (t) => {
  const { owner, project, issue, ofIssue } = await setUp();
  const guest = await app.build.member(project, 'guest');
  const { id } = (await app.as(guest).post(ofIssue)).body;
  t.is((await app.as(owner).post(`/todos/${id}/mark_as_done`)).status, 404);
  t.deepEqual((await app.as(owner).get('/todos')).body, []);
  t.is((await app.as(guest).get('/todos')).body.length, 1);
  await app.as(owner).put(`/projects/${project.id}/issues/${issue.iid}`, { confidential: true });
  t.deepEqual((await app.as(guest).get('/todos')).body, []);
  t.is((await app.as(guest).post(`/todos/${id}/mark_as_done`)).status, 404);
  const stranger = await app.build.user();
  t.is((await app.as(stranger).post(ofIssue)).status, 404);
});

// Contract: to-dos.races
test('of several at once one is made', async (t) => {
  const { owner, ofIssue } = await setUp();
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.as(owner).post(ofIssue)));
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 304, 304, 304, 304, 304, 304, 304]);
});

// Contract: to-dos.clients
test('@gitbeaker/rest makes, lists and does to-dos', async (t) => {
  const { owner, project, issue, request } = await setUp();
  const api = new Gitlab({ host: app.url, token: owner.token });
  const todo = await api.Issues.createTodo(project.id, issue.iid);
  await api.MergeRequests.createTodo(project.id, request.iid);
  t.is((await api.TodoLists.all()).length, 2);
  await api.TodoLists.done({ todoId: todo.id as number });
  t.is((await api.TodoLists.all()).length, 1);
  await api.TodoLists.done();
  t.deepEqual(await api.TodoLists.all(), []);
});
