import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { commitTo, mergeRequestIn } from '../../merge-requests/merge-request-steps.js';
import { epicIn } from '../../planning/epics/epic-steps.js';
import { NOT_AVAILABLE } from '../../../api/core/graphql/errors.js';

const app = useApp(test);
const gid = (type: string, id: number | string) => `gid://service/${type}/${id}`;

/** A to-do as the queries below select it. */
interface ToDoFields {
  id: string;
  action: string;
  targetType: string;
  state: string;
  body: string;
}

/** A list by its arguments. */
async function listToDosOf(
  user: BuiltUser,
  args = '',
  fields = 'id action targetType state body',
): Promise<ToDoFields[]> {
  const { body } = await app.as(user).graphql(`{ currentUser { todos${args} { nodes { ${fields} } } } }`);
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data.currentUser.todos.nodes;
}

const bodies = async (user: BuiltUser, args = '') => (await listToDosOf(user, args)).map(({ body }) => body);

/** What a mutation answers: its payload, or the messages of errors. */
async function mutate(user: BuiltUser, name: string, input: object) {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  const payload = /Many|All/.test(name) ? 'todos { id state }' : 'todo { id state }';
  const { body } = await app
    .as(user)
    .graphql(`mutation($input: ${type}!) { ${name}(input: $input) { errors ${payload} } }`, { input });
  return body.errors ? (body.errors as { message: string }[]).map(({ message }) => message) : body.data[name];
}

/** A group with a project, and a user who has nothing to do yet. */
async function setUp() {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const project = await app.build.projectIn(group, { empty: false });
  const ann = await app.build.member(project, 'developer');
  const as = app.as(owner);
  const base = `/projects/${project.id}`;
  const issueFor = async (title: string, attributes: object = { assignee_ids: [ann.id] }) =>
    (await as.post(`${base}/issues`, { title, ...attributes })).body as { id: number; iid: number; web_url: string };
  return { owner, group, project, ann, as, base, issueFor, at: { id: project.id, owner } };
}

// Contract: to-dos.graphql
test('currentUser.todos shows what REST shows, with target, project and author', async (t) => {
  const { owner, project, ann, as, base, issueFor, at } = await setUp();
  const issue = await issueFor('Leak');
  await commitTo(app, at, 'boosters', 'main');
  const request = await mergeRequestIn(app, at, { source_branch: 'boosters', reviewer_ids: [ann.id] });
  await as.post(`${base}/issues/${issue.iid}/notes`, { body: `@${ann.username} please` });
  await app.work();
  const fields = `id action targetType targetUrl state body createdAt author { username } group { id }
    project { id } target { __typename webUrl ... on Issue { iid title } ... on MergeRequest { number: iid } }`;
  const listed = await listToDosOf(ann, '', fields);
  const rest = (await app.as(ann).get('/todos')).body as Record<string, unknown>[];
  t.deepEqual(
    listed
      .map((one) => one as unknown as Record<string, unknown>)
      .map(({ id, action, body, targetUrl, createdAt }) => [id, action, body, targetUrl, createdAt]),
    rest.map((one) => [gid('Todo', one.id as number), one.action_name, one.body, one.target_url, one.created_at]),
  );
  t.deepEqual(
    listed.map(({ action, targetType }) => `${action} ${targetType}`),
    ['directly_addressed ISSUE', 'review_requested MERGEREQUEST', 'assigned ISSUE'],
  );
  t.like(listed[2], {
    author: { username: owner.username },
    project: { id: gid('Project', project.id) },
    group: null,
    state: 'pending',
    target: { __typename: 'Issue', webUrl: issue.web_url, iid: String(issue.iid), title: 'Leak' },
  });
  t.like(listed[1], { target: { __typename: 'MergeRequest', webUrl: request.web_url, number: String(request.iid) } });
});

