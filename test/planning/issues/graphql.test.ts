import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);
const NOT_AVAILABLE =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action";
const gid = (type: string, id: number) => `gid://service/${type}/${id}`;

async function setUp(visibility = 'private') {
  const project = await app.build.project({ visibility });
  const as = app.as(project.owner);
  const issue = async (params: Record<string, unknown> = {}) =>
    (await as.post(`/projects/${project.id}/issues`, { title: 'An issue', ...params })).body;
  const ask = async (user: BuiltUser | null, selection: string) => {
    const client = user ? app.as(user) : app.anonymous;
    const { body } = await client.graphql(`{ project(fullPath: "${project.full_path}") { ${selection} } }`);
    return body.data?.project ?? body;
  };
  return { project, as, issue, ask, owner: project.owner };
}

async function mutate(user: BuiltUser, name: string, input: Record<string, unknown>, selection = 'issue { iid }') {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { ${name}(input: $input) { errors ${selection} } }`;
  const { body } = await app.as(user).graphql(query, { input });
  return { payload: body.data?.[name], errors: body.errors as { message: string }[] | undefined };
}

// Contract: graphql-5.4.issue
test('an issue tells in GraphQL what it tells in REST', async (t) => {
  const { project, issue, ask, owner, as } = await setUp();
  const newIssue = await issue({
    labels: 'b,a',
    weight: 3,
    due_date: '2030-05-01',
    description: '- [x] one\n- [ ] two',
    assignee_ids: [owner.id],
  });
  const { issue: result } = await ask(
    owner,
    `issue(iid: "${newIssue.iid}") { id iid title titleHtml description descriptionHtml state type reference short: reference(full: true)
      webUrl webPath projectId confidential discussionLocked hidden author { username } assignees { nodes { username } }
      labels { nodes { title } } weight dueDate closedAt createdAt updatedAt upvotes downvotes userNotesCount
      mergeRequestsCount subscribed participants { nodes { username } } moved movedTo { id } closedAsDuplicateOf { id }
      taskCompletionStatus { count completedCount } severity blocked blockedByCount blockingCount
      userPermissions { readIssue updateIssue adminIssue destroyIssue } }`,
  );
  t.like(result, {
    id: gid('Issue', newIssue.id),
    iid: String(newIssue.iid),
    title: 'An issue',
    titleHtml: 'An issue',
    state: 'opened',
    type: 'ISSUE',
    reference: `#${newIssue.iid}`,
    short: `${project.full_path}#${newIssue.iid}`,
    webUrl: newIssue.web_url,
    projectId: project.id,
    confidential: false,
    discussionLocked: false,
    weight: 3,
    dueDate: '2030-05-01T00:00:00.000Z',
    createdAt: newIssue.created_at,
    subscribed: true,
    moved: false,
    movedTo: null,
    severity: 'UNKNOWN',
    blocked: false,
    blockedByCount: 0,
    blockingCount: 0,
  });
  t.deepEqual(result.author, { username: owner.username });
  t.deepEqual(result.assignees.nodes, [{ username: owner.username }]);
  t.deepEqual(result.labels.nodes, [{ title: 'a' }, { title: 'b' }]);
  t.deepEqual(result.participants.nodes, [{ username: owner.username }]);
  t.deepEqual(result.taskCompletionStatus, { count: 2, completedCount: 1 });
  t.deepEqual(result.userPermissions, { readIssue: true, updateIssue: true, adminIssue: true, destroyIssue: true });
  t.regex(result.descriptionHtml, /one/);
  const { body } =
    await as.graphql(`{ issue(id: "${gid('Issue', newIssue.id)}") { iid } workItem(id: "${gid('Issue', newIssue.id)}") {
    id iid title state reference webUrl namespace { fullPath } workItemType { name } } }`);
  t.deepEqual(body.data.issue, { iid: String(newIssue.iid) });
  t.like(body.data.workItem, {
    id: gid('WorkItem', newIssue.id),
    state: 'OPEN',
    reference: `#${newIssue.iid}`,
    workItemType: { name: 'Issue' },
    namespace: { fullPath: owner.username },
  });
});

