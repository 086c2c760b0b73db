import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { checkMergeRequests } from '../../../shared/merge-requests/merging/check-mergeability.js';
import { createToDosOfMentions } from '../../../shared/notes/to-dos/mention-to-dos.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { commitTo, mergeRequestIn } from '../../merge-requests/merge-request-steps.js';
import { epicIn } from '../../planning/epics/epic-steps.js';

const app = useApp(test);

type Listed = Record<string, unknown> & { target: { title: string } };

/** What somebody has to do: action and type of each, the newest first. */
async function listOf(user: BuiltUser, query = ''): Promise<string[]> {
  const { body } = await app.as(user).get(`/todos?${query}`);
  return (body as Listed[]).map(({ action_name, target_type }) => `${String(action_name)} ${String(target_type)}`);
}

/** A private project in a group, with two Developers, a Guest and its owner. */
async function setUp(visibility = 'private') {
  const owner = await app.build.user();
  const group = await app.build.group({ owner, visibility });
  const project = await app.build.projectIn(group, { empty: false, visibility });
  const [ann, bob, guest] = [
    await app.build.member(project, 'developer'),
    await app.build.member(project, 'developer'),
    await app.build.member(project, 'guest'),
  ];
  const base = `/projects/${project.id}`;
  const as = app.as(owner);
  const issueWith = async (attributes: Record<string, unknown>, by = owner) => {
    const { status, body } = await app.as(by).post(`${base}/issues`, { title: 'Leak', ...attributes });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { ...body, path: `${base}/issues/${body.iid}` } as {
      id: number;
      iid: number;
      path: string;
      web_url: string;
    };
  };
  return {
    owner,
    group: { ...group, owner },
    project,
    ann,
    bob,
    guest,
    base,
    as,
    issueWith,
    at: { id: project.id, owner },
  };
}

// Contract: to-dos.assigned
test('who is assigned or asked to review is told, but for who did it and who may not read it', async (t) => {
  const { owner, ann, bob, base, as, issueWith, at } = await setUp();
  const issue = await issueWith({ assignee_ids: [ann.id, owner.id] });
  t.deepEqual([await listOf(ann), await listOf(owner)], [['assigned Issue'], []]);
  const [toDo] = (await app.as(ann).get('/todos')).body;
  t.like(toDo, { target_url: issue.web_url, body: 'Leak', state: 'pending' });
  t.is(toDo.author.username, owner.username);
  t.deepEqual(Object.keys(toDo), [
    'id',
    'project',
    'author',
    'action_name',
    'target_type',
    'target',
    'target_url',
    'body',
    'state',
    'created_at',
    'updated_at',
  ]);

  await as.put(issue.path, { assignee_ids: [bob.id] });
  t.deepEqual([await listOf(ann), await listOf(bob)], [[], ['assigned Issue']], 'a task that somebody lost is none');
  const request = await mergeRequestIn(app, at, { assignee_id: ann.id, reviewer_ids: [bob.id] });
  t.deepEqual(await listOf(ann), ['assigned MergeRequest']);
  t.deepEqual(await listOf(bob), ['review_requested MergeRequest', 'assigned Issue']);
  await as.put(`${base}/merge_requests/${request.iid}`, { reviewer_ids: [ann.id] });
  t.deepEqual(await listOf(ann), ['review_requested MergeRequest', 'assigned MergeRequest']);
  t.deepEqual(await listOf(bob), ['assigned Issue']);
  t.deepEqual(await listOf(ann, `author_id=${owner.id}&action=review_requested`), ['review_requested MergeRequest']);
  t.deepEqual(await listOf(ann, `author_id=${ann.id}`), []);
});

