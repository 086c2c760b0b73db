import test from 'ava';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);
const BASE = 'http://capstan.test/api/v4';
const at = (path: string) => `/projects/${encodeURIComponent(path)}`;

/** A project whose group was renamed: it is no longer found by `old`. */
async function moved(visibility = 'private') {
  const group = await app.build.group({ visibility });
  const project = await app.build.projectIn(group, { visibility, empty: false });
  const path = `renamed${unique()}`;
  await app.as(group.owner).put(`/groups/${group.id}`, { path });
  return { group, project, owner: group.owner, old: project.full_path, now: `${path}/${project.path}` };
}

// Contract: projects-5.4.get
test('a GET by an old path is 301 to the same place below the id, with its query', async (t) => {
  const { project, owner, old } = await moved();
  const answer = await app.as(owner).get(`${at(old)}/repository/branches?per_page=1&search=ma%20in`);
  const location = `${BASE}/projects/${project.id}/repository/branches?per_page=1&search=ma%20in`;
  t.is(answer.status, 301);
  t.is(answer.headers.get('location'), location);
  t.is(answer.text, `This resource has been moved permanently to ${location}`);
  t.regex(answer.headers.get('content-type') ?? '', /^text\/plain/);
  const one = await app.as(owner).get(at(old));
  t.is(one.headers.get('location'), `${BASE}/projects/${project.id}`);
  t.is((await app.as(owner).head(at(old))).status, 301);
});

// Contract: rest-2.urls
test('the place that a moved project is sent on to repeats no credential, however it was written', async (t) => {
  const { project, owner, old } = await moved();
  const { token } = owner;
  const path = `${BASE}/projects/${project.id}/repository/branches`;
  const queries: [sent: string, query: string][] = [
    ['', ''],
    ['search=ma%20in&sudo=&x[]=1&x[]=2&', '?search=ma%20in&sudo=&x[]=1&x[]=2'],
    [`private%5Ftoken=${token}&a=1&`, '?a=1'],
    [`%70rivate_toke%6E=${token}&a=1&a=2&`, '?a=1&a=2'],
    [`private_token=${token}&a=1&private_token=${token}&`, '?a=1'],
    [`a=1&private_token[]=${token}&private_token%5B%5D=${token}&`, '?a=1'],
    [`private_token[x]=${token}&private_token%5Bx%5D=${token}&`, ''],
    [`Private_Token=${token}&+private_token=${token}&private_token+=${token}&a&`, '?a'],
    [`access_token=${token}&access%5ftoken=${token}&job_token=${token}&job%5Ftoken=${token}&`, ''],
  ];
  for (const [sent, query] of queries) {
    const { status, headers, text } = await app.anonymous.get(
      `${at(old)}/repository/branches?${sent}private_token=${token}`,
    );
    t.is(status, 301, sent);
    t.is(headers.get('location'), path + query, sent);
    t.is(text, `This resource has been moved permanently to ${path}${query}`, sent);
  }
});

// Contract: projects-5.4.get
test('an encoded segment behind an old path stays encoded in the location', async (t) => {
  const { project, owner, old } = await moved();
  const answer = await app.as(owner).get(`${at(old)}/repository/files/a%2Fb%20c.md?ref=main`);
  t.is(answer.headers.get('location'), `${BASE}/projects/${project.id}/repository/files/a%2Fb%20c.md?ref=main`);
});

// Contract: projects-5.4.get
test('every GET of a project by an old path is 301', async (t) => {
  const { project, owner, old } = await moved();
  const schedule = await app.build.schedule({ project, owner });
  for (const below of [
    '',
    '/members',
    '/members/all',
    '/pipelines',
    '/pipeline_schedules',
    `/pipeline_schedules/${schedule.id}`,
    '/protected_branches',
    '/protected_tags',
    '/repository/tags',
    '/repository/commits',
    '/jobs',
  ]) {
    const answer = await app.as(owner).get(at(old) + below);
    t.is(answer.status, 301, below);
    t.is(answer.headers.get('location'), `${BASE}/projects/${project.id}${below}`);
  }
});

// Contract: projects-5.4.write
test('any other method by an old path is 405 and changes nothing', async (t) => {
  const { project, owner, old } = await moved();
  const rejection = { message: 'Non GET methods are not allowed for moved projects' };
  const post = await app.as(owner).post(`${at(old)}/repository/branches`, { branch: 'x', ref: 'main' });
  t.is(post.status, 405);
  t.deepEqual(post.body, rejection);
  const schedule = await app.build.schedule({ project, owner });
  const play = await app.as(owner).post(`${at(old)}/pipeline_schedules/${schedule.id}/play`);
  t.deepEqual(play.body, rejection);
  const put = await app.as(owner).put(`${at(old)}/pipeline_schedules/${schedule.id}`, { description: 'x' });
  t.is(put.status, 405);
  t.is((await app.as(owner).get(`/projects/${project.id}/repository/branches/x`)).status, 404);
});

