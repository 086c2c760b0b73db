import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { useApp } from '../../core/app.js';
import { getUrl } from '../../repositories/git-http/git-client.js';
import { workTree } from '../../repositories/git-http/push-client.js';
import { commitTo, mergeRequestIn } from '../merge-request-steps.js';

const app = useApp(test);

// Contract: mr-7.create, mr-7.get, mr-7.keys
test('a merge request is made of a branch, and shows all that the contract names', async (t) => {
  const project = await app.build.project();
  const sha = await commitTo(app, project, 'feature', 'main');
  const mergeRequest = await mergeRequestIn(app, project, {
    source_branch: 'feature',
    description: '- [x] a\n- [ ] b',
  });
  const answer = await app
    .as(project.owner)
    .get(
      `/projects/${project.id}/merge_requests/${mergeRequest.iid}?include_diverged_commits_count=true&include_rebase_in_progress=true`,
    );
  t.is(answer.status, 200);
  const { body } = answer;
  t.like(body, {
    iid: 1,
    project_id: project.id,
    target_project_id: project.id,
    source_project_id: project.id,
    title: 'Engine',
    state: 'opened',
    draft: false,
    work_in_progress: false,
    source_branch: 'feature',
    target_branch: 'main',
    sha,
    changes_count: '1',
    diverged_commits_count: 0,
    rebase_in_progress: false,
    user: { can_merge: true },
    references: { short: '!1', relative: '!1', full: `${project.full_path}!1` },
    reference: '!1',
    task_completion_status: { count: 2, completed_count: 1 },
    has_conflicts: false,
    blocking_discussions_resolved: true,
    merge_when_pipeline_succeeds: false,
    head_pipeline: null,
    pipeline: null,
    subscribed: true,
    squash: false,
    squash_on_merge: false,
  });
  t.is(body.diff_refs.head_sha, sha);
  t.is(body.diff_refs.base_sha, body.diff_refs.start_sha);
  t.not(body.prepared_at, null);
  const keys =
    'merge_status detailed_merge_status merge_commit_sha squash_commit_sha merge_user merged_by merged_at closed_by closed_at reviewers should_remove_source_branch force_remove_source_branch merge_error latest_build_started_at latest_build_finished_at assignees assignee author labels milestone time_stats upvotes downvotes user_notes_count web_url';
  for (const key of keys.split(' ')) t.true(key in body, key);
});

// Contract: mr-7.create.errors
test('what cannot be a merge request is refused', async (t) => {
  const project = await app.build.project();
  const other = await app.build.project({ owner: project.owner });
  await commitTo(app, project, 'feature', 'main');
  const post = (attributes: Record<string, unknown>) =>
    app.as(project.owner).post(`/projects/${project.id}/merge_requests`, {
      source_branch: 'feature',
      target_branch: 'main',
      title: 'Engine',
      ...attributes,
    });
  const same = await post({ source_branch: 'main' });
  t.is(same.status, 422);
  t.deepEqual(same.body, { message: ["You can't use same project/branch for source and target"] });
  const unrelated = await post({ target_project_id: other.id });
  t.is(unrelated.status, 422);
  t.deepEqual(unrelated.body, { message: ['Source project is not a fork of the target project'] });
  const missing = await post({ source_branch: 'gone', target_branch: 'nowhere' });
  t.is(missing.status, 400);
  t.deepEqual(missing.body, { message: { source_branch: ['does not exist'], target_branch: ['does not exist'] } });
  t.is((await post({ title: '' })).status, 400);
  t.is((await post({ title: 'x'.repeat(256) })).status, 400);
  t.is((await post({ description: 'x'.repeat(1_048_577) })).status, 400);
  t.is((await post({ target_project_id: 999_999_999 })).status, 404);
  t.is((await post({ title: 'x'.repeat(255) })).status, 201);
  const twice = await post({});
  t.is(twice.status, 409);
  t.deepEqual(twice.body, { message: ['Another open merge request already exists for this source branch: !1'] });
});

