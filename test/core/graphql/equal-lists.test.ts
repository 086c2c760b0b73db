import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../app.js';
import type { BuiltUser } from '../builders.js';
import type { Client } from '../client.js';
import { areaExamples } from '../examples.js';

// A long test: it reads everything that both APIs offer for each visibility.

/*
 * What REST and GraphQL both list is read through both, by visitors without an account and by strangers who have one.
 * The same rule must decide: both show it or neither does. An answer of 401 shows nothing, like any other error.
 */
const app = useApp(test);

/** One of everything, in a container of some visibility. */
interface Ids {
  project: { id: number; full_path: string };
  group: { id: number; full_path: string };
  user: { id: number; username: string };
  issue: { id: number; iid: number };
  merge_request: { id: number; iid: number };
  epic: { id: number; iid: number };
  milestone: { id: number };
  label: { id: number; name: string };
  snippet: { id: number };
  pipeline: { id: number; iid: number };
  schedule: { id: number };
  environment: { id: number; name: string };
  deployment: { id: number; iid: number };
  note: { id: number };
}

/** The same by both: a path, and the fields from the root down to the records, without a selection. */
interface Offer {
  rest: (ids: Ids) => string;
  graphql: (ids: Ids) => string[];
  /** The selected field of each record, if it is no record itself. */
  select?: string;
}

const inProject = ({ project }: Ids, ...fields: string[]) => [`project(fullPath: "${project.full_path}")`, ...fields];
const inGroup = ({ group }: Ids, ...fields: string[]) => [`group(fullPath: "${group.full_path}")`, ...fields];
const ofIssue = (ids: Ids, ...fields: string[]) => inProject(ids, `issue(iid: "${ids.issue.iid}")`, ...fields);
const ofRequest = (ids: Ids, ...fields: string[]) =>
  inProject(ids, `mergeRequest(iid: "${ids.merge_request.iid}")`, ...fields);
const ofEpic = (ids: Ids, ...fields: string[]) => inGroup(ids, `epic(iid: "${ids.epic.iid}")`, ...fields);
const projectPath = ({ project }: Ids, rest: string) => `/projects/${project.id}${rest}`;
const groupPath = ({ group }: Ids, rest: string) => `/groups/${group.id}${rest}`;
const issuePath = (ids: Ids, rest: string) => projectPath(ids, `/issues/${ids.issue.iid}${rest}`);
const requestPath = (ids: Ids, rest: string) => projectPath(ids, `/merge_requests/${ids.merge_request.iid}${rest}`);

/** Lists of a project by their names in both APIs, if there are no other differences. */
const listOfProject = (rest: string, graphql: string): Offer => ({
  rest: (ids) => projectPath(ids, rest),
  graphql: (ids) => inProject(ids, graphql, 'nodes'),
});
const listOfGroup = (rest: string, graphql: string): Offer => ({
  rest: (ids) => groupPath(ids, rest),
  graphql: (ids) => inGroup(ids, graphql, 'nodes'),
});