// Contract: to-dos.mentioned
test('a text tells whom it mentions or addresses once, on everything that has texts', async (t) => {
  const { owner, group, ann, bob, guest, base, as, issueWith, at } = await setUp();
  const stranger = await app.build.user();
  const issue = await issueWith({
    description: `@${ann.username} look, and @${bob.username}, @${stranger.username} too. I am @${owner.username}`,
  });
  await app.work();
  t.deepEqual([await listOf(ann), await listOf(bob)], [['directly_addressed Issue'], ['mentioned Issue']]);
  t.deepEqual([await listOf(owner), await listOf(stranger)], [[], []]);

  // An edit tells only those who were not told.
  await app.as(bob).post('/todos/mark_as_done');
  await as.put(issue.path, { description: `@${bob.username} and @${guest.username}` });
  await app.work();
  t.deepEqual([await listOf(bob), await listOf(guest)], [[], ['mentioned Issue']]);

  const note = (await as.post(`${issue.path}/notes`, { body: `See above, @${bob.username}` })).body;
  await app.work();
  const [toDo] = (await app.as(bob).get('/todos')).body;
  t.like(toDo, { action_name: 'mentioned', body: `See above, @${bob.username}` });
  t.is(toDo.target_url, `${issue.web_url}#note_${note.id}`);
  await as.put(`${issue.path}/notes/${note.id}`, { body: `See it, @${bob.username}` });
  await as.post(`${issue.path}/notes`, { body: `And @${bob.username}` });
  await app.work();
  t.is((await app.as(bob).get('/todos')).body.length, 1, 'one pending for each action');

  await mergeRequestIn(app, at, { description: `cc @${ann.username}` });
  const sha = await commitTo(app, at, 'boosters', 'main');
  await as.post(`${base}/repository/commits/${sha}/comments`, { note: `Why, @${ann.username}?` });
  await app.build.groupMember(group, 'guest', ann);
  const epic = await epicIn(app, group, { description: `Done when @${ann.username} says so` });
  await app.work();
  t.deepEqual((await listOf(ann)).slice(0, 3).toSorted(), [
    'mentioned Commit',
    'mentioned Epic',
    'mentioned MergeRequest',
  ]);
  const [ofCommit] = (await app.as(ann).get('/todos?type=Commit')).body;
  t.is(ofCommit.target.id, sha);
  t.true(ofCommit.target_url.includes(`/-/commit/${sha}#note_`));
  const [ofEpic] = (await app.as(ann).get(`/todos?type=Epic&group_id=${group.id}`)).body;
  t.deepEqual([ofEpic.target.id, ofEpic.group.id, ofEpic.project], [epic.id, group.id, undefined]);
});

// Contract: to-dos.readers
test('nobody is told of what they may not read, nor who may not sign in', async (t) => {
  const { ann, bob, guest, as, issueWith } = await setUp('public');
  await issueWith({ confidential: true, description: `@${guest.username} @${ann.username}` });
  const issue = await issueWith({});
  await as.post(`${issue.path}/notes`, { body: `@${guest.username} @${ann.username}`, internal: true });
  await app.as(await app.build.admin()).post(`/users/${bob.id}/block`);
  await issueWith({ description: `@${bob.username}`, assignee_ids: [ann.id] });
  await app.work();
  t.deepEqual(await listOf(guest), []);
  t.deepEqual(await listOf(ann), ['directly_addressed Issue', 'directly_addressed Issue', 'assigned Issue']);
  const { rows } = await app.services.db.pool.query('select 1 from todos where user_id = $1', [bob.id]);
  t.is(rows.length, 0);
});

// Contract: to-dos.hidden
test('what is deleted or out of sight is on no list, and not counted', async (t) => {
  const { owner, project, ann, guest, as, issueWith } = await setUp('public');
  const issue = await issueWith({ assignee_ids: [ann.id], description: `cc @${guest.username}` });
  await as.post(`${issue.path}/notes`, { body: `Now @${guest.username}, please` });
  await app.work();
  const count = async (user: BuiltUser) => (await app.as(user).get('/todos')).headers.get('x-total');
  t.is(await count(guest), '1');
  await as.put(issue.path, { confidential: true });
  t.deepEqual([await count(guest), await count(ann)], ['0', '1']);
  await as.put(issue.path, { confidential: false });
  t.is(await count(guest), '1', 'it returns with the right');
  await as.put(`/projects/${project.id}`, { visibility: 'private' });
  await as.delete(`/projects/${project.id}/members/${guest.id}`);
  t.is(await count(guest), '0');
  const other = await issueWith({});
  await as.post(`${other.path}/notes`, { body: `@${ann.username} one` });
  const second = (await as.post(`${other.path}/notes`, { body: `Two, @${ann.username}` })).body;
  await app.work();
  t.is(await count(ann), '3');
  await as.delete(`${other.path}/notes/${second.id}`);
  t.is(await count(ann), '2', 'a comment takes along what it caused');
  await as.delete(issue.path);
  t.is(await count(ann), '1');
  t.is(await count(owner), '0');
});

