import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { useApp } from '../../core/app.js';
import { workTree } from '../../repositories/git-http/push-client.js';
import { HARD, getLog, OFF, SPAM } from './spam-steps.js';

const app = useApp(test);

test.serial.beforeEach(() => app.set(OFF as never));

/** Operations, by name, that write publicly visible text; the rest of the pattern matches no other operation. */
const GUARDED = /^(create|update|clone|move)(Any|Project)?(\w*(Note|Discussion)|Issue|Snippet|CommitComment)$/;

// Contract: spam-6.2.8
test('every route that writes issues, comments, threads or snippets is looked at for spam, and none that does not', (t) => {
  const guarded = new Set(
    allRoutes
      // Registry operations and the creation of a pipeline also have a precheck, but do not check text.
      .filter(({ operation, path }) => operation.precheck && !/\/registry\/|\/pipeline$/.test(path))
      .map(({ operation }) => operation.name),
  );
  const guarding = new Set(
    allRoutes.filter(({ operation }) => GUARDED.test(operation.name)).map(({ operation }) => operation.name),
  );
  t.deepEqual([...guarding].toSorted(), [...guarded].toSorted());
  t.true(guarded.size > 20);
});

/** A public project with an issue, a merge request's worth of nothing, a snippet and a commit. */
async function setUp() {
  const group = await app.build.group({ visibility: 'public' });
  const project = await app.build.project({ visibility: 'public' });
  const as = app.as(project.owner);
  const path = `/projects/${project.id}`;
  const issue = (await as.post(`${path}/issues`, { title: 'A question' })).body;
  const snippet = (
    await as.post(`${path}/snippets`, { title: 'A', visibility: 'public', content: 'puts 1\n', file_name: 'a.rb' })
  ).body;
  const epic = (await app.as(group.owner).post(`/groups/${group.id}/epics`, { title: 'All' })).body;
  const thread = (await as.post(`${path}/issues/${issue.iid}/discussions`, { body: 'Why?' })).body;
  const sha = (await as.get(`${path}/repository/commits`)).body[0]?.id as string | undefined;
  return { group, project, as, path, issue, snippet, epic, thread, sha };
}

// Contract: spam-6.2.8
test.serial('comments and threads on issues, snippets, commits and epics are refused, made and edited', async (t) => {
  const { as, path, issue, snippet, thread, group, epic, sha } = await setUp();
  const note = thread.notes[0].id as number;
  await app.set(HARD);
  const body = SPAM;
  const sent: [string, string, object][] = [
    ['POST', `${path}/issues/${issue.iid}/notes`, { body }],
    ['POST', `${path}/issues/${issue.iid}/notes`, { body: `Fine\n/title ${SPAM}` }],
    ['PUT', `${path}/issues/${issue.iid}/notes/${note}`, { body }],
    ['POST', `${path}/issues/${issue.iid}/discussions`, { body }],
    ['POST', `${path}/issues/${issue.iid}/discussions/${thread.id}/notes`, { body }],
    ['PUT', `${path}/issues/${issue.iid}/discussions/${thread.id}/notes/${note}`, { body }],
    ['POST', `${path}/snippets/${snippet.id}/notes`, { body }],
    ['POST', `${path}/snippets/${snippet.id}/discussions`, { body }],
    ['POST', `/groups/${group.id}/epics/${epic.id}/notes`, { body }],
  ];
  if (sha) {
    sent.push(['POST', `${path}/repository/commits/${sha}/comments`, { note: body }]);
    sent.push(['POST', `${path}/repository/commits/${sha}/discussions`, { body }]);
  }
  for (const [method, to, params] of sent) {
    const client = to.startsWith('/groups') ? app.as(group.owner) : as;
    const { status, text } = await client.request(method, to, params);
    t.is(status, 409, `${method} ${to}: ${text}`);
    t.is((await client.request(method, to, { ...params, body: 'Fine', note: 'Fine' })).status < 300, true, to);
  }
});

// Contract: spam-6.2.8
test.serial('quick actions still work while something checks for spam', async (t) => {
  const { as, path, issue } = await setUp();
  await app.set(HARD);
  const { status } = await as.post(`${path}/issues/${issue.iid}/notes`, { body: '/title Another question' });
  t.is(status, 202);
  t.is((await as.get(`${path}/issues/${issue.iid}`)).body.title, 'Another question');
});

const input = (type: string, name: string) =>
  `mutation($input: ${type}!) { ${name}(input: $input) { errors clientMutationId } }`;