// Contract: graphql-5.4.rights
test('confidential issues and those of hidden projects are null, in lists absent', async (t) => {
  const { project, issue, ask, owner } = await setUp('public');
  const [open, secret] = [await issue(), await issue({ confidential: true })];
  const [guest, planner] = [await app.build.member(project, 'guest'), await app.build.member(project, 'planner')];
  const selection = `issue(iid: "${secret.iid}") { iid } issues { count nodes { iid } } issueStatusCounts { all opened }`;
  const countsFor = async (user: BuiltUser | null) => {
    const { issue: one, issues, issueStatusCounts: counts } = await ask(user, selection);
    return [one?.iid ?? null, issues.count, issues.nodes.length, counts.all, counts.opened];
  };
  for (const user of [null, guest, await app.build.user()]) t.deepEqual(await countsFor(user), [null, 1, 1, 1, 1]);
  for (const user of [planner, owner, await app.build.admin()])
    t.deepEqual(await countsFor(user), [String(secret.iid), 2, 2, 2, 2]);
  const byId = async (user: BuiltUser, { id }: { id: number }) =>
    (await app.as(user).graphql(`{ issue(id: "${gid('Issue', id)}") { iid } }`)).body.data.issue;
  t.is(await byId(guest, secret), null);
  t.deepEqual(await byId(guest, open), { iid: String(open.iid) });
  const hidden = await setUp();
  t.is(await byId(guest, await hidden.issue()), null);
});

// Contract: graphql-5.4.filters
test('filters find what they say', async (t) => {
  const { issue, ask, owner, project } = await setUp();
  const dev = await app.build.member(project, 'developer');
  const a = await issue({ title: 'Alpha', labels: 'x,y', weight: 1, due_date: '2030-02-01', assignee_ids: [dev.id] });
  const b = await issue({ title: 'Beta', labels: 'x', weight: 5, issue_type: 'incident' });
  const c = await issue({ title: 'Gamma', description: 'alpha ray', confidential: true });
  await app.as(owner).put(`/projects/${project.id}/issues/${b.iid}`, { state_event: 'close' });
  const found = async (filter: string) => {
    const result = await ask(owner, `issues(${filter}, sort: CREATED_ASC) { nodes { iid } }`);
    return result.issues?.nodes.map(({ iid }: { iid: string }) => Number(iid)) ?? result;
  };
  for (const [filter, expected] of [
    [`iids: ["${a.iid}", "${c.iid}"]`, [a, c]],
    ['search: "alpha"', [a, c]],
    ['search: "alpha", in: [TITLE]', [a]],
    ['state: closed', [b]],
    ['confidential: true', [c]],
    ['types: [INCIDENT, TASK]', [b]],
    ['labelName: ["x", "y"]', [a]],
    ['or: { labelNames: ["y", "z"] }', [a]],
    ['not: { labelName: ["y"] }', [b, c]],
    ['not: { types: [INCIDENT] }', [a, c]],
    [`assigneeUsernames: ["${dev.username}"]`, [a]],
    [`assigneeUsername: "${dev.username}"`, [a]],
    [`assigneeId: "${gid('User', dev.id)}"`, [a]],
    ['assigneeWildcardId: NONE', [b, c]],
    ['assigneeWildcardId: ANY', [a]],
    [`or: { assigneeUsernames: ["${dev.username}", "nobody"] }`, [a]],
    [`authorUsername: "${owner.username}"`, [a, b, c]],
    [`or: { authorUsernames: ["${dev.username}"] }`, []],
    ['weight: "5"', [b]],
    ['weightWildcardId: NONE', [c]],
    ['milestoneWildcardId: NONE', [a, b, c]],
    ['dueAfter: "2030-01-15T00:00:00Z", dueBefore: "2030-02-15T00:00:00Z"', [a]],
    ['closedAfter: "2029-12-31T00:00:00Z"', [b]],
    ['closedBefore: "2029-12-31T00:00:00Z"', []],
    ['createdAfter: "2031-01-01T00:00:00Z"', []],
    ['subscribed: EXPLICITLY_SUBSCRIBED', []],
  ] as const)
    t.deepEqual(
      await found(filter),
      expected.map(({ iid }) => iid),
      filter,
    );
  const both = 'issues(assigneeId: "none", assigneeWildcardId: ANY) { nodes { iid } }';
  t.is(
    (await app.as(owner).graphql(`{ ${both} }`)).body.errors[0].message,
    'Only one of [assigneeUsernames, assigneeUsername, assigneeId, assigneeWildcardId] arguments is allowed at the same time.',
  );
  const everywhere = await app.as(owner).graphql('{ issues { nodes { iid } } }');
  t.is(everywhere.body.errors[0].message, 'You must provide at least one filter argument for this query');
  const mine = await app.as(owner).graphql(`{ issues(authorUsername: "${owner.username}") { count weight } }`);
  t.deepEqual(mine.body.data.issues, { count: 3, weight: 6 });
});