const OFFERS: Record<string, Offer> = {
  'a project': { rest: (ids) => projectPath(ids, ''), graphql: (ids) => inProject(ids) },
  languages: {
    rest: (ids) => projectPath(ids, '/languages'),
    graphql: (ids) => inProject(ids, 'languages'),
  },
  issues: listOfProject('/issues', 'issues'),
  'statistics of issues': {
    rest: (ids) => projectPath(ids, '/issues_statistics'),
    graphql: (ids) => inProject(ids, 'issueStatusCounts'),
  },
  'an issue': { rest: (ids) => issuePath(ids, ''), graphql: (ids) => ofIssue(ids) },
  'notes of an issue': {
    rest: (ids) => issuePath(ids, '/notes'),
    graphql: (ids) => ofIssue(ids, 'notes', 'nodes'),
  },
  'threads of an issue': {
    rest: (ids) => issuePath(ids, '/discussions'),
    graphql: (ids) => ofIssue(ids, 'discussions', 'nodes'),
  },
  'a note': {
    rest: (ids) => issuePath(ids, `/notes/${ids.note.id}`),
    graphql: (ids) => [`note(id: "gid://service/Note/${ids.note.id}")`],
  },
  'emoji on a note': {
    rest: (ids) => issuePath(ids, `/notes/${ids.note.id}/award_emoji`),
    graphql: (ids) => [`note(id: "gid://service/Note/${ids.note.id}")`, 'awardEmoji', 'nodes'],
    select: 'name',
  },
  'links of an issue': {
    rest: (ids) => issuePath(ids, '/links'),
    graphql: (ids) => ofIssue(ids, 'linkedWorkItems', 'nodes'),
  },
  'participants of an issue': {
    rest: (ids) => issuePath(ids, '/participants'),
    graphql: (ids) => ofIssue(ids, 'participants', 'nodes'),
  },
  'merge requests': listOfProject('/merge_requests', 'mergeRequests'),
  'a merge request': { rest: (ids) => requestPath(ids, ''), graphql: (ids) => ofRequest(ids) },
  'notes of a merge request': {
    rest: (ids) => requestPath(ids, '/notes'),
    graphql: (ids) => ofRequest(ids, 'notes', 'nodes'),
  },
  'threads of a merge request': {
    rest: (ids) => requestPath(ids, '/discussions'),
    graphql: (ids) => ofRequest(ids, 'discussions', 'nodes'),
  },
  'participants of a merge request': {
    rest: (ids) => requestPath(ids, '/participants'),
    graphql: (ids) => ofRequest(ids, 'participants', 'nodes'),
  },
  reviewers: {
    rest: (ids) => requestPath(ids, '/reviewers'),
    graphql: (ids) => ofRequest(ids, 'reviewers', 'nodes'),
  },
  'labels of a project': listOfProject('/labels', 'labels'),
  'a label': {
    rest: (ids) => projectPath(ids, `/labels/${ids.label.id}`),
    graphql: (ids) => inProject(ids, `label(title: "${ids.label.name}")`),
  },
  'milestones of a project': listOfProject('/milestones', 'milestones'),
  'a milestone': {
    rest: (ids) => projectPath(ids, `/milestones/${ids.milestone.id}`),
    graphql: (ids) => [`milestone(id: "gid://service/Milestone/${ids.milestone.id}")`],
  },
  'snippets of a project': listOfProject('/snippets', 'snippets'),
  'notes of a snippet': {
    rest: (ids) => projectPath(ids, `/snippets/${ids.snippet.id}/notes`),
    graphql: (ids) =>
      inProject(ids, `snippets(ids: ["gid://service/ProjectSnippet/${ids.snippet.id}"])`, 'nodes', 'notes', 'nodes'),
  },
  'threads of a snippet': {
    rest: (ids) => projectPath(ids, `/snippets/${ids.snippet.id}/discussions`),
    graphql: (ids) =>
      inProject(
        ids,
        `snippets(ids: ["gid://service/ProjectSnippet/${ids.snippet.id}"])`,
        'nodes',
        'discussions',
        'nodes',
      ),
  },
  pipelines: listOfProject('/pipelines', 'pipelines'),
  'a pipeline': {
    rest: (ids) => projectPath(ids, `/pipelines/${ids.pipeline.id}`),
    graphql: (ids) => inProject(ids, `pipeline(iid: "${ids.pipeline.iid}")`),
  },
  'inputs of a pipeline': {
    rest: (ids) => projectPath(ids, `/pipelines/${ids.pipeline.id}/inputs`),
    graphql: (ids) => inProject(ids, `pipeline(iid: "${ids.pipeline.iid}")`, 'inputs', 'nodes'),
    select: 'name',
  },
  schedules: listOfProject('/pipeline_schedules', 'pipelineSchedules'),
  'a schedule': {
    rest: (ids) => projectPath(ids, `/pipeline_schedules/${ids.schedule.id}`),
    graphql: (ids) => inProject(ids, `pipelineSchedules(ids: ["${ids.schedule.id}"])`, 'nodes'),
  },
  environments: listOfProject('/environments', 'environments'),
  'an environment': {
    rest: (ids) => projectPath(ids, `/environments/${ids.environment.id}`),
    graphql: (ids) => inProject(ids, `environment(name: "${ids.environment.name}")`),
  },
  deployments: {
    rest: (ids) => projectPath(ids, '/deployments'),
    graphql: (ids) => inProject(ids, `environment(name: "${ids.environment.name}")`, 'deployments', 'nodes'),
  },
  'a deployment': {
    rest: (ids) => projectPath(ids, `/deployments/${ids.deployment.id}`),
    graphql: (ids) => inProject(ids, `deployment(iid: "${ids.deployment.iid}")`),
  },
  'protected branches': {
    rest: (ids) => projectPath(ids, '/protected_branches'),
    graphql: (ids) => inProject(ids, 'branchRules', 'nodes'),
    select: 'name',
  },
  'a group': { rest: (ids) => groupPath(ids, ''), graphql: (ids) => inGroup(ids) },
  'projects of a group': listOfGroup('/projects', 'projects'),
  'groups of a group': listOfGroup('/descendant_groups', 'descendantGroups'),
  'members of a group': listOfGroup('/members/all', 'groupMembers'),
  'issues of a group': listOfGroup('/issues', 'issues(includeSubgroups: true)'),
  'merge requests of a group': listOfGroup('/merge_requests', 'mergeRequests(includeSubgroups: true)'),
  'labels of a group': listOfGroup('/labels', 'labels'),
  'milestones of a group': listOfGroup('/milestones', 'milestones'),
  epics: listOfGroup('/epics', 'epics'),
  'an epic': { rest: (ids) => groupPath(ids, `/epics/${ids.epic.iid}`), graphql: (ids) => ofEpic(ids) },
  'issues of an epic': {
    rest: (ids) => groupPath(ids, `/epics/${ids.epic.iid}/issues`),
    graphql: (ids) => ofEpic(ids, 'issues', 'nodes'),
  },
  'notes of an epic': {
    rest: (ids) => groupPath(ids, `/epics/${ids.epic.id}/notes`),
    graphql: (ids) => ofEpic(ids, 'notes', 'nodes'),
  },
  'threads of an epic': {
    rest: (ids) => groupPath(ids, `/epics/${ids.epic.id}/discussions`),
    graphql: (ids) => ofEpic(ids, 'discussions', 'nodes'),
  },
  projects: {
    rest: ({ project }) => `/projects?search=${project.full_path.split('/').at(-1)}`,
    graphql: ({ project }) => [`projects(fullPaths: ["${project.full_path}"])`, 'nodes'],
  },
  'all issues': {
    rest: ({ issue }) => `/issues?scope=all&iids[]=${issue.iid}`,
    graphql: ({ issue }) => [`issues(iids: ["${issue.iid}"])`, 'nodes'],
  },
  'a user': {
    rest: ({ user }) => `/users?username=${user.username}`,
    graphql: ({ user }) => [`users(usernames: ["${user.username}"])`, 'nodes'],
  },
  'what a user starred': {
    rest: ({ user }) => `/users/${user.id}/starred_projects`,
    graphql: ({ user }) => [`user(username: "${user.username}")`, 'starredProjects', 'nodes'],
  },
  metadata: { rest: () => '/metadata', graphql: () => ['metadata'], select: 'version' },
};