// Contract: mr-7.edit
test('title, draft, target, people, labels and state are edited', async (t) => {
  const project = await app.build.project();
  const reviewer = await app.build.member(project, 'developer');
  await commitTo(app, project, 'stable', 'main');
  const { iid } = await mergeRequestIn(app, project);
  const put = async (attributes: Record<string, unknown>) =>
    (await app.as(project.owner).put(`/projects/${project.id}/merge_requests/${iid}`, attributes)).body;
  t.like(await put({ title: 'Draft: Engine' }), { draft: true, work_in_progress: true });
  t.like(await put({ title: 'Engine' }), { draft: false });
  t.like(await put({ labels: 'a,b', assignee_id: project.owner.id, reviewer_ids: [reviewer.id] }), {
    labels: ['a', 'b'],
    assignee: { id: project.owner.id },
    reviewers: [{ id: reviewer.id }],
  });
  t.like(await put({ remove_labels: 'a', reviewer_ids: [0], squash: true, discussion_locked: true }), {
    labels: ['b'],
    reviewers: [],
    squash: true,
    discussion_locked: true,
  });
  t.like(await put({ target_branch: 'stable' }), { target_branch: 'stable' });
  t.like(await put({ state_event: 'close' }), { state: 'closed', closed_by: { id: project.owner.id } });
  t.like(await put({ state_event: 'reopen' }), { state: 'opened', closed_by: null, closed_at: null });
  t.is((await app.as(project.owner).put(`/projects/${project.id}/merge_requests/${iid}`, {})).status, 400);
  t.is((await app.as(reviewer).delete(`/projects/${project.id}/merge_requests/${iid}`)).status, 403);
  t.is((await app.as(project.owner).delete(`/projects/${project.id}/merge_requests/${iid}`)).status, 204);
  t.is((await app.as(project.owner).get(`/projects/${project.id}/merge_requests/${iid}`)).status, 404);
});

// Contract: mr-7.create
test('a merge request removes its source branch only when that is asked for, whatever its project begins forms with', async (t) => {
  const project = await app.build.project();
  t.true((await app.as(project.owner).get(`/projects/${project.id}`)).body.remove_source_branch_after_merge);
  t.is((await mergeRequestIn(app, project, {})).force_remove_source_branch, null);
  t.true((await mergeRequestIn(app, project, { remove_source_branch: true })).force_remove_source_branch);
  t.false((await mergeRequestIn(app, project, { remove_source_branch: false })).force_remove_source_branch);
});

// Contract: mr-7.versions
test('the same changes have one patch id wherever they are proposed', async (t) => {
  const project = await app.build.project();
  const as = app.as(project.owner);
  const getPatchIds = async (branch: string, files: readonly string[]) => {
    await as.post(`/projects/${project.id}/repository/branches`, { branch, ref: 'main' });
    for (const file_path of files) {
      const file = { branch, content: 'same\n', commit_message: `Add on ${branch}` };
      await as.post(`/projects/${project.id}/repository/files/${file_path}`, file);
    }
    const request = { source_branch: branch, target_branch: 'main', title: branch };
    const { body } = await as.post(`/projects/${project.id}/merge_requests`, request);
    const versions = (await as.get(`/projects/${project.id}/merge_requests/${body.iid}/versions`)).body;
    return versions.map(({ patch_id_sha }: { patch_id_sha: string | null }) => patch_id_sha);
  };
  const [one] = await getPatchIds('one', ['a.txt']);
  t.regex(one, /^[0-9a-f]{40}$/);
  t.deepEqual(await getPatchIds('two', ['a.txt']), [one]);
  t.notDeepEqual(await getPatchIds('three', ['b.txt']), [one]);
});