// Contract: to-dos.graphql
test('epics and commits are on it too', async (t) => {
  await app.set({ plan: 'premium' });
  const { owner, group, ann, as, base } = await setUp();
  await app.as(owner).post(`/groups/${group.id}/members`, { user_id: ann.id, access_level: 30 });
  const epic = await epicIn(app, { ...group, owner }, { title: 'Engines' });
  const [commit] = (await as.get(`${base}/repository/commits`)).body as { id: string }[];
  await as.post(`${base}/repository/commits/${commit!.id}/comments`, { note: `see @${ann.username}` });
  await app.work();
  t.is((await mutate(ann, 'todoCreate', { targetId: gid('Epic', epic.id) })).errors.length, 0);
  const fields = 'targetType targetUrl body project { id } group { id } target { __typename webUrl }';
  const [ofEpic, ofCommit] = (await listToDosOf(ann, '', fields)) as unknown as Record<string, unknown>[];
  t.like(ofEpic, {
    targetType: 'EPIC',
    body: 'Engines',
    project: null,
    group: { id: gid('Group', group.id) },
    target: { __typename: 'Epic' },
  });
  t.like(ofCommit, { targetType: 'COMMIT', body: `see @${ann.username}`, target: null });
  t.regex(String(ofCommit!.targetUrl), new RegExp(`/-/commit/${commit!.id}#note_`));
});

// Contract: to-dos.graphql
test('filters take several values, states default to pending', async (t) => {
  const { owner, group, project, ann, issueFor } = await setUp();
  const other = await setUp();
  await issueFor('One');
  const two = await issueFor('Two', {});
  await mutate(ann, 'todoCreate', { targetId: gid('Issue', two.id) });
  await mutate(ann, 'todoMarkDone', { id: (await listToDosOf(ann))[1]!.id });
  t.deepEqual(await bodies(ann), ['Two']);
  t.deepEqual(await bodies(ann, '(state: [done])'), ['One']);
  const all = 'state: [pending, done]';
  t.deepEqual(await bodies(ann, `(${all})`), ['Two', 'One']);
  t.deepEqual(await bodies(ann, `(${all}, action: [assigned])`), ['One']);
  t.deepEqual(await bodies(ann, `(${all}, action: [assigned, marked, merge_train_removed])`), ['Two', 'One']);
  t.deepEqual(await bodies(ann, `(${all}, type: [EPIC, DESIGN])`), []);
  t.deepEqual(await bodies(ann, `(${all}, type: [EPIC, ISSUE])`), ['Two', 'One']);
  t.deepEqual(await bodies(ann, `(${all}, authorId: ["${owner.id}"])`), ['One']);
  t.deepEqual(await bodies(ann, `(${all}, authorId: ["${gid('User', owner.id)}", "${ann.id}"])`), ['Two', 'One']);
  t.deepEqual(await bodies(ann, `(${all}, projectId: ["${project.id}"])`), ['Two', 'One']);
  t.deepEqual(await bodies(ann, `(${all}, projectId: ["${other.project.id}"])`), []);
  t.deepEqual(await bodies(ann, `(${all}, groupId: ["${other.group.id}", "${group.id}"])`), ['Two', 'One']);
  t.deepEqual(await bodies(ann, `(${all}, groupId: ["${other.group.id}"])`), []);
});

// Contract: to-dos.graphql
test('pages follow each other by cursors, and are counted', async (t) => {
  const { ann, issueFor } = await setUp();
  for (const title of ['One', 'Two', 'Three']) await issueFor(title);
  const page = async (args: string) => {
    const query = `{ currentUser { todos(${args}) { count nodes { body } pageInfo { hasNextPage endCursor } } } }`;
    return (await app.as(ann).graphql(query)).body.data.currentUser.todos;
  };
  const first = await page('first: 2');
  t.deepEqual(first.nodes, [{ body: 'Three' }, { body: 'Two' }]);
  t.deepEqual([first.count, first.pageInfo.hasNextPage], [3, true]);
  const second = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
  t.deepEqual([second.nodes, second.pageInfo.hasNextPage], [[{ body: 'One' }], false]);
});