/** How many records an answer shows; an error shows none. */
async function byRest(client: Client, path: string): Promise<boolean> {
  const { status, body } = await client.get(path);
  if (status >= 500) throw new Error(`${path}: ${status}`);
  if (status !== 200) return false;
  return Object.keys(body as object).length > 0;
}

async function byGraphql(client: Client, way: string[], select: string): Promise<boolean> {
  const { body, text } = await client.graphql(`{ ${way.join(' { ')} { ${select} ${'}'.repeat(way.length + 1)}`);
  if (body.data === undefined) throw new Error(`${way.join(' ')}: ${text}`);
  let found: unknown[] = [body.data];
  for (const step of way)
    found = found.flatMap((one) => (one as Record<string, unknown>)[/^\w+/.exec(step)?.[0] ?? ''] ?? []);
  return found.length > 0;
}

const first = async (client: Client, path: string) => (await client.get(path)).body[0];

/** A container with one of everything that is offered. */
async function fill(admin: BuiltUser, visibility: string): Promise<Ids> {
  const { build } = app;
  const above = await build.group({ owner: admin, visibility });
  const group = await build.group({ owner: admin, parent: above, visibility });
  await build.group({ owner: admin, parent: group, visibility });
  const user = await build.groupMember(group, 'developer');
  const project = await build.projectIn({ ...group, owner: admin }, { visibility, empty: false });
  await build.member(project, 'maintainer', user);
  for (const { graphql } of areaExamples) await graphql?.fill?.({ app, admin, user, above, group, project, index: 0 });
  const as = app.as(admin);
  const path = `/projects/${project.id}`;
  const { body: issue } = await as.post(`${path}/issues`, { title: 'Talked about', assignee_id: user.id });
  const { body: target } = await as.post(`${path}/issues`, { title: 'Linked' });
  await as.post(`${path}/issues/${issue.iid}/links`, { target_project_id: project.id, target_issue_iid: target.iid });
  const { body: note } = await as.post(`${path}/issues/${issue.iid}/notes`, { body: 'Hello' });
  await as.post(`${path}/issues/${issue.iid}/discussions`, { body: 'Hello' });
  await as.post(`${path}/issues/${issue.iid}/notes/${note.id}/award_emoji`, { name: 'rocket' });
  const request = await first(as, `${path}/merge_requests`);
  await as.put(`${path}/merge_requests/${request.iid}`, { reviewer_ids: [user.id] });
  await as.post(`${path}/merge_requests/${request.iid}/discussions`, { body: 'Hello' });
  const epic = (await as.post(`/groups/${group.id}/epics`, { title: 'Talked about' })).body;
  await as.post(`/groups/${group.id}/epics/${epic.id}/notes`, { body: 'Hello' });
  await as.post(`/groups/${group.id}/epics/${epic.id}/discussions`, { body: 'Hello' });
  await as.put(`${path}/issues/${issue.iid}`, { epic_id: epic.id });
  const snippetVisibility = visibility === 'private' ? 'private' : visibility;
  const snippet = (
    await as.post(`${path}/snippets`, { title: 'Code', visibility: snippetVisibility, file_name: 'a', content: 'a' })
  ).body;
  await as.post(`${path}/snippets/${snippet.id}/notes`, { body: 'Hello' });
  await as.post(`${path}/snippets/${snippet.id}/discussions`, { body: 'Hello' });
  // The examples write pipelines without counting them.
  await app.context().query(sql`
    insert into project_counters (project_id, kind, last_value) values (${project.id}, 'pipeline', 1000)
    on conflict (project_id, kind) do update set last_value = 1000`);
  const { body: pipeline, text } = await as.post(`${path}/pipeline`, { ref: 'main', inputs: { a: 1 } });
  if (!pipeline.iid) throw new Error(text);
  await app.as(user).post(`${path}/star`);
  const { body: environment } = await as.post(`${path}/environments`, { name: 'deployed' });
  const head = (await first(as, `${path}/repository/commits`)).id;
  const attributes = { environment: 'deployed', sha: head, ref: 'main', tag: false, status: 'success' };
  const { body: deployment } = await as.post(`${path}/deployments`, attributes);
  return {
    project,
    group,
    user,
    issue,
    epic,
    note,
    snippet,
    pipeline,
    environment,
    deployment,
    merge_request: request,
    milestone: await first(as, `${path}/milestones`),
    label: await first(as, `${path}/labels`),
    schedule: await first(as, `${path}/pipeline_schedules`),
  };
}

