import test from 'ava';
import { measureProject } from '../../../shared/repositories/housekeeping/measure-project.js';
import { useApp } from '../../core/app.js';
import { pushFiles, licenseText } from './pushed-files.js';
import type { Built } from './pushed-files.js';

const app = useApp(test);
const push = (project: Built, files: Record<string, string | null>) => pushFiles(app, project, files);

const read = async (project: Built, query = '') =>
  (await app.as(project.owner).get(`/projects/${project.id}${query}`)).body;

// Contract: interface-2.10.statistics, interface-2.10.urls, interface-4.10.get
test('a push changes statistics, README and licence once the job has run', async (t) => {
  const project = await app.build.project({ empty: true });
  const before = await read(project, '?statistics=true&license=true');
  t.like(before, { readme_url: null, license: null, license_url: null, empty_repo: true });
  t.deepEqual(Object.values(before.statistics as object), Array(11).fill(0));
  await push(project, {
    'readme.md': 'Hello',
    LICENSE: licenseText('MIT').replace('<year> <copyright holders>', '2030 Somebody'),
    'src/main.ts': 'export {};\n',
  });
  const after = await read(project, '?statistics=true&license=true');
  t.is(after.readme_url, `http://capstan.test/${project.full_path}/-/blob/main/readme.md`);
  t.is(after.license_url, `http://capstan.test/${project.full_path}/-/blob/main/LICENSE`);
  t.like(after.license, { key: 'mit', name: 'MIT License', nickname: null });
  t.is(after.statistics.commit_count, 1);
  t.true(after.statistics.repository_size > 0);
  t.is(after.statistics.storage_size, after.statistics.repository_size);
  t.false('license' in (await read(project)) || 'statistics' in (await read(project)));
  await push(project, { 'readme.md': null, LICENSE: null, 'more.txt': 'x'.repeat(10) });
  const gone = await read(project, '?statistics=true&license=true');
  t.like(gone, { readme_url: null, license: null, license_url: null });
  t.is(gone.statistics.commit_count, 2);
});

test('a README is found by its name: rendered kinds before plain text, README before index', async (t) => {
  const getReadme = async (files: readonly string[]) => {
    const project = await app.build.project({ empty: true });
    await push(project, Object.fromEntries(files.map((name) => [name, name])));
    return (await read(project)).readme_url?.split('/blob/main/')[1] as string | undefined;
  };
  t.is(await getReadme(['README', 'readme.txt', 'ReadMe.rst', 'index.md']), 'ReadMe.rst');
  t.is(await getReadme(['README.adoc', 'readme.markdown']), 'readme.markdown');
  t.is(await getReadme(['README.txt', 'INDEX.md']), 'INDEX.md');
  t.is(await getReadme(['readme']), 'readme');
  t.is(await getReadme(['Readme with words.md', 'README.py', 'docs/README.md', 'myreadme.md']), undefined);
  t.is(await getReadme(['README dir/a.md', 'README.org']), 'README.org');
});

// Contract: projects-4.measure
test('a project is measured anew without harm, also when it is gone', async (t) => {
  const project = await app.build.project();
  await app.work();
  const before = await read(project, '?statistics=true');
  await measureProject(app.context(), project.id);
  t.deepEqual(await read(project, '?statistics=true'), before);
  await t.notThrowsAsync(measureProject(app.context(), 999_999_999));
});

// Contract: interface-2.10.identity
test('an empty project takes no default branch but the one that it tells', async (t) => {
  const group = await app.build.group();
  const caller = app.as(group.owner);
  const { id } = await app.build.projectIn(group);
  const put = (default_branch: string) => caller.put(`/projects/${id}`, { default_branch });
  const none = await put('develop');
  t.is(none.status, 400);
  t.deepEqual(none.body, { message: { base: ["Could not change HEAD: branch 'develop' does not exist"] } });
  t.like(await put('main'), { status: 200, body: { default_branch: 'main', empty_repo: true } });
  await caller.put(`/groups/${group.id}`, { default_branch: 'develop' });
  t.like(await put('develop'), { status: 200, body: { default_branch: 'develop' } });
  t.is((await put('main')).status, 400);
  const { body: events } = await caller.get(`/projects/${id}/audit_events`);
  t.deepEqual(
    events.map((event: { event_name: string }) => event.event_name),
    ['project_created'],
  );
});