// Contract: to-dos.graphql
test('nobody sees the list of another user, nor what they may no longer read', async (t) => {
  const { owner, ann, as, base, issueFor } = await setUp();
  const issue = await issueFor('Leak', {});
  await mutate(ann, 'todoCreate', { targetId: gid('Issue', issue.id) });
  const query = `{ user(username: "${ann.username}") { todos { count nodes { id } } } }`;
  const countFor = async (user: BuiltUser) => (await app.as(user).graphql(query)).body.data.user.todos.count;
  t.deepEqual([await countFor(ann), await countFor(owner)], [1, 0]);
  const anonymous = (await app.anonymous.graphql(query)).body;
  t.deepEqual(anonymous.data?.user?.todos?.nodes ?? [], []);
  const member = await app.as(owner).put(`${base}/members/${ann.id}`, { access_level: 10 });
  t.is(member.status, 200);
  await as.put(`${base}/issues/${issue.iid}`, { confidential: true });
  t.deepEqual(await listToDosOf(ann), []);
});

// Contract: to-dos.mutations
test('todoCreate adds what may be read, once while it is pending', async (t) => {
  const { owner, ann, issueFor, at } = await setUp();
  const issue = await issueFor('Leak', {});
  await commitTo(app, at, 'boosters', 'main');
  const request = await mergeRequestIn(app, at, { source_branch: 'boosters' });
  const { errors, todo } = await mutate(ann, 'todoCreate', { targetId: gid('Issue', issue.id) });
  t.deepEqual([errors, todo.state], [[], 'pending']);
  t.deepEqual(await mutate(ann, 'todoCreate', { targetId: gid('WorkItem', issue.id) }), {
    errors: ['The same is pending on your to-do list already'],
    todo: null,
  });
  t.deepEqual((await mutate(ann, 'todoCreate', { targetId: gid('MergeRequest', request.id) })).errors, []);
  t.deepEqual(
    (await listToDosOf(ann)).map(({ action, targetType }) => [action, targetType]),
    [
      ['marked', 'MERGEREQUEST'],
      ['marked', 'ISSUE'],
    ],
  );
  const stranger = await app.build.user();
  for (const targetId of [gid('Issue', issue.id), gid('MergeRequest', request.id), gid('Issue', 0), gid('Todoable', 1)])
    t.deepEqual(await mutate(stranger, 'todoCreate', { targetId }), [NOT_AVAILABLE]);
  t.deepEqual(await bodies(owner), []);
});

// Contract: to-dos.mutations
test('todoMarkDone and todoRestore change one of the caller alone', async (t) => {
  const { owner, ann, issueFor } = await setUp();
  const issue = await issueFor('Leak');
  const [{ id }] = (await listToDosOf(ann)) as [ToDoFields];
  t.deepEqual(await mutate(owner, 'todoMarkDone', { id }), [NOT_AVAILABLE]);
  t.deepEqual(await mutate(ann, 'todoMarkDone', { id }), { errors: [], todo: { id, state: 'done' } });
  t.deepEqual(await bodies(ann), []);
  t.deepEqual(await mutate(owner, 'todoRestore', { id }), [NOT_AVAILABLE]);
  t.deepEqual(await mutate(ann, 'todoRestore', { id }), { errors: [], todo: { id, state: 'pending' } });
  t.deepEqual(await mutate(ann, 'todoRestore', { id }), { errors: [], todo: { id, state: 'pending' } });
  t.deepEqual(await bodies(ann), ['Leak']);
  const targetId = gid('Issue', issue.id);
  const { todo: older } = await mutate(ann, 'todoCreate', { targetId });
  await mutate(ann, 'todoMarkDone', { id: older.id });
  const { todo: newer } = await mutate(ann, 'todoCreate', { targetId });
  t.deepEqual(await mutate(ann, 'todoRestore', { id: older.id }), {
    errors: ['The same is pending on your to-do list already'],
    todo: null,
  });
  t.deepEqual(
    (await listToDosOf(ann)).map((one) => one.id),
    [newer.id, id],
  );
});

