import test from 'ava';
import { useApp } from '../../core/app.js';
import { mergingIn } from './merging-steps.js';

const app = useApp(test);

// Contract: merging-5.rebase
test('a rebase is done by a job, after which fast-forward is possible', async (t) => {
  const { make, merge, rebase, read, commit, head } = await mergingIn(app, { merge_method: 'ff' });
  const request = await make({}, ['One', 'Two']);
  const onto = await commit('main');
  const { status, body } = await rebase(request);
  t.is(status, 202);
  t.deepEqual(body, { rebase_in_progress: true });
  t.true((await read(request, '?include_rebase_in_progress=true')).rebase_in_progress);
  t.is((await rebase(request)).status, 409, 'while one is done');
  await app.work();
  const done = await read(request, '?include_rebase_in_progress=true&include_diverged_commits_count=true');
  t.like(done, {
    rebase_in_progress: false,
    merge_error: null,
    diverged_commits_count: 0,
    detailed_merge_status: 'mergeable',
  });
  t.not(done.sha, request.sha);
  t.is(done.diff_refs.base_sha, onto);
  t.is((await merge(request)).status, 200);
  t.is(head(), done.sha);
});

// Contract: merging-5.errors
test('a rebase that conflicts says so, and who may not push to the source may not ask', async (t) => {
  const { project, make, rebase, read, commit, edit, head } = await mergingIn(app);
  const request = await make();
  await commit(String(request.source_branch), undefined, { path: 'both.txt', content: 'theirs' });
  await commit('main', undefined, { path: 'both.txt', content: 'ours' });
  await app.work();
  const before = head(String(request.source_branch));
  t.is((await rebase(request, await app.build.member(project, 'reporter'))).status, 403);
  t.is((await rebase(request)).status, 202);
  await app.work();
  t.like(await read(request, '?include_rebase_in_progress=true'), {
    rebase_in_progress: false,
    merge_error: 'Rebase failed: Rebase locally, resolve all conflicts, then push the branch.',
  });
  t.is(head(String(request.source_branch)), before);
  await edit(request, { state_event: 'close' });
  t.is((await rebase(request)).status, 409);
});