// Contract: graphql-5.4.sort
test('every order of issues pages to the end without losing one', async (t) => {
  const { issue, ask, owner, project, as } = await setUp();
  const type = (await as.graphql('{ __type(name: "IssueSort") { enumValues(includeDeprecated: true) { name } } }')).body
    .data;
  for (let number = 0; number < 5; number += 1)
    await issue({
      title: `Issue ${number % 2}`,
      ...(number % 2 ? { weight: number, due_date: '2030-02-01', labels: 'x' } : {}),
      ...(number > 2 ? { issue_type: 'incident', severity: 'high' } : {}),
    });
  await as.put(`/projects/${project.id}/issues/1`, { state_event: 'close' });
  for (const { name } of type.__type.enumValues) {
    const iids: string[] = [];
    for (let after = ''; ;) {
      const { issues } = await ask(
        owner,
        `issues(sort: ${name}, first: 2${after}) { nodes { iid } pageInfo { hasNextPage endCursor } }`,
      );
      iids.push(...issues.nodes.map(({ iid }: { iid: string }) => iid));
      if (!issues.pageInfo.hasNextPage) break;
      after = `, after: "${issues.pageInfo.endCursor}"`;
    }
    t.deepEqual(iids.toSorted(), ['1', '2', '3', '4', '5'], name);
  }
});

// Contract: graphql-5.4.group
test("a group's issues are those of its projects, of groups below only where asked for", async (t) => {
  const group = await app.build.group();
  const below = await app.build.group({ parent: group });
  const [near, far] = [await app.build.projectIn(group), await app.build.projectIn(below)];
  const as = app.as(group.owner);
  for (const project of [near, far]) await as.post(`/projects/${project.id}/issues`, { title: project.name });
  const { body } = await as.graphql(`{ group(fullPath: "${group.full_path}") {
    own: issues { nodes { title } } all: issues(includeSubgroups: true, sort: CREATED_ASC) { nodes { title } } } }`);
  t.deepEqual(body.data.group, {
    own: { nodes: [{ title: near.name }] },
    all: { nodes: [{ title: near.name }, { title: far.name }] },
  });
});

// Contract: graphql-5.4.links
test('linked issues are told with the direction seen from the issue, and are linked and unlinked by mutations', async (t) => {
  const { issue, ask, owner } = await setUp();
  const [a, b, c] = [await issue(), await issue(), await issue()];
  const added = await mutate(
    owner,
    'workItemAddLinkedItems',
    {
      id: gid('WorkItem', a.id),
      workItemsIds: [gid('Issue', b.id), gid('WorkItem', c.id)],
      linkType: 'BLOCKED_BY',
    },
    'message workItem { iid }',
  );
  t.deepEqual(added.payload, {
    errors: [],
    message: `Successfully linked ID(s): ${b.id}, ${c.id}.`,
    workItem: { iid: String(a.iid) },
  });
  const result = await ask(
    owner,
    `a: issue(iid: "${a.iid}") { blocked blockedByCount blockedByIssues { nodes { iid } }
       linkedWorkItems { nodes { linkId linkType linkCreatedAt linkUpdatedAt workItemState workItem { iid } } }
       none: linkedWorkItems(filter: RELATED) { nodes { linkId } } }
     b: issue(iid: "${b.iid}") { blocked blockingCount linkedWorkItems(filter: BLOCKS) { nodes { linkType } } }`,
  );
  t.like(result.a, { blocked: true, blockedByCount: 2 });
  t.deepEqual(result.a.none.nodes, []);
  t.like(result.a.linkedWorkItems.nodes[0], {
    linkType: 'is_blocked_by',
    workItemState: 'OPEN',
    workItem: { iid: String(b.iid) },
  });
  t.deepEqual(result.b, { blocked: false, blockingCount: 1, linkedWorkItems: { nodes: [{ linkType: 'blocks' }] } });
  const again = await mutate(
    owner,
    'workItemAddLinkedItems',
    { id: gid('WorkItem', a.id), workItemsIds: [gid('WorkItem', b.id)] },
    'workItem { iid }',
  );
  t.deepEqual(again.payload, { errors: ['Issue(s) already assigned'], workItem: null });
  const gone = await mutate(
    owner,
    'workItemRemoveLinkedItems',
    { id: gid('WorkItem', a.id), workItemsIds: [gid('WorkItem', b.id), gid('WorkItem', c.id)] },
    'workItem { iid }',
  );
  t.deepEqual(gone.payload?.errors, []);
  t.deepEqual((await ask(owner, `issue(iid: "${a.iid}") { linkedWorkItems { nodes { linkId } } }`)).issue, {
    linkedWorkItems: { nodes: [] },
  });
  const guest = await app.build.user();
  const rejection = await mutate(
    guest,
    'workItemAddLinkedItems',
    { id: gid('WorkItem', a.id), workItemsIds: [gid('WorkItem', b.id)] },
    'workItem { iid }',
  );
  t.is(rejection.errors?.[0]?.message, NOT_AVAILABLE);
});