// Contract: to-dos.mutations
test('todoRestoreMany restores up to 50 of the caller, the newest of several that are the same', async (t) => {
  const { owner, ann, issueFor } = await setUp();
  const [one, two] = [await issueFor('One', {}), await issueFor('Two', {})];
  const ids: string[] = [];
  for (const { id } of [one, one, two]) {
    const { todo } = await mutate(ann, 'todoCreate', { targetId: gid('Issue', id) });
    await mutate(ann, 'todoMarkDone', { id: todo.id });
    ids.push(todo.id);
  }
  t.deepEqual(await mutate(owner, 'todoRestoreMany', { ids }), [NOT_AVAILABLE]);
  const foreign = (await mutate(owner, 'todoCreate', { targetId: gid('Issue', one.id) })).todo.id;
  t.deepEqual(await mutate(ann, 'todoRestoreMany', { ids: [ids[0], foreign] }), [NOT_AVAILABLE]);
  t.deepEqual(await bodies(ann), [], 'all or none');
  t.deepEqual(await mutate(ann, 'todoRestoreMany', { ids }), {
    errors: [],
    todos: [
      { id: ids[2], state: 'pending' },
      { id: ids[1], state: 'pending' },
    ],
  });
  t.deepEqual(await bodies(ann), ['Two', 'One']);
  const many = Array.from({ length: 51 }, (_, index) => gid('Todo', index + 1));
  t.deepEqual(await mutate(ann, 'todoRestoreMany', { ids: many }), ['Too many to-do items requested.']);
});

// Contract: to-dos.mutations
test('todosMarkAllDone marks those that match its filters, and shows them', async (t) => {
  const { owner, group, project, ann, issueFor } = await setUp();
  const other = await setUp();
  const one = await issueFor('One', { assignee_ids: [ann.id, owner.id] });
  const two = await issueFor('Two');
  await mutate(ann, 'todoCreate', { targetId: gid('Issue', two.id) });
  await mutate(owner, 'todoCreate', { targetId: gid('Issue', one.id) });
  const done = async (input: object) => {
    const { errors, todos } = await mutate(ann, 'todosMarkAllDone', input);
    return errors.length > 0 ? errors : todos.map(({ state }: ToDoFields) => state);
  };
  t.deepEqual(await done({ projectId: [String(other.project.id)] }), []);
  t.deepEqual(await done({ groupId: [gid('Group', other.group.id)] }), []);
  t.deepEqual(await done({ type: ['MERGEREQUEST'] }), []);
  t.deepEqual(await done({ authorId: [String(other.owner.id)] }), []);
  t.deepEqual(await done({ targetId: gid('MergeRequest', two.id) }), []);
  t.deepEqual(await bodies(ann), ['Two', 'Two', 'One']);
  t.deepEqual(await done({ action: ['marked'], projectId: [String(project.id)] }), ['done']);
  t.deepEqual(await bodies(ann), ['Two', 'One']);
  t.deepEqual(await done({ targetId: gid('Issue', two.id), groupId: [String(group.id)] }), ['done']);
  t.deepEqual(await bodies(ann), ['One']);
  await issueFor('Three');
  t.deepEqual(await done({}), ['done', 'done']);
  t.deepEqual([await bodies(ann), await bodies(owner)], [[], ['One']]);
});

// Contract: to-dos.races
test('of several restored at once one is pending', async (t) => {
  const { ann, issueFor } = await setUp();
  const issue = await issueFor('Leak', {});
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1) {
    const { todo } = await mutate(ann, 'todoCreate', { targetId: gid('Issue', issue.id) });
    await mutate(ann, 'todoMarkDone', { id: todo.id });
    ids.push(todo.id);
  }
  const answers = await Promise.all(ids.map((id) => mutate(ann, 'todoRestore', { id })));
  t.deepEqual(answers.map(({ errors }) => errors.length).toSorted(), [0, 1, 1, 1]);
  t.is((await listToDosOf(ann)).length, 1);
});

// Contract: to-dos.statements
test.serial('a page in GraphQL takes as many statements whatever its length', async (t) => {
  const { ann, issueFor } = await setUp();
  const fields = `{ nodes { targetUrl body author { username } project { fullPath } group { name }
    target { webUrl ... on Issue { title } } } }`;
  const read = () =>
    app.statementsOf(async () => {
      t.is((await app.as(ann).graphql(`{ currentUser { todos${fields} } }`)).body.errors, undefined);
    });
  await issueFor('First');
  await app.as(ann).get('/version');
  await app.tokens.written();
  const one = await read();
  for (let index = 0; index < 6; index += 1) await issueFor(`Other ${index}`);
  t.is(await read(), one);
  t.true(one <= 8, String(one));
});