// Contract: to-dos.acted
test('who acts on a target has seen to it; others have not', async (t) => {
  const { ann, bob, base, as, issueWith, at } = await setUp();
  const assign = async () => issueWith({ assignee_ids: [ann.id], description: `cc @${bob.username}` });
  for (const act of [
    (path: string) => app.as(ann).put(path, { state_event: 'close' }),
    (path: string) => app.as(ann).put(path, { add_labels: 'bug' }),
    (path: string) => app.as(ann).post(`${path}/notes`, { body: 'On it' }),
  ]) {
    const issue = await assign();
    await app.work();
    t.deepEqual(await listOf(ann), ['assigned Issue']);
    await as.post(`${issue.path}/notes`, { body: 'Hurry' });
    t.deepEqual(await listOf(ann), ['assigned Issue']);
    t.true([200, 201].includes((await act(issue.path)).status));
    t.deepEqual(await listOf(ann), []);
    t.deepEqual(await listOf(bob), ['mentioned Issue']);
    await app.as(bob).post('/todos/mark_as_done');
  }
  const request = await mergeRequestIn(app, at, { reviewer_ids: [ann.id, bob.id] });
  const path = `${base}/merge_requests/${request.iid}`;
  t.is((await app.as(ann).post(`${path}/approve`)).status, 201);
  t.deepEqual([await listOf(ann), await listOf(bob)], [[], ['review_requested MergeRequest']]);
  await app.work();
  t.is((await as.put(`${path}/merge`)).status, 200);
  t.deepEqual(await listOf(bob), ['review_requested MergeRequest']);
});

// Contract: to-dos.assigned
test('items are inserted in one order, so that no two transactions wait for each other', async (t) => {
  const { ann, bob, guest, at } = await setUp('public');
  const { id } = await mergeRequestIn(app, at, { assignee_id: guest.id, reviewer_ids: [bob.id, ann.id] });
  const { rows } = await app.services.db.pool.query<{ action: string; user_id: string }>(
    'select action, user_id from todos where merge_request_id = $1 order by id',
    [id],
  );
  t.deepEqual(
    rows.map((row) => [row.action, Number(row.user_id)]),
    [
      ['assigned', guest.id],
      ['review_requested', ann.id],
      ['review_requested', bob.id],
    ],
  );
});

// Contract: to-dos.failed
test('a failed pipeline and a conflict tell the author of a merge request, and who set it to be merged', async (t) => {
  const { owner, project, ann, bob, base, at } = await setUp();
  const request = await mergeRequestIn(app, at, {}, ann);
  await app.work();
  const finish = async (state: string, sha = request.sha) => {
    const { status } = await app.as(owner).post(`/projects/${project.id}/statuses/${sha}`, {
      state,
      ref: request.source_branch,
      name: 'test',
    });
    t.is(status, 201);
    await app.work();
  };
  await finish('running');
  const path = `${base}/merge_requests/${request.iid}`;
  await app.as(owner).put(`${path}/merge`, { merge_when_pipeline_succeeds: true });
  await finish('failed');
  t.deepEqual(
    [await listOf(ann), await listOf(owner), await listOf(bob)],
    [['build_failed MergeRequest'], ['build_failed MergeRequest'], []],
  );
  t.is((await app.as(ann).get('/todos')).body[0].author.id, ann.id);

  // A success takes it off for both, also after a push has undone that it is to be merged.
  const sha = await commitTo(app, { ...at, owner: bob }, String(request.source_branch));
  await app.work();
  t.deepEqual([(await listOf(ann)).length, (await listOf(owner)).length], [1, 1]);
  t.false((await app.as(ann).get(path)).body.merge_when_pipeline_succeeds);
  await finish('success', sha);
  t.deepEqual([await listOf(ann), await listOf(owner)], [[], []]);

  await commitTo(app, at, 'clash', 'main', { path: 'clash.txt', content: 'theirs\n' });
  await commitTo(app, at, 'main', undefined, { path: 'clash.txt', content: 'ours\n' });
  const clash = await mergeRequestIn(app, at, { source_branch: 'clash' }, ann);
  await app.work();
  t.deepEqual(await listOf(ann, 'action=unmergeable'), ['unmergeable MergeRequest']);
  t.deepEqual(await listOf(bob), []);

  // What still conflicts is no news, whichever branch moves.
  const status = async () => (await app.as(ann).get(`${base}/merge_requests/${clash.iid}`)).body.merge_status as string;
  await app.as(ann).post('/todos/mark_as_done');
  for (const branch of ['clash', 'main', 'clash']) {
    await commitTo(app, at, branch);
    await app.work();
    t.is(await status(), 'cannot_be_merged');
    t.deepEqual(await listOf(ann, 'action=unmergeable'), [], branch);
  }
});

