import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { mergeRequestIn } from '../merge-request-steps.js';

const app = useApp(test);
const gid = (type: string, id: number) => `gid://service/${type}/${id}`;

async function setUp(attributes: Record<string, unknown> = {}) {
  const project = await app.build.project({ visibility: 'private', ...attributes });
  const { owner } = project;
  const propose = (params: Record<string, unknown> = {}) => mergeRequestIn(app, { id: project.id, owner }, params);
  const ask = async (user: BuiltUser | null, selection: string) => {
    const client = user ? app.as(user) : app.anonymous;
    const { body } = await client.graphql(`{ project(fullPath: "${project.full_path}") { ${selection} } }`);
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data.project;
  };
  const found = async (args: string, user: BuiltUser = owner): Promise<string[]> =>
    (await ask(user, `mergeRequests(${args}) { nodes { iid } }`)).mergeRequests.nodes.map(
      ({ iid }: { iid: string }) => iid,
    );
  return { project, owner, propose, ask, found, as: app.as(owner) };
}

// Contract: graphql-5.3.merge-request
test('a merge request tells in GraphQL what it tells in REST', async (t) => {
  const { project, owner, propose, ask, as } = await setUp();
  const reviewer = await app.build.member(project, 'developer');
  const mergeRequest = await propose({
    labels: 'b,a',
    description: '- [x] one\n- [ ] two',
    assignee_ids: [owner.id],
    reviewer_ids: [reviewer.id],
    squash: true,
  });
  await app.as(reviewer).post(`/projects/${project.id}/merge_requests/${mergeRequest.iid}/approve`);
  const rest = (await as.get(`/projects/${project.id}/merge_requests/${mergeRequest.iid}`)).body;
  const { mergeRequest: answer } = await ask(
    owner,
    `mergeRequest(iid: "${mergeRequest.iid}") { id iid title titleHtml description descriptionHtml state draft reference
      long: reference(full: true) webUrl webPath project { fullPath } projectId targetProjectId sourceProjectId
      sourceBranch targetBranch author { username } assignees { nodes { username } } reviewers { nodes { username } }
      labels { nodes { title } } approved approvedBy { nodes { username } } mergeUser { id } createdAt updatedAt
      preparedAt mergedAt closedAt diffHeadSha diffRefs { headSha baseSha startSha } mergeStatusEnum
      detailedMergeStatus conflicts squash squashOnMerge autoMergeEnabled discussionLocked subscribed
      mergeableDiscussionsState participants { nodes { username } } taskCompletionStatus { count completedCount }
      userPermissions { readMergeRequest updateMergeRequest adminMergeRequest destroyMergeRequest } }`,
  );
  t.like(answer, {
    id: gid('MergeRequest', mergeRequest.id),
    iid: String(mergeRequest.iid),
    title: 'Engine',
    titleHtml: 'Engine',
    state: 'opened',
    draft: false,
    reference: `!${mergeRequest.iid}`,
    long: `${project.full_path}!${mergeRequest.iid}`,
    webUrl: rest.web_url,
    project: { fullPath: project.full_path },
    projectId: project.id,
    sourceProjectId: project.id,
    sourceBranch: rest.source_branch,
    targetBranch: 'main',
    approved: true,
    mergeUser: null,
    createdAt: rest.created_at,
    updatedAt: rest.updated_at,
    preparedAt: rest.prepared_at,
    mergedAt: null,
    diffHeadSha: rest.sha,
    mergeStatusEnum: rest.merge_status.toUpperCase(),
    detailedMergeStatus: rest.detailed_merge_status.toUpperCase(),
    conflicts: rest.has_conflicts,
    squash: true,
    squashOnMerge: rest.squash_on_merge,
    subscribed: true,
    mergeableDiscussionsState: true,
  });
  const { head_sha: headSha, base_sha: baseSha, start_sha: startSha } = rest.diff_refs;
  t.deepEqual(answer.diffRefs, { headSha, baseSha, startSha });
  t.deepEqual(answer.assignees.nodes, [{ username: owner.username }]);
  t.deepEqual(answer.reviewers.nodes, [{ username: reviewer.username }]);
  t.deepEqual(answer.approvedBy.nodes, [{ username: reviewer.username }]);
  t.deepEqual(answer.labels.nodes, [{ title: 'a' }, { title: 'b' }]);
  t.deepEqual(answer.participants.nodes, [{ username: owner.username }, { username: reviewer.username }]);
  t.deepEqual(answer.taskCompletionStatus, { count: 2, completedCount: 1 });
  t.deepEqual(answer.userPermissions, {
    readMergeRequest: true,
    updateMergeRequest: true,
    adminMergeRequest: true,
    destroyMergeRequest: true,
  });
  t.regex(answer.descriptionHtml, /one/);
});