// Contract: projects-5.4.hidden
test('who may not read a moved project gets 404 by its old path', async (t) => {
  const { old } = await moved();
  const stranger = await app.build.user();
  t.is((await app.as(stranger).get(at(old))).status, 404);
  t.is((await app.anonymous.get(at(old))).status, 404);
  t.is((await app.as(stranger).post(`${at(old)}/members`, { user_id: 1, access_level: 10 })).status, 404);
});

// Contract: projects-5.4.hidden
test('a moved public project is 301 without a token', async (t) => {
  const { project, old } = await moved('public');
  t.is((await app.anonymous.get(at(old))).headers.get('location'), `${BASE}/projects/${project.id}`);
});

// Contract: projects-5.4.case
test('a difference in case only is no move', async (t) => {
  const { owner, now, group } = await moved();
  t.is((await app.as(owner).get(at(now.toUpperCase()))).status, 200);
  const [path] = now.split('/') as [string];
  await app.as(owner).put(`/groups/${group.id}`, { path: path.toUpperCase() });
  t.is((await app.as(owner).get(at(now))).status, 200);
});

// Contract: projects-5.4.case
test('numeric ids and groups never redirect', async (t) => {
  const { project, owner, group } = await moved();
  t.is((await app.as(owner).get(`/projects/${project.id}`)).status, 200);
  t.is((await app.as(owner).get(`/groups/${group.path}`)).status, 404);
});

// Contract: projects-5.4.reuse
test('a project moved twice is found by both old paths, and moved back by none', async (t) => {
  const { project, owner, group, old, now } = await moved();
  const last = `last${unique()}`;
  await app.as(owner).put(`/groups/${group.id}`, { path: last });
  for (const path of [old, now])
    t.is((await app.as(owner).get(at(path))).headers.get('location'), `${BASE}/projects/${project.id}`);
  await app.as(owner).put(`/groups/${group.id}`, { path: group.path });
  t.is((await app.as(owner).get(at(old))).status, 200);
  t.is((await app.as(owner).get(at(now))).status, 301);
});

// Contract: projects-5.4.above
test('a group renamed above subgroups leaves redirects for all projects below', async (t) => {
  const group = await app.build.group();
  const sub = await app.build.group({ parent: group, owner: group.owner });
  const project = await app.build.projectIn({ ...sub, owner: group.owner });
  await app.as(group.owner).put(`/groups/${group.id}`, { path: `renamed${unique()}` });
  t.is((await app.as(group.owner).get(at(project.full_path))).status, 301);
});

// Contract: projects-5.4.above
test('a user renamed leaves redirects for the projects of the personal namespace', async (t) => {
  const project = await app.build.project();
  const admin = await app.build.admin();
  await app.as(admin).put(`/users/${project.owner.id}`, { username: `renamed${unique()}` });
  t.is((await app.as(project.owner).get(at(project.full_path))).status, 301);
});

// Contract: projects-5.4.reuse
test('a new project on an old path wins, and the redirect is gone for good', async (t) => {
  const { owner, old } = await moved();
  const [groupPath, path] = old.split('/') as [string, string];
  const { body: group } = await app.as(owner).post('/groups', { name: 'New', path: groupPath });
  const { body: taker } = await app.as(owner).post('/projects', { name: 'Taker', path, namespace_id: group.id });
  t.is((await app.as(owner).get(at(old))).body.id, taker.id);
  await app.as(owner).put(`/groups/${group.id}`, { path: `renamed${unique()}` });
  t.is((await app.as(owner).get(at(old))).headers.get('location'), `${BASE}/projects/${taker.id}`);
});

// Contract: projects-5.4.reuse
test('a path that projects took by a move of their group wins over redirects', async (t) => {
  const { owner, old } = await moved();
  const [groupPath, path] = old.split('/') as [string, string];
  const other = await app.build.group({ owner });
  const { body: taker } = await app.as(owner).post('/projects', { name: 'Taker', path, namespace_id: other.id });
  await app.as(owner).put(`/groups/${other.id}`, { path: groupPath });
  t.is((await app.as(owner).get(at(old))).body.id, taker.id);
});

// Contract: projects-5.4.graphql
test('GraphQL finds a moved project by its old path', async (t) => {
  const { owner, old, now } = await moved();
  const query = 'query ($path: ID!) { project(fullPath: $path) { fullPath } }';
  const { body } = await app.as(owner).graphql(query, { path: old });
  t.deepEqual(body.data, { project: { fullPath: now } });
  const hidden = await app.as(await app.build.user()).graphql(query, { path: old });
  t.deepEqual(hidden.body.data, { project: null });
});
