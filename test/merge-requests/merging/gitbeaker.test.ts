import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { useApp } from '../../core/app.js';
import { mergingIn } from './merging-steps.js';

const app = useApp(test);

// Contract: merging-1.gitbeaker
test('@gitbeaker/rest approves, rebases and merges a merge request', async (t) => {
  const { project, make, commit, status } = await mergingIn(app);
  const developer = await app.build.member(project, 'developer');
  const api = new Gitlab({ host: app.url, token: project.owner.token });
  const other = new Gitlab({ host: app.url, token: developer.token });
  const request = await make();
  await other.MergeRequestApprovals.approve(project.id, request.iid);
  const approvals = await api.MergeRequestApprovals.showConfiguration(project.id, { mergerequestIId: request.iid });
  t.like(approvals, { approved: true, user_has_approved: false });
  await other.MergeRequestApprovals.unapprove(project.id, request.iid);
  await commit('main');
  t.true((await api.MergeRequests.rebase(project.id, request.iid)).rebase_in_progress);
  await app.work();
  const rebased = await api.MergeRequests.show(project.id, request.iid, { includeDivergedCommitsCount: true });
  t.is(rebased.diverged_commits_count, 0);
  await status(rebased.sha, 'running');
  const waits = await api.MergeRequests.merge(project.id, request.iid, { mergeWhenPipelineSucceeds: true });
  t.true(waits.merge_when_pipeline_succeeds);
  await api.MergeRequests.cancelOnPipelineSuccess(project.id, request.iid);
  const merged = await api.MergeRequests.merge(project.id, request.iid, { squash: true, sha: rebased.sha });
  t.is(merged.state, 'merged');
});