/** What one of the two alone shows a caller. */
async function differences(ids: Ids, [name, client]: [string, Client]): Promise<{ wrong: string[]; hidden: string[] }> {
  const wrong: string[] = [];
  const hidden: string[] = [];
  for (const [what, { rest, graphql, select }] of Object.entries(OFFERS)) {
    const [there, here] = await Promise.all([
      byRest(client, rest(ids)),
      byGraphql(client, graphql(ids), select ?? '__typename'),
    ]);
    if (!there) hidden.push(what);
    if (there !== here) wrong.push(`${what} for ${name}: ${there ? 'REST' : 'GraphQL'} alone`);
  }
  return { wrong, hidden };
}

for (const visibility of ['private', 'internal', 'public']) {
  // Contract: graphql-1.4.equal
  test.serial(`visitors and strangers are shown the same by REST and GraphQL: ${visibility}`, async (t) => {
    t.timeout(5 * 60_000);
    const admin = await app.build.admin();
    const ids = await fill(admin, visibility);
    const callers: [string, Client][] = [
      ['a visitor', app.anonymous],
      ['a stranger', app.as(await app.build.user())],
      ['an external user', app.as(await app.build.user({ external: true }))],
      ['a Guest', app.as(await app.build.groupMember(ids.group, 'guest'))],
      ['a Reporter', app.as(await app.build.groupMember(ids.group, 'reporter'))],
      ['an administrator', app.as(admin)],
    ];
    const wrong: string[] = [];
    for (const caller of callers) {
      const { wrong: found, hidden } = await differences(ids, caller);
      wrong.push(...found);
      // Data that is hidden even from a caller with full access does not exist, and would compare nothing.
      if (caller[0] === 'an administrator') t.deepEqual(hidden, []);
    }
    t.deepEqual(wrong, []);
  });
}
