import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: graphql-3.1, graphql-5.1.1
test('a project has its fields, with a global id', async (t) => {
  const project = await app.build.project({ visibility: 'public', name: 'Some Thing' });
  const { body } = await app.as(project.owner).graphql(`{ project(fullPath: "${project.full_path}") {
    id fullPath name path nameWithNamespace description topics visibility archived webUrl avatarUrl sshUrlToRepo
    httpUrlToRepo createdAt updatedAt lastActivityAt starCount markedForDeletionOn repository { rootRef empty exists } } }`);
  const { full_path: path, owner } = project;
  t.deepEqual(body, {
    data: {
      project: {
        id: `gid://service/Project/${project.id}`,
        fullPath: path,
        name: 'Some Thing',
        path: 'some-thing',
        nameWithNamespace: `${owner.name} / Some Thing`,
        description: null,
        topics: [],
        visibility: 'public',
        archived: false,
        webUrl: `http://capstan.test/${path}`,
        avatarUrl: null,
        sshUrlToRepo: `git@capstan.test:${path}.git`,
        httpUrlToRepo: `http://capstan.test/${path}.git`,
        createdAt: '2030-01-01T00:00:00.000Z',
        updatedAt: '2030-01-01T00:00:00.000Z',
        lastActivityAt: '2030-01-01T00:00:00.000Z',
        starCount: 0,
        markedForDeletionOn: null,
        repository: { rootRef: 'main', empty: false, exists: true },
      },
    },
  });
});

// Contract: graphql-1.3.6
test('a private project is null to strangers, without an error, as one that does not exist', async (t) => {
  const project = await app.build.project();
  const stranger = await app.build.user();
  for (const client of [app.anonymous, app.as(stranger)]) {
    const { status, body } = await client.graphql(`{ hidden: project(fullPath: "${project.full_path}") { id }
      absent: project(fullPath: "no/where") { id } }`);
    t.is(status, 200);
    t.deepEqual(body, { data: { hidden: null, absent: null } });
  }
});

// Contract: graphql-3.2
test('a project is found by its path in any case, and not by its number', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const { body } = await app.anonymous.graphql(`{ path: project(fullPath: "${project.full_path.toUpperCase()}") { id }
    number: project(fullPath: "${project.id}") { id } }`);
  t.is(body.data.path.id, `gid://service/Project/${project.id}`);
  t.is(body.data.number, null);
});

// Contract: graphql-4.9, graphql-5.3.permissions
test('userPermissions follow the policy', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const ask = async (client: typeof app.anonymous) => {
    const { body } = await client.graphql(`{ project(fullPath: "${project.full_path}") { userPermissions {
      adminProject createPipeline createPipelineSchedule downloadCode pushCode readProject } } }`);
    return Object.entries(body.data.project.userPermissions).flatMap(([name, may]) => (may ? [name] : []));
  };
  t.deepEqual(await ask(app.anonymous), ['downloadCode', 'readProject']);
  const developer = await app.build.member(project, 'developer');
  const asDeveloper = ['createPipeline', 'createPipelineSchedule', 'downloadCode', 'pushCode', 'readProject'];
  t.deepEqual(await ask(app.as(developer)), asDeveloper);
  t.deepEqual(await ask(app.as(project.owner)), ['adminProject', ...asDeveloper]);
});

// Contract: graphql-5.3.1
test('the repository is null to a Guest of a private project', async (t) => {
  const project = await app.build.project();
  const guest = await app.build.member(project, 'guest');
  const { body } = await app
    .as(guest)
    .graphql(`{ project(fullPath: "${project.full_path}") { name repository { empty } } }`);
  t.is(body.data.project.name, project.name);
  t.is(body.data.project.repository, null);
  const query = `{ project(fullPath: "${project.full_path}") { repository { rootRef empty exists } } }`;
  const expected = { repository: { rootRef: 'main', empty: false, exists: true } };
  const reporter = await app.build.member(project, 'reporter');
  t.deepEqual((await app.as(reporter).graphql(query)).body.data.project, expected);
  await app.as(project.owner).put(`/projects/${project.id}`, { visibility: 'public' });
  t.deepEqual((await app.anonymous.graphql(query)).body.data.project, expected);
});
