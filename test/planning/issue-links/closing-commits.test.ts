import test from 'ava';
import type { BuiltUser } from '../../core/builders.js';
import { sql } from 'kysely';
import { processCommits } from '../../../shared/planning/issue-links/process-commits.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

let files = 0;
async function commit(user: BuiltUser, project: { id: number }, message: string, branch = 'main', start?: string) {
  files += 1;
  const action = { action: 'create', file_path: `file-${files}.txt`, content: 'x' };
  const response = await app.as(user).post(`/projects/${project.id}/repository/commits`, {
    branch,
    commit_message: message,
    actions: [action],
    ...(start ? { start_branch: start } : {}),
  });
  await app.work();
  return response.body.id as string;
}

async function issue(user: BuiltUser, project: { id: number }, attributes: Record<string, unknown> = {}) {
  return (await app.as(user).post(`/projects/${project.id}/issues`, { title: 'Engine', ...attributes })).body as {
    id: number;
    iid: number;
  };
}

const readIssue = async (user: BuiltUser, project: { id: number }, iid: number) =>
  (await app.as(user).get(`/projects/${project.id}/issues/${iid}`)).body as {
    state: string;
    closed_by: { id: number } | null;
    closed_at: string | null;
  };

const mentions = (issueId: number) =>
  app.context().query<{ sha: string | null }>(sql`
    select source_sha as "sha" from issue_cross_references where issue_id = ${issueId}`);

// Contract: markdown-4.closes
test('a commit on the default branch closes the issues that its message closes, as who pushed it', async (t) => {
  const project = await app.build.project();
  const { owner } = project;
  const other = await app.build.project({ owner });
  const [one, two, three] = [await issue(owner, project), await issue(owner, project), await issue(owner, project)];
  await issue(owner, other);
  const sha = await commit(owner, project, `Start\n\nCloses #1, ${other.full_path}#1. See #3`);
  for (const [inProject, iid] of [
    [project, 1],
    [other, 1],
  ] as const) {
    const closed = await readIssue(owner, inProject, iid);
    t.like(closed, { state: 'closed', closed_by: { id: owner.id } });
    t.not(closed.closed_at, null);
  }
  t.is((await readIssue(owner, project, 2)).state, 'opened');
  t.is((await readIssue(owner, project, 3)).state, 'opened');
  t.deepEqual(await mentions(three.id), [{ sha }]);
  t.deepEqual(await mentions(one.id), [{ sha }]);
  t.deepEqual(await mentions(two.id), []);
  t.is((await app.as(owner).get(`/projects/${project.id}`)).body.open_issues_count, 2);
});

// Contract: markdown-4.closes
test('another branch closes nothing, nor does a project that does not want it', async (t) => {
  const project = await app.build.project();
  const { owner } = project;
  await issue(owner, project);
  await commit(owner, project, 'Closes #1', 'topic', 'main');
  t.is((await readIssue(owner, project, 1)).state, 'opened');
  await app.as(owner).put(`/projects/${project.id}`, { autoclose_referenced_issues: false });
  await commit(owner, project, 'Closes #1');
  t.is((await readIssue(owner, project, 1)).state, 'opened');
  await app.as(owner).put(`/projects/${project.id}`, { autoclose_referenced_issues: true });
  await commit(owner, project, 'Closes #1');
  t.is((await readIssue(owner, project, 1)).state, 'closed');
});

// Contract: markdown-4.rights
test('nobody closes by a commit what they may not change or see, whoever the commit says wrote it', async (t) => {
  const owner = await app.build.user();
  const pusher = await app.build.user();
  const project = await app.build.project();
  await app.build.member(project, 'maintainer', pusher);
  const open = await app.build.project({ owner, visibility: 'public' });
  const hidden = await app.build.project({ owner });
  const secret = await issue(owner, open, { confidential: true });
  const foreign = await issue(owner, open);
  const unseen = await issue(owner, hidden);
  const text = `Closes ${open.full_path}#${secret.iid}, ${open.full_path}#${foreign.iid}, ${hidden.full_path}#${unseen.iid}`;
  files += 1;
  await app.as(pusher).post(`/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: text,
    author_email: `${owner.username}@example.com`,
    author_name: owner.name,
    actions: [{ action: 'create', file_path: `file-${files}.txt`, content: 'x' }],
  });
  await app.work();
  for (const [inProject, { iid }] of [
    [open, secret],
    [open, foreign],
    [hidden, unseen],
  ] as const)
    t.is((await readIssue(owner, inProject, iid)).state, 'opened');
  t.deepEqual(await mentions(secret.id), []);
  t.deepEqual(await mentions(unseen.id), []);
  t.is((await mentions(foreign.id)).length, 1);
});

// Contract: markdown-4.once
test('a commit closes once: what was opened again stays open when the job runs twice', async (t) => {
  const project = await app.build.project();
  const { owner } = project;
  const newIssue = await issue(owner, project);
  const sha = await commit(owner, project, 'Closes #1');
  t.is((await readIssue(owner, project, 1)).state, 'closed');
  await app.context().query(sql`update issues set state = 'opened', closed_at = null where id = ${newIssue.id}`);
  const push = { project_id: project.id, user_id: owner.id, from: null, to: sha };
  await processCommits(app.context(), push);
  await processCommits(app.context(), { ...push, user_id: 0 });
  t.is((await readIssue(owner, project, 1)).state, 'opened');
  t.is((await mentions(newIssue.id)).length, 1);
});
