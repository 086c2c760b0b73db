import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { mergeRequestIn } from '../../merge-requests/merge-request-steps.js';

const app = useApp(test);

/** A public project with an issue, and a private one, both of one owner; a visitor, who sees the first alone. */
async function twoProjects() {
  const open = await app.build.project({ visibility: 'public' });
  const { owner } = open;
  const hidden = await app.build.project({ owner });
  const visitor = await app.build.user();
  const as = app.as(owner);
  const issueIn = async ({ id }: { id: number }, values: object = {}) =>
    (await as.post(`/projects/${id}/issues`, { title: 'Engine', ...values })).body as { id: number; iid: number };
  return { open, hidden, owner, visitor, as, issueIn, issue: await issueIn(open) };
}

type TwoProjects = Pick<Awaited<ReturnType<typeof twoProjects>>, 'open' | 'issue'>;

/** A field of an issue in REST, both in the record and in a list, and in GraphQL. */
async function readField({ open, issue }: TwoProjects, user: BuiltUser | null, rest: string, graphql: string) {
  const client = user ? app.as(user) : app.anonymous;
  const { body: one } = await client.get(`/projects/${open.id}/issues/${issue.iid}`);
  const { body: all } = await client.get(`/projects/${open.id}/issues`);
  const listed = all.find(({ iid }: { iid: number }) => iid === issue.iid);
  const { body } = await client.graphql(
    `{ project(fullPath: "${open.full_path}") { issue(iid: "${issue.iid}") { ${graphql} } } }`,
  );
  return [one[rest], listed[rest], body.data.project.issue];
}

test('issues that one blocks count for who may read them, in lists and their order too', async (t) => {
  const projects = await twoProjects();
  const { open, hidden, owner, visitor, as, issueIn, issue } = projects;
  const other = await issueIn(open);
  const secret = await issueIn(open, { confidential: true });
  const far = await issueIn(hidden);
  const block = (target: { iid: number }, project: { id: number }, from = issue) =>
    as.post(`/projects/${open.id}/issues/${from.iid}/links`, {
      target_project_id: project.id,
      target_issue_iid: target.iid,
      link_type: 'blocks',
    });
  for (const target of [secret, other]) t.is((await block(target, open)).status, 201);
  t.is((await block(far, hidden)).status, 201);
  const busy = await issueIn(open);
  for (let count = 0; count < 2; count += 1) t.is((await block(await issueIn(open), open, busy)).status, 201);
  const countsFor = (user: BuiltUser | null) => readField(projects, user, 'blocking_issues_count', 'blockingCount');
  t.deepEqual(await countsFor(owner), [3, 3, { blockingCount: 3 }]);
  for (const user of [visitor, null]) t.deepEqual(await countsFor(user), [1, 1, { blockingCount: 1 }]);
  const firstFor = async (user: BuiltUser) => {
    const { body } = await app
      .as(user)
      .graphql(
        `{ project(fullPath: "${open.full_path}") { issues(sort: BLOCKING_ISSUES_DESC, first: 2) { nodes { iid } pageInfo { endCursor } } } }`,
      );
    return body.data.project.issues.nodes.map(({ iid }: { iid: string }) => Number(iid));
  };
  t.deepEqual(await firstFor(owner), [issue.iid, busy.iid]);
  t.deepEqual(await firstFor(visitor), [busy.iid, issue.iid]);
});

test('merge requests that close an issue count for who may read them', async (t) => {
  const projects = await twoProjects();
  const { open, hidden, owner, visitor } = projects;
  const description = `Closes ${open.full_path}#${projects.issue.iid}`;
  await mergeRequestIn(app, { id: hidden.id, owner }, { description });
  await app.work();
  const countsFor = (user: BuiltUser | null) => readField(projects, user, 'merge_requests_count', 'mergeRequestsCount');
  t.deepEqual(await countsFor(owner), [1, 1, { mergeRequestsCount: 1 }]);
  for (const user of [visitor, null]) t.deepEqual(await countsFor(user), [0, 0, { mergeRequestsCount: 0 }]);
  await mergeRequestIn(app, { id: open.id, owner }, { description });
  await app.work();
  t.deepEqual(await countsFor(owner), [2, 2, { mergeRequestsCount: 2 }]);
  t.deepEqual(await countsFor(visitor), [1, 1, { mergeRequestsCount: 1 }]);
});

test('where an issue was moved to is told who may read it there', async (t) => {
  const projects = await twoProjects();
  const { open, hidden, owner, visitor, as, issue } = projects;
  const moved = await as.post(`/projects/${open.id}/issues/${issue.iid}/move`, { to_project_id: hidden.id });
  t.is(moved.status, 201);
  const fields = 'moved movedTo { iid }';
  const { id, iid } = moved.body;
  t.deepEqual(await readField(projects, owner, 'moved_to_id', fields), [
    id,
    id,
    { moved: true, movedTo: { iid: String(iid) } },
  ]);
  for (const user of [visitor, null])
    t.deepEqual(await readField(projects, user, 'moved_to_id', fields), [null, null, { moved: false, movedTo: null }]);
});

test('forks count for who may see them, wherever a project is shown', async (t) => {
  const open = await app.build.project({ visibility: 'public' });
  const person = await app.build.user();
  const fork = async (name: string, visibility: string) =>
    app.as(person).post(`/projects/${open.id}/fork`, { name, path: name, visibility });
  t.is((await fork('hidden-fork', 'private')).status, 201);
  await app.work();
  const countsFor = async (user: BuiltUser | null) => {
    const client = user ? app.as(user) : app.anonymous;
    const { body } = await client.graphql(`{ project(fullPath: "${open.full_path}") { forksCount } }`);
    const { body: listed } = await client.get(`/projects?search=${open.path}`);
    return [
      (await client.get(`/projects/${open.id}`)).body.forks_count,
      listed.find(({ id }: { id: number }) => id === open.id).forks_count,
      body.data.project.forksCount,
    ];
  };
  const visitor = await app.build.user();
  t.deepEqual(await countsFor(person), [1, 1, 1]);
  for (const user of [visitor, open.owner, null]) t.deepEqual(await countsFor(user), [0, 0, 0]);
  const second = await app.build.user();
  t.is((await app.as(second).post(`/projects/${open.id}/fork`)).status, 201);
  await app.work();
  t.deepEqual(await countsFor(person), [2, 2, 2]);
  t.deepEqual(await countsFor(null), [1, 1, 1]);
});