// Contract: mr-7.versions
test('a push makes a version, whose commits and diffs are read', async (t) => {
  const project = await app.build.project();
  const { iid, sha: first } = await mergeRequestIn(app, project, {});
  const at = `/projects/${project.id}/merge_requests/${iid}`;
  const get = async (path: string) => (await app.as(project.owner).get(`${at}${path}`)).body;
  const { source_branch } = await get('');
  const second = await commitTo(app, project, source_branch);
  await app.work();
  const versions = (await get('/versions')) as { id: number; head_commit_sha: string; real_size: string }[];
  t.deepEqual(
    versions.map(({ head_commit_sha, real_size }) => [head_commit_sha, real_size]),
    [
      [second, '2'],
      [first, '1'],
    ],
  );
  const patchIds = (await get('/versions')).map(({ patch_id_sha }: { patch_id_sha: unknown }) => patch_id_sha);
  for (const id of patchIds) t.regex(String(id), /^[0-9a-f]{40}$/);
  t.not(patchIds[0], patchIds[1]);
  t.is((await get(`/versions/${versions[1]!.id}`)).patch_id_sha, patchIds[1]);
  t.like(await get(''), { sha: second, changes_count: '2' });
  const commits = (await get('/commits')) as { id: string }[];
  t.deepEqual(
    commits.map(({ id }) => id),
    [second, first],
  );
  t.is((await get('/diffs')).length, 2);
  t.is((await get('/diffs?per_page=1&page=2')).length, 1);
  const changes = await get('/changes');
  t.is(changes.changes.length, 2);
  t.false(changes.overflow);
  const version = await get(`/versions/${versions[1]!.id}`);
  t.is(version.commits.length, 1);
  t.is(version.diffs.length, 1);
  const raw = await app.as(project.owner).get(`${at}/raw_diffs`);
  t.regex(raw.text ?? String(raw.body), /^diff --git/);
});

// Contract: mr-7.target-moves, mr-7.fetch, mr-7.issues
test('a head that is pushed into the target is merged and closes issues; it can be fetched and not pushed', async (t) => {
  const project = await app.build.project();
  const api = app.as(project.owner);
  await api.post(`/projects/${project.id}/issues`, { title: 'One' });
  const one = await mergeRequestIn(app, project, { description: 'Closes #1' });
  const other = await mergeRequestIn(app, project);
  const at = (iid: number) => `/projects/${project.id}/merge_requests/${iid}`;
  const work = await workTree(t, app, project, { as: project.owner });
  await work.inside(
    'fetch',
    getUrl(app, project, project.owner),
    `refs/merge-requests/${one.iid}/head:refs/heads/taken`,
  );
  t.is(await work.inside('rev-parse', 'taken'), one.sha);
  const rejection = await work.push([`taken:refs/merge-requests/${other.iid}/head`]);
  t.not(rejection.code, 0);
  const pushed = await work.push(['taken:main']);
  t.is(pushed.code, 0, pushed.stderr);
  await app.work();
  t.like((await api.get(at(one.iid))).body, {
    state: 'merged',
    merge_user: { id: project.owner.id },
    merged_by: { id: project.owner.id },
    detailed_merge_status: 'not_open',
  });
  t.is((await api.get(at(other.iid))).body.state, 'opened');
  t.is((await api.get(`/projects/${project.id}/issues/1`)).body.state, 'closed');
  const states = (await api.get(`${at(one.iid)}/resource_state_events`)).body as { state: string }[];
  t.deepEqual(
    states.map(({ state }) => state),
    ['merged'],
  );
  t.is((await api.put(at(one.iid), { state_event: 'reopen' })).body.state, 'merged', 'what is merged stays so');
});

