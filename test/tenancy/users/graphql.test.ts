import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: graphql-3.1, graphql-5.1.1
test('currentUser has the fields of a user, with a global id', async (t) => {
  const user = await app.build.user({ username: 'alice', name: 'Alice A.' });
  const { body } = await app
    .as(user)
    .graphql(
      '{ currentUser { __typename id username name state avatarUrl webUrl webPath bot publicEmail createdAt } }',
    );
  t.deepEqual(body.data.currentUser, {
    __typename: 'CurrentUser',
    id: `gid://service/User/${user.id}`,
    username: 'alice',
    name: 'Alice A.',
    state: 'active',
    avatarUrl: `http://capstan.test/-/identicons/users/${user.id}.svg`,
    webUrl: 'http://capstan.test/alice',
    webPath: '/alice',
    bot: false,
    publicEmail: '',
    createdAt: '2030-01-01T00:00:00.000Z',
  });
});

// Contract: graphql-5.2.1
test('the caller and other users share an interface', async (t) => {
  const schedule = await app.build.schedule();
  const { body } = await app.as(schedule.ownedBy).graphql(`{ currentUser { ...Who }
    project(fullPath: "${schedule.project.full_path}") { pipelineSchedules { nodes { owner { __typename ...Who } } } } }
    fragment Who on User { username }`);
  t.is(body.data.currentUser.username, schedule.ownedBy.username);
  t.deepEqual(body.data.project.pipelineSchedules.nodes[0].owner, {
    __typename: 'UserCore',
    username: schedule.ownedBy.username,
  });
});
