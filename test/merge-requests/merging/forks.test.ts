import test from 'ava';
import { sql } from 'kysely';
import { finishLeftMerge } from '../../../shared/merge-requests/merging/finish-merge.js';
import { useApp } from '../../core/app.js';
import { commitTo } from '../merge-request-steps.js';
import { mergingIn } from './merging-steps.js';

const app = useApp(test);

// Contract: merging-6.forks
test('a branch of a fork is merged into its upstream, and removed there by a job', async (t) => {
  const upstream = await app.build.project({ visibility: 'public' });
  const { merge, parents, git } = await mergingIn(app, {}, upstream);
  const author = await app.build.user();
  const { body: fork } = await app.as(author).post(`/projects/${upstream.id}/fork`);
  await app.work();
  const at = { id: fork.id as number, owner: author };
  // The user who merges may push to the fork as well.
  await app.as(author).post(`/projects/${fork.id}/members`, { user_id: upstream.owner.id, access_level: 30 });
  const sha = await commitTo(app, at, 'story', 'main');
  const attributes = {
    source_branch: 'story',
    target_branch: 'main',
    title: 'From a fork',
    target_project_id: upstream.id,
  };
  const { status, body, text } = await app.as(author).post(`/projects/${fork.id}/merge_requests`, attributes);
  t.is(status, 201, text);
  t.is((await merge(body, {}, author)).status, 401);
  const merged = await merge(body, { should_remove_source_branch: true });
  t.is(merged.status, 200, merged.text);
  t.is(parents(merged.body.merge_commit_sha)[1], sha);
  t.is(git('fsck', '--connectivity-only', '--no-dangling'), '');
  await app.work();
  t.is((await app.as(author).get(`/projects/${fork.id}/repository/branches/story`)).status, 404);
});

// Contract: merging-7.finished
test('a merge that is in git and not in the database is written down by what its note says', async (t) => {
  const { project, make, merge, read, head } = await mergingIn(app);
  const request = await make({}, ['One', 'Two']);
  const { body } = await merge(request, { squash: true });
  const { id } = request;
  const note = {
    merge_request_id: id,
    user_id: project.owner.id,
    merged_commit_sha: head()!,
    merge_commit_sha: head(),
    squash_commit_sha: body.squash_commit_sha as string,
    should_remove_source_branch: true,
  };
  const reopen = () =>
    app.context().query(sql`
      update merge_requests set state = 'opened', merged_at = null, merge_user_id = null, merge_commit_sha = null,
             squash_commit_sha = null, merged_commit_sha = null where id = ${id}`);
  await reopen();
  await finishLeftMerge(app.context(), { ...note, merged_commit_sha: request.sha, merge_commit_sha: null });
  t.is((await read(request)).state, 'opened', 'git never moved there');
  for (let again = 0; again < 2; again += 1) {
    await finishLeftMerge(app.context(), note);
    t.like(await read(request), {
      state: 'merged',
      merge_user: { id: project.owner.id },
      merge_commit_sha: head(),
      squash_commit_sha: body.squash_commit_sha,
    });
  }
});