// Contract: to-dos.failed
test('a pipeline that was created for a merge request speaks for it', async (t) => {
  const { owner, project, ann, base, at } = await setUp();
  const { iid, sha } = await mergeRequestIn(app, at, {}, ann);
  await app.work();
  const report = async (state: string, pipelineId: number) => {
    const sent = { state, pipeline_id: pipelineId, name: 'test' };
    t.is((await app.as(owner).post(`/projects/${project.id}/statuses/${sha}`, sent)).status, 201);
    await app.work();
    return listOf(ann);
  };
  const create = async () =>
    (await app.as(owner).post(`${base}/merge_requests/${iid}/pipelines`)).body as { id: number; ref: string };
  const pipeline = await create();
  t.is(pipeline.ref, `refs/merge-requests/${iid}/head`);
  t.deepEqual(await report('failed', pipeline.id), ['build_failed MergeRequest']);
  const newer = await create();
  t.deepEqual(await report('success', pipeline.id), ['build_failed MergeRequest'], 'it is not the newest any more');
  t.deepEqual(await report('success', newer.id), []);
});

// Contract: to-dos.failed
test('a pipeline of another ref for the same commit hides nothing', async (t) => {
  const { owner, project, ann, base, at } = await setUp();
  const { sha, source_branch } = await mergeRequestIn(app, at, {}, ann);
  t.is((await app.as(owner).post(`${base}/repository/tags`, { tag_name: 'v1', ref: sha })).status, 201);
  await app.work();
  const report = async (state: string, ref: string) => {
    const sent = { state, ref, name: 'test' };
    t.is((await app.as(owner).post(`/projects/${project.id}/statuses/${sha}`, sent)).status, 201);
    await app.work();
    return listOf(ann);
  };
  t.deepEqual(await report('running', String(source_branch)), []);
  t.deepEqual(await report('failed', 'v1'), []);
  t.deepEqual(await report('failed', String(source_branch)), ['build_failed MergeRequest']);
});

// Contract: to-dos.failed
test('commits that are lost tell nobody of conflicts', async (t) => {
  const { ann, at } = await setUp();
  const { id } = await mergeRequestIn(app, at, {}, ann);
  await app.work();
  const { pool } = app.services.db;
  const read = async () => (await pool.query('select merge_status from merge_requests where id = $1', [id])).rows;
  t.deepEqual(await read(), [{ merge_status: 'can_be_merged' }]);
  await pool.query(`update merge_requests set merge_status = 'unchecked' where id = $1`, [id]);
  const objects = join(getRepositoryPath(app.context(), at), 'objects');
  await rename(objects, `${objects}.away`);
  await mkdir(objects);
  await checkMergeRequests(app.context(), { ids: [id] });
  await rm(objects, { recursive: true });
  await rename(`${objects}.away`, objects);
  t.deepEqual(await read(), [{ merge_status: 'cannot_be_merged' }]);
  t.deepEqual(await listOf(ann), []);
});

