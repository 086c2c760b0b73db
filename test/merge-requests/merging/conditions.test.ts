import test from 'ava';
import { useApp } from '../../core/app.js';
import { mergingIn } from './merging-steps.js';

const app = useApp(test);

// Contract: merging-2.only_allow_merge_if_pipeline_succeeds
test('only what succeeded is merged where the project wants it', async (t) => {
  const { make, merge, status, read } = await mergingIn(app, { only_allow_merge_if_pipeline_succeeds: true });
  const request = await make();
  await app.work();
  t.is((await merge(request)).status, 405, 'without a pipeline');
  t.is((await read(request)).detailed_merge_status, 'ci_must_pass');
  await status(request.sha, 'running');
  t.is((await merge(request)).status, 405);
  t.is((await read(request)).detailed_merge_status, 'ci_still_running');
  await status(request.sha, 'failed');
  t.is((await merge(request)).status, 405);
  const other = await make();
  await status(other.sha, 'success');
  t.is((await merge(other)).status, 200);
});

// Contract: merging-2.only_allow_merge_if_pipeline_succeeds
test('elsewhere a failed pipeline stops no merge', async (t) => {
  const { make, merge, status } = await mergingIn(app);
  const request = await make();
  await status(request.sha, 'failed');
  t.is((await merge(request)).status, 200);
});

// Contract: merging-2.allow_merge_on_skipped_pipeline
test('a skipped pipeline counts as one that succeeded where the project says so', async (t) => {
  const settings = { only_allow_merge_if_pipeline_succeeds: true };
  for (const allow of [false, true]) {
    const { make, merge, status } = await mergingIn(app, { ...settings, allow_merge_on_skipped_pipeline: allow });
    const request = await make();
    await status(request.sha, 'skipped');
    t.is((await merge(request)).status, allow ? 200 : 405);
  }
});

// Contract: merging-2.only_allow_merge_if_all_discussions_are_resolved
test('discussions that are not resolved stop a merge where the project wants it', async (t) => {
  for (const enabled of [true, false]) {
    const settings = { only_allow_merge_if_all_discussions_are_resolved: enabled };
    const { owner, project, make, merge, read } = await mergingIn(app, settings);
    const request = await make();
    await app.work();
    const discussions = `/projects/${project.id}/merge_requests/${request.iid}/discussions`;
    const { body: thread } = await owner.post(discussions, { body: 'Why so?' });
    t.is((await read(request)).blocking_discussions_resolved, !enabled);
    t.is((await merge(request)).status, enabled ? 405 : 200);
    t.is((await owner.put(`${discussions}/${thread.id}`, { resolved: true })).status, 200);
    if (enabled) t.is((await merge(request)).status, 200);
  }
});

// Contract: merging-4.set, merging-4.merged
test('what is to be merged later is merged once its pipeline succeeded, as whoever asked', async (t) => {
  const { project, make, merge, read, status, message } = await mergingIn(app);
  const maintainer = await app.build.member(project, 'maintainer');
  const request = await make();
  t.is((await merge(request, { auto_merge: true })).status, 405, 'there is nothing to wait for');
  await status(request.sha, 'running');
  const params = { auto_merge: true, merge_commit_message: 'Later', should_remove_source_branch: false };
  const set = await merge(request, params, maintainer);
  t.is(set.status, 200, set.text);
  t.like(set.body, {
    state: 'opened',
    merge_when_pipeline_succeeds: true,
    merge_user: { id: maintainer.id },
    should_remove_source_branch: false,
  });
  await app.work();
  t.is((await read(request)).state, 'opened');
  await status(request.sha, 'success');
  await app.work();
  const merged = await read(request);
  t.like(merged, { state: 'merged', merge_when_pipeline_succeeds: false, merge_user: { id: maintainer.id } });
  t.is(message(merged.merge_commit_sha), 'Later');
});

// Contract: merging-4.set
test('with a pipeline that succeeded an automatic merge is one at once', async (t) => {
  const { make, merge, status } = await mergingIn(app);
  const request = await make();
  await status(request.sha, 'success');
  t.like((await merge(request, { merge_when_pipeline_succeeds: true })).body, { state: 'merged' });
});

// Contract: merging-4.canceled
test('an automatic merge is canceled by who may merge, its author, a push, and when it is closed', async (t) => {
  const { project, path, make, merge, read, edit, status, commit, owner } = await mergingIn(app);
  const reporter = await app.build.member(project, 'reporter');
  const request = await make();
  const cancel = (as = owner) => as.post(`${path}/${request.iid}/cancel_merge_when_pipeline_succeeds`);
  const set = async (sha: string) => {
    await status(sha, 'running');
    t.like((await merge(request, { auto_merge: true })).body, { merge_when_pipeline_succeeds: true });
  };
  t.is((await cancel()).status, 406);
  await set(request.sha);
  t.is((await cancel(app.as(reporter))).status, 401);
  const canceled = await cancel();
  t.is(canceled.status, 201, canceled.text);
  t.like(canceled.body, { merge_when_pipeline_succeeds: false, merge_user: null });
  t.like((await merge(request, { auto_merge: true })).body, { merge_when_pipeline_succeeds: true });
  const newer = await commit(String(request.source_branch));
  await app.work();
  t.like(await read(request), { merge_when_pipeline_succeeds: false, sha: newer });
  await set(newer);
  await edit(request, { state_event: 'close' });
  t.like(await read(request), { merge_when_pipeline_succeeds: false });
  t.is((await cancel()).status, 405);
});

// Contract: merging-4.refused
test('an automatic merge that git refuses says why, and is not tried again', async (t) => {
  const { make, merge, read, status, commit } = await mergingIn(app, { merge_method: 'ff' });
  const request = await make();
  await status(request.sha, 'running');
  t.is((await merge(request, { auto_merge: true })).status, 200);
  await commit('main');
  await status(request.sha, 'success');
  await app.work();
  t.like(await read(request), {
    state: 'opened',
    merge_when_pipeline_succeeds: false,
    merge_error: 'Branch cannot be merged',
  });
});