// Contract: interface-2.10.identity
test('the default branch becomes another one that there is, in the record and in git', async (t) => {
  const project = await app.build.project();
  const caller = app.as(project.owner);
  await caller.post(`/projects/${project.id}/repository/branches`, { branch: 'next', ref: 'main' });
  await caller.post(`/projects/${project.id}/repository/commits`, {
    branch: 'next',
    commit_message: 'Add',
    actions: [{ action: 'create', file_path: 'LICENSE', content: licenseText('ISC') }],
  });
  const none = await caller.put(`/projects/${project.id}`, { default_branch: 'nope', lfs_enabled: true });
  t.is(none.status, 400);
  t.deepEqual(none.body, { message: { base: ["Could not change HEAD: branch 'nope' does not exist"] } });
  t.false((await read(project)).lfs_enabled);
  const changed = await caller.put(`/projects/${project.id}`, { default_branch: 'next' });
  t.is(changed.body.default_branch, 'next');
  await app.work();
  const { body } = await caller.get(`/projects/${project.id}?license=true&statistics=true`);
  t.is(body.license.key, 'isc');
  t.is(body.statistics.commit_count, 2);
  const branches = await caller.get(`/projects/${project.id}/repository/branches`);
  t.deepEqual(
    branches.body.filter((branch: { default: boolean }) => branch.default).map(({ name }: { name: string }) => name),
    ['next'],
  );
});

// Contract: graphql-5.3.contents, graphql-5.3.fields
test('GraphQL tells languages with colours, statistics for Reporters, topics, levels and counters', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  await push(project, { 'a.ts': 'x'.repeat(10) });
  await app
    .as(project.owner)
    .put(`/projects/${project.id}`, { topics: ['b', 'a'], description: '**x**', issues_access_level: 'private' });
  const query = `{ project(fullPath: "${project.full_path}") { topics descriptionHtml forksCount isForked
    forkedFrom { id } openIssuesCount languages { name share color } statistics { commitCount storageSize wikiSize }
    issuesEnabled wikiEnabled lfsEnabled requestAccessEnabled issuesAccessLevel { integerValue stringValue }
    wikiAccessLevel { integerValue stringValue } } }`;
  const { body } = await app.as(project.owner).graphql(query);
  const { statistics, ...rest } = body.data.project;
  t.deepEqual(rest, {
    topics: ['a', 'b'],
    descriptionHtml: '<p dir="auto"><strong>x</strong></p>',
    forksCount: 0,
    isForked: false,
    forkedFrom: null,
    openIssuesCount: 0,
    languages: [{ name: 'TypeScript', share: 100, color: '#3178c6' }],
    issuesEnabled: true,
    wikiEnabled: true,
    lfsEnabled: false,
    requestAccessEnabled: true,
    issuesAccessLevel: { integerValue: 10, stringValue: 'PRIVATE' },
    wikiAccessLevel: { integerValue: 20, stringValue: 'ENABLED' },
  });
  t.is(statistics.commitCount, 1);
  t.true(statistics.storageSize > 0);
  const stranger = await app.as(await app.build.user()).graphql(query);
  t.like(stranger.body.data.project, { statistics: null, openIssuesCount: null, issuesEnabled: false });
});

// Contract: graphql-5.3.levels
test('GraphQL shows the level of every feature that REST shows, in the same words', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const owner = app.as(project.owner);
  const attributes = {
    pages_access_level: 'public',
    package_registry_access_level: 'public',
    container_registry_access_level: 'private',
    security_and_compliance_access_level: 'disabled',
    requirements_access_level: 'private',
    releases_access_level: 'disabled',
    analytics_access_level: 'private',
  };
  const { body } = await owner.put(`/projects/${project.id}`, attributes);
  t.like(body, { ...attributes, requirements_access_level: body.requirements_access_level });
  const keys = Object.keys(body).filter((key) => key.endsWith('_access_level'));
  t.true(keys.length >= 18);
  const camel = (key: string) => key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const fields = keys.map((key) => `${key}: ${camel(key)} { stringValue integerValue }`).join(' ');
  const levels = (await owner.graphql(`{ project(fullPath: "${project.full_path}") { ${fields} } }`)).body.data.project;
  const numbers = { disabled: 0, private: 10, enabled: 20, public: 30 } as Record<string, number>;
  for (const key of keys)
    t.deepEqual(levels[key], { stringValue: body[key].toUpperCase(), integerValue: numbers[body[key]] }, key);
});