// Contract: spam-6.2.8
test.serial('the mutations of issues, notes and threads are refused', async (t) => {
  const { project, as, issue, thread } = await setUp();
  const noteableId = `gid://service/Issue/${issue.id}`;
  const at = { projectPath: project.full_path, iid: String(issue.iid) };
  const sent: Record<string, object> = {
    createIssue: { projectPath: project.full_path, title: SPAM },
    updateIssue: { ...at, title: SPAM },
    createNote: { noteableId, body: SPAM },
    createDiscussion: { noteableId, body: SPAM },
    updateNote: { id: `gid://service/Note/${thread.notes[0].id}`, body: SPAM },
  };
  await app.set(HARD);
  for (const [name, params] of Object.entries(sent)) {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const { status, body } = await as.graphql(input(type, name), { input: params });
    t.is(status, 200);
    t.deepEqual(body.data, { [name]: null }, name);
    t.deepEqual(body.errors[0].extensions, { spam: true }, name);
  }
  const done = [input('UpdateIssueInput', 'updateIssue'), { ...at, timeEstimate: '1h', description: 'Fine' }] as const;
  t.deepEqual((await as.graphql(done[0], { input: done[1] })).body.data.updateIssue.errors, []);
  const people = { ...at, assigneeUsernames: [project.owner.username] };
  const assigned = await as.graphql(input('IssueSetAssigneesInput', 'issueSetAssignees'), { input: people });
  t.deepEqual(assigned.body.data.issueSetAssignees.errors, []);
});

// Contract: spam-6.2.8
test.serial('in a batch each mutation is judged by itself', async (t) => {
  const { project, as } = await setUp();
  await app.set(HARD);
  const query = input('CreateIssueInput', 'createIssue');
  const batch = ['Fine', SPAM, 'Fine too'].map((title) => ({
    query,
    variables: { input: { projectPath: project.full_path, title } },
  }));
  const { body } = await as.raw('POST', '/api/graphql', JSON.stringify(batch), 'application/json');
  t.deepEqual(
    body.map(({ errors }: { errors?: { extensions: object }[] }) => errors?.[0]?.extensions ?? null),
    [null, { spam: true }, null],
  );
});

// Contract: spam-6.2.8
test.serial(
  'a copy of an issue in a public project is a new issue there, and a moved one is where nobody saw it before',
  async (t) => {
    const { project, as, path } = await setUp();
    const hidden = (await as.post('/projects', { name: `hidden ${project.id}`, visibility: 'private' })).body;
    const { iid } = (await as.post(`/projects/${hidden.id}/issues`, { title: SPAM })).body;
    const { iid: spamIid } = (await as.post(`${path}/issues`, { title: SPAM })).body;
    await app.set(HARD);
    const to = { to_project_id: project.id };
    t.is((await as.post(`/projects/${hidden.id}/issues/${iid}/move`, to)).status, 409);
    t.is((await as.post(`/projects/${hidden.id}/issues/${iid}/clone`, to)).status, 409);
    t.is((await as.post(`/projects/${hidden.id}/issues/${iid}/clone`, { to_project_id: hidden.id })).status, 201);
    t.is((await as.post(`${path}/issues/${spamIid}/move`, { to_project_id: hidden.id })).status, 201);
  },
);

// Contract: spam-6.2.8
test.serial('snippets are looked at with their files, personal ones too', async (t) => {
  const { as, path, snippet } = await setUp();
  const file = { title: 'A', content: SPAM, file_name: 'a.rb' };
  await app.set(HARD);
  t.is((await as.post(`${path}/snippets`, { ...file, visibility: 'public' })).status, 409);
  t.is((await as.post('/snippets', { ...file, visibility: 'public' })).status, 409);
  const { status, body: own } = await as.post('/snippets', { ...file, visibility: 'private' });
  t.is(status, 201);
  t.is((await as.put(`/snippets/${own.id}`, { title: 'B' })).status, 200);
  t.is((await as.put(`${path}/snippets/${snippet.id}`, { content: SPAM })).status, 409);
  t.is((await as.put(`${path}/snippets/${snippet.id}`, { description: SPAM })).status, 409);
  t.is((await as.put(`${path}/snippets/${snippet.id}`, { description: SPAM, visibility: 'internal' })).status, 200);
  t.is((await as.put(`${path}/snippets/${snippet.id}`, { visibility: 'public' })).status, 409);
});

// Contract: spam-6.3.10
test.serial('a push to a public snippet is refused for what its files hold, and logged', async (t) => {
  const { project, snippet } = await setUp();
  const full_path = `${project.full_path}/snippets/${snippet.id}`;
  const work = await workTree(t, app, { full_path }, { as: project.owner });
  await work.commit('b.rb', `${SPAM}\n`);
  await app.set(HARD);
  const pushed = await work.push(['HEAD:refs/heads/main']);
  t.not(pushed.code, 0);
  t.regex(Object.values(pushed.refs)[0] ?? '', /look like spam/);
  t.like(await getLog(app, project.owner), [{ noteable_type: 'Snippet', title: 'A', via_api: false }]);
  await work.commit('b.rb', 'puts 2\n');
  t.is((await work.push(['HEAD:refs/heads/main'])).code, 0);
});