// Contract: graphql-5.9.createIssue
test('an issue is created by its mutation', async (t) => {
  const { owner, project, issue } = await setUp();
  const first = await issue();
  const { id: label } = (await app.as(owner).post(`/projects/${project.id}/labels`, { name: 'x', color: 'red' })).body;
  const { payload } = await mutate(
    owner,
    'createIssue',
    {
      projectPath: project.full_path,
      title: 'New',
      description: 'Text',
      confidential: true,
      locked: true,
      type: 'INCIDENT',
      dueDate: '2030-02-03',
      weight: 2,
      assigneeIds: [gid('User', owner.id)],
      labelIds: [gid('ProjectLabel', label)],
      iid: 77,
      createdAt: '2029-01-01T00:00:00Z',
      moveBeforeId: gid('Issue', first.id),
    },
    `issue { iid title description confidential discussionLocked type dueDate weight createdAt
       assignees { nodes { username } } labels { nodes { title } } }`,
  );
  t.deepEqual(payload, {
    errors: [],
    issue: {
      iid: '77',
      title: 'New',
      description: 'Text',
      confidential: true,
      discussionLocked: true,
      type: 'INCIDENT',
      dueDate: '2030-02-03T00:00:00.000Z',
      weight: 2,
      createdAt: '2029-01-01T00:00:00.000Z',
      assignees: { nodes: [{ username: owner.username }] },
      labels: { nodes: [{ title: 'x' }] },
    },
  });
  const blank = await mutate(owner, 'createIssue', { projectPath: project.full_path, title: ' ' });
  t.deepEqual(blank.payload, { errors: ["Title can't be blank"], issue: null });
  const both = await mutate(owner, 'createIssue', {
    projectPath: project.full_path,
    title: 'x',
    labels: ['a'],
    labelIds: [],
  });
  t.is(both.errors?.[0]?.message, 'Only one of [labels, labelIds] arguments is allowed at the same time.');
  const stranger = await mutate(await app.build.user(), 'createIssue', { projectPath: project.full_path, title: 'x' });
  t.deepEqual([stranger.payload, stranger.errors?.[0]?.message], [null, NOT_AVAILABLE]);
});