// Contract: to-dos.groups
test('a mention of a group tells its members in bounded steps, however many they are', async (t) => {
  const { ann, as, issueWith } = await setUp('public');
  const owner = await app.build.user();
  const group = await app.build.group({ owner, visibility: 'public' });
  await app.build.groupMember(group, 'guest', ann);
  const { db } = app.services;
  await db.pool.query(
    `with made as (
       insert into users (username, name, email, state, created_at, updated_at)
       select 'crowd-' || $1::bigint || '-' || i, 'Crowd', 'crowd-' || $1::bigint || '-' || i || '@example.com', 'active', now(), now()
         from generate_series(1, 1100) i returning id)
     insert into group_members (namespace_id, user_id, access_level, created_at) select $1, id, 10, now() from made`,
    [group.id],
  );
  const issue = await issueWith({ description: `@${group.full_path} please` });
  const actionsOfIssue = async () =>
    (
      await db.pool.query<{ action: string; count: string }>(
        'select action, count(*) from todos where issue_id = $1 group by action order by action',
        [issue.id],
      )
    ).rows.map(({ action, count }) => `${action} ${count}`);
  t.deepEqual(await actionsOfIssue(), [], 'the writer does not wait for them');
  await app.work();
  t.deepEqual(await actionsOfIssue(), ['directly_addressed 1102']);
  await as.put(issue.path, { description: `@${group.full_path}, please` });
  await app.work();
  t.deepEqual(await actionsOfIssue(), ['directly_addressed 1102'], 'read twice, told once');
  await app.as(owner).put(`/groups/${group.id}`, { mentions_disabled: true });
  const quiet = await issueWith({ description: `cc @${group.full_path}` });
  await app.work();
  const { rows } = await db.pool.query('select 1 from todos where issue_id = $1', [quiet.id]);
  t.is(rows.length, 0);
});

// Contract: to-dos.groups
test('edits of a text that mentions a group wait as one job for the same members', async (t) => {
  const { owner, group, issueWith } = await setUp('public');
  const other = await app.build.group({ owner, visibility: 'public' });
  const member = await app.build.groupMember(other, 'guest');
  const { id, path } = await issueWith({ description: `cc @${group.full_path}` });
  const waiting = async () => {
    const { rows } = await app.services.db.pool.query<{ count: number }>(
      `select count(*)::int from pgboss.job where singleton_key like $1 and state = 'created'`,
      [`issue:${id}:%`],
    );
    return rows[0]?.count;
  };
  const job = { source: 'issue', id, user_id: owner.id, at: app.clock.now().toISOString() } as const;
  for (let edit = 0; edit < 3; edit += 1) await createToDosOfMentions(app.context(), job);
  t.is(await waiting(), 1);
  // Members of another group are others.
  await app.as(owner).put(path, { description: `cc @${group.full_path} and @${other.full_path}` });
  await createToDosOfMentions(app.context(), job);
  t.is(await waiting(), 2);
  await app.work();
  t.is(await waiting(), 0);
  t.deepEqual(await listOf(member), ['mentioned Issue']);
});

// Contract: to-dos.epics
test('an epic is put on the own list', async (t) => {
  const { group } = await setUp();
  const epic = await epicIn(app, group);
  const owner = app.as(group.owner);
  const answer = await owner.post(`${epic.path}/todo`);
  t.deepEqual([answer.status, answer.body.target_type, answer.body.target.id], [201, 'Epic', epic.id]);
  t.is((await owner.post(`${epic.path}/todo`)).status, 304);
  t.is((await app.as(await app.build.user()).post(`${epic.path}/todo`)).status, 404);
});

// Contract: to-dos.statements
test.serial('a page takes as many statements whatever its length', async (t) => {
  const { ann, issueWith, at } = await setUp();
  const read = async () => app.statementsOf(async () => void (await app.as(ann).get('/todos')));
  const add = async () => {
    await issueWith({ assignee_ids: [ann.id] });
    await mergeRequestIn(app, at, { reviewer_ids: [ann.id] });
  };
  await add();
  await read();
  const before = await read();
  for (let i = 0; i < 3; i += 1) await add();
  t.is(await read(), before);
});