// Contract: graphql-5.3.merge-requests
test('merge requests of a project are found by the filters of the contract', async (t) => {
  const { project, owner, propose, found, as } = await setUp();
  const other = await app.build.member(project, 'developer');
  const one = await propose({ source_branch: undefined, title: 'B', labels: 'x' });
  const two = await propose({ title: 'Draft: A', assignee_ids: [other.id], reviewer_ids: [owner.id] });
  const three = await propose({ title: 'C' });
  await as.put(`/projects/${project.id}/merge_requests/${three.iid}`, { state_event: 'close' });
  const iids = (...mergeRequests: { iid: number }[]) => mergeRequests.map(({ iid }) => String(iid));
  t.deepEqual(await found('first: 10'), iids(three, two, one));
  t.deepEqual(await found('state: opened'), iids(two, one));
  t.deepEqual(await found('state: closed'), iids(three));
  t.deepEqual(await found(`iids: ["${one.iid}", "${three.iid}"], sort: TITLE_ASC`), iids(one, three));
  t.deepEqual(await found('labels: ["x"]'), iids(one));
  t.deepEqual(await found('draft: true'), iids(two));
  t.deepEqual(await found('draft: false, sort: CREATED_ASC'), iids(one, three));
  t.deepEqual(await found(`sourceBranches: ["${String(one.source_branch)}", "none"]`), iids(one));
  t.deepEqual(await found('targetBranches: ["none"]'), []);
  t.deepEqual(await found(`authorUsername: "${owner.username}"`), iids(three, two, one));
  t.deepEqual(await found(`assigneeUsername: "${other.username}"`), iids(two));
  t.deepEqual(await found(`reviewerUsername: "${owner.username}"`), iids(two));
  t.deepEqual(await found('assigneeUsername: ""'), []);
});

// Contract: graphql-5.1.merge-request
test('whoever may not read merge requests is told of none, by number, by global id and in lists', async (t) => {
  const { project, owner, propose, ask } = await setUp();
  const mergeRequest = await propose();
  const byId = async (user: BuiltUser) => {
    const { body } = await app
      .as(user)
      .graphql(`{ mergeRequest(id: "${gid('MergeRequest', mergeRequest.id)}") { iid } }`);
    return [body.errors, body.data.mergeRequest];
  };
  const selection = `mergeRequest(iid: "${mergeRequest.iid}") { iid } mergeRequests { nodes { iid } count }`;
  const guest = await app.build.member(project, 'guest');
  t.deepEqual(await byId(owner), [undefined, { iid: String(mergeRequest.iid) }]);
  t.deepEqual(await byId(guest), [undefined, null]);
  t.deepEqual(await byId(await app.build.user()), [undefined, null]);
  t.deepEqual(await ask(guest, selection), { mergeRequest: null, mergeRequests: null });
  t.is(await ask(await app.build.user(), selection), null);
  t.deepEqual(await ask(owner, selection), {
    mergeRequest: { iid: String(mergeRequest.iid) },
    mergeRequests: { nodes: [{ iid: String(mergeRequest.iid) }], count: 1 },
  });
  const none = await ask(owner, 'none: mergeRequest(iid: "9999999999") { iid } word: mergeRequest(iid: "x") { iid }');
  t.deepEqual(none, { none: null, word: null });
});

// Contract: graphql-5.2.merge-requests
test('a group has the merge requests of its own projects, and of those below where they are asked for', async (t) => {
  const owner = await app.build.user();
  const above = await app.build.group({ owner });
  const below = await app.build.group({ owner, parent: above });
  const titles = async (args: string) => {
    const { body } = await app
      .as(owner)
      .graphql(`{ group(fullPath: "${above.full_path}") { mergeRequests${args} { nodes { title } } } }`);
    return body.data.group.mergeRequests.nodes.map(({ title }: { title: string }) => title);
  };
  for (const [group, title] of [
    [above, 'own'],
    [below, 'inner'],
  ] as const) {
    const { id } = await app.build.projectIn(group, { empty: false });
    await mergeRequestIn(app, { id, owner }, { title });
  }
  t.deepEqual(await titles(''), ['own']);
  t.deepEqual(await titles('(includeSubgroups: true, sort: CREATED_ASC)'), ['own', 'inner']);
});

// Contract: graphql-5.3.merge-request
test('a merge request has its projects, its newest pipeline and the count of its threads, as far as the caller may see', async (t) => {
  const { project, owner, propose, ask, as } = await setUp({ visibility: 'public' });
  await as.put(`/projects/${project.id}`, { builds_access_level: 'private' });
  const { iid, sha } = await propose();
  const first = (await as.post(`/projects/${project.id}/merge_requests/${iid}/pipelines`)).body;
  await as.post(`/projects/${project.id}/merge_requests/${iid}/discussions`, { body: 'Why?' });
  await as.post(`/projects/${project.id}/merge_requests/${iid}/notes`, { body: 'So.' });
  const selection = `mergeRequest(iid: "${iid}") { sourceProject { fullPath } targetProject { fullPath } mergeable
    headPipeline { id sha } userDiscussionsCount }`;
  const { mergeRequest } = await ask(owner, selection);
  const { head_pipeline: newest } = (await as.get(`/projects/${project.id}/merge_requests/${iid}`)).body;
  t.is(newest.id, first.id);
  t.deepEqual(mergeRequest, {
    sourceProject: { fullPath: project.full_path },
    targetProject: { fullPath: project.full_path },
    mergeable: mergeRequest.mergeable,
    headPipeline: { id: gid('Ci::Pipeline', newest.id), sha },
    userDiscussionsCount: 2,
  });
  const { mergeRequest: open } = await ask(null, selection);
  t.deepEqual([open.headPipeline, open.userDiscussionsCount], [null, 2]);
});