// Contract: graphql-5.9.updateIssue
test('an issue is changed by its mutations, as by REST', async (t) => {
  const { owner, project, issue } = await setUp();
  const dev = await app.build.member(project, 'developer');
  const { iid } = await issue({ labels: 'a,b' });
  const { body: labels } = await app.as(owner).get(`/projects/${project.id}/labels`);
  const label = (name: string) => gid('ProjectLabel', labels.find((one: { name: string }) => one.name === name).id);
  const at = { projectPath: project.full_path, iid: String(iid) };
  const changed = await mutate(
    owner,
    'updateIssue',
    {
      ...at,
      title: 'Other',
      description: 'More',
      stateEvent: 'CLOSE',
      removeLabelIds: [label('a')],
      dueDate: '2030-03-04',
      weight: 8,
      timeEstimate: '1h 30m',
      type: 'TASK',
    },
    'issue { title description state labels { nodes { title } } dueDate weight timeEstimate type closedAt }',
  );
  t.deepEqual(changed.payload, {
    errors: [],
    issue: {
      title: 'Other',
      description: 'More',
      state: 'closed',
      labels: { nodes: [{ title: 'b' }] },
      dueDate: '2030-03-04T00:00:00.000Z',
      weight: 8,
      timeEstimate: 5400,
      type: 'TASK',
      closedAt: '2030-01-01T00:00:00.000Z',
    },
  });
  const cleared = await mutate(
    owner,
    'updateIssue',
    { ...at, dueDate: null, weight: null },
    'issue { dueDate weight title }',
  );
  t.deepEqual(cleared.payload?.issue, { dueDate: null, weight: null, title: 'Other' });
  for (const [name, input, selection, expected] of [
    ['issueSetConfidential', { confidential: true }, 'confidential', { confidential: true }],
    ['issueSetLocked', { locked: true }, 'discussionLocked', { discussionLocked: true }],
    ['issueSetDueDate', { dueDate: '2030-06-07T08:00:00Z' }, 'dueDate', { dueDate: '2030-06-07T00:00:00.000Z' }],
    ['issueSetWeight', { weight: 4 }, 'weight', { weight: 4 }],
    ['issueSetSubscription', { subscribedState: false }, 'subscribed', { subscribed: false }],
    ['issueSetSubscription', { subscribedState: false }, 'subscribed', { subscribed: false }],
    [
      'issueSetAssignees',
      { assigneeUsernames: [owner.username] },
      'assignees { nodes { username } }',
      { assignees: { nodes: [{ username: owner.username }] } },
    ],
    [
      'issueSetAssignees',
      { assigneeUsernames: [dev.username], operationMode: 'APPEND' },
      'assignees { nodes { username } }',
      { assignees: { nodes: [{ username: owner.username }, { username: dev.username }] } },
    ],
    [
      'issueSetAssignees',
      { assigneeUsernames: [owner.username], operationMode: 'REMOVE' },
      'assignees { nodes { username } }',
      { assignees: { nodes: [{ username: dev.username }] } },
    ],
  ] as const) {
    const { payload } = await mutate(owner, name, { ...at, ...input }, `issue { ${selection} }`);
    t.deepEqual(payload, { errors: [], issue: expected }, name);
  }
  await mutate(owner, 'updateIssue', { ...at, type: 'INCIDENT' });
  const severe = await mutate(owner, 'issueSetSeverity', { ...at, severity: 'CRITICAL' }, 'issue { severity }');
  t.deepEqual(severe.payload?.issue, { severity: 'CRITICAL' });
  const target = await app.build.project({ owner });
  const moved = await mutate(
    owner,
    'issueMove',
    { ...at, targetProjectPath: target.full_path },
    'issue { projectId reference }',
  );
  t.deepEqual(moved.payload?.issue, { projectId: target.id, reference: '#1' });
});

// Contract: graphql-5.9.issueRights
test('ids of labels of other projects name nothing, so that they tell no title', async (t) => {
  const { owner, project, issue } = await setUp();
  const hidden = await setUp();
  const { id } = (await hidden.as.post(`/projects/${hidden.project.id}/labels`, { name: 'secret', color: 'red' })).body;
  const { iid } = await issue();
  const input = {
    projectPath: project.full_path,
    iid: String(iid),
    addLabelIds: [gid('ProjectLabel', id)],
    title: 'x',
  };
  const { payload } = await mutate(owner, 'updateIssue', input, 'issue { title labels { nodes { title } } }');
  t.deepEqual(payload, { errors: [], issue: { title: 'x', labels: { nodes: [] } } });
  t.deepEqual((await app.as(owner).get(`/projects/${project.id}/labels`)).body, []);
});

// Contract: graphql-5.9.issueRights
test('who may not change an issue gets the not-available error, and changes nothing', async (t) => {
  const { owner, project, issue } = await setUp('public');
  const { iid } = await issue();
  const [guest, stranger] = [await app.build.member(project, 'guest'), await app.build.user()];
  const at = { projectPath: project.full_path, iid: String(iid) };
  for (const user of [guest, stranger])
    for (const [name, input] of [
      ['updateIssue', { title: 'x' }],
      ['issueSetConfidential', { confidential: true }],
      ['issueSetLocked', { locked: true }],
      ['issueSetDueDate', { dueDate: null }],
      ['issueSetWeight', { weight: 1 }],
      ['issueSetSeverity', { severity: 'LOW' }],
      ['issueSetAssignees', { assigneeUsernames: [] }],
    ] as const) {
      const { payload, errors } = await mutate(user, name, { ...at, ...input });
      t.deepEqual([payload, errors?.[0]?.message], [null, NOT_AVAILABLE], name);
    }
  // Its author may edit the text, and not what only Planners set.
  const own = (await app.as(guest).post(`/projects/${project.id}/issues`, { title: 'Own' })).body;
  const ofOwn = { projectPath: project.full_path, iid: String(own.iid) };
  t.deepEqual((await mutate(guest, 'updateIssue', { ...ofOwn, title: 'Better' })).payload?.errors, []);
  t.is((await mutate(guest, 'issueSetWeight', { ...ofOwn, weight: 1 })).errors?.[0]?.message, NOT_AVAILABLE);
  t.is((await app.as(owner).get(`/projects/${project.id}/issues/${iid}`)).body.title, 'An issue');
});