// Contract: mr-7.removal
test('merge requests of a deleted user go to the ghost, with hard_delete they go, and they outlive their fork', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const admin = app.as(await app.build.admin());
  const soft = await app.build.member(project, 'developer');
  const hard = await app.build.member(project, 'developer');
  for (const user of [soft, hard]) await mergeRequestIn(app, project, {}, user);
  const user = await app.build.user();
  const fork = (await app.as(user).post(`/projects/${project.id}/fork`, {})).body as { id: number };
  await app.work();
  await mergeRequestIn(app, { id: fork.id, owner: user });
  await admin.put('/application/settings', { deletion_adjourned_period: 0 });
  await admin.delete(`/users/${soft.id}`);
  await admin.delete(`/users/${hard.id}?hard_delete=true`);
  await app.as(user).delete(`/projects/${fork.id}`);
  await app.work();
  const { body } = await app.as(project.owner).get(`/projects/${project.id}/merge_requests`);
  t.deepEqual(
    body.map(({ author, source_project_id: source }: Record<string, { name: string }>) => [author!.name, source]),
    [
      [user.name, null],
      ['Ghost User', project.id],
    ],
  );
  t.is((await app.as(project.owner).get(`/projects/${project.id}/merge_requests/3/commits`)).body.length, 1);
});

// Contract: mr-7.gitbeaker
test('@gitbeaker/rest does the whole cycle of a merge request', async (t) => {
  const project = await app.build.project();
  const api = new Gitlab({ host: app.url, token: project.owner.token });
  await commitTo(app, project, 'feature', 'main');
  const mergeRequest = await api.MergeRequests.create(project.id, 'feature', 'main', 'Engine', { labels: 'a' });
  const { iid } = mergeRequest;
  t.deepEqual(mergeRequest.labels, ['a']);
  t.is((await api.MergeRequests.show(project.id, iid)).title, 'Engine');
  t.is((await api.MergeRequests.edit(project.id, iid, { title: 'Draft: Engine' })).draft, true);
  t.is((await api.MergeRequests.all({ projectId: project.id })).length, 1);
  t.is((await api.MergeRequests.all({ scope: 'created_by_me' })).length, 1);
  t.is((await api.MergeRequests.allCommits(project.id, iid)).length, 1);
  t.is((await api.MergeRequests.allDiffs(project.id, iid)).length, 1);
  t.is((await api.MergeRequests.allDiffVersions(project.id, iid)).length, 1);
  t.is((await api.MergeRequests.allParticipants(project.id, iid)).length, 1);
  t.deepEqual(await api.MergeRequests.allIssuesClosed(project.id, iid), []);
  t.deepEqual(await api.MergeRequests.allPipelines(project.id, iid), []);
  t.is((await api.MergeRequests.addSpentTime(project.id, iid, '1h')).total_time_spent, 3600);
  t.is((await api.MergeRequests.setTimeEstimate(project.id, iid, '2h')).time_estimate, 7200);
  t.is((await api.MergeRequests.showTimeStats(project.id, iid)).time_estimate, 7200);
  t.is((await api.MergeRequests.resetTimeEstimate(project.id, iid)).time_estimate, 0);
  t.is((await api.MergeRequests.resetSpentTime(project.id, iid)).total_time_spent, 0);
  t.is((await api.MergeRequests.unsubscribe(project.id, iid)).iid, iid);
  t.is((await api.MergeRequests.subscribe(project.id, iid)).iid, iid);
  t.deepEqual(await api.MergeRequests.allIssuesRelated(project.id, iid), []);
  t.deepEqual(await api.MergeRequests.showReviewers(project.id, iid), []);
  const [version] = await api.MergeRequests.allDiffVersions(project.id, iid);
  t.is((await api.MergeRequests.showDiffVersion(project.id, iid, version!.id)).id, version!.id);
  t.is((await api.MergeRequests.createPipeline(project.id, iid)).status, 'pending');
  t.is((await api.MergeRequests.allPipelines(project.id, iid)).length, 1);
  await api.MergeRequests.remove(project.id, iid);
  await t.throwsAsync(() => api.MergeRequests.show(project.id, iid), { message: /Not found/ });
});
