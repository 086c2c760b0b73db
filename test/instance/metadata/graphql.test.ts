import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: graphql-5.1.3
test('echo says who asks and what was said', async (t) => {
  const user = await app.build.user({ username: 'alice' });
  t.is((await app.as(user).graphql('{ echo(text: "hi") }')).body.data.echo, '"alice" says: hi');
  t.is((await app.anonymous.graphql('{ echo(text: "hi") }')).body.data.echo, 'nil says: hi');
});

// Contract: graphql-5.9.8
test('echoCreate sends messages and errors back', async (t) => {
  const user = await app.build.user();
  const { body } = await app
    .as(user)
    .graphql(
      'mutation { echoCreate(input: { messages: ["a", "b"], errors: ["c"], clientMutationId: "d" }) { echoes errors clientMutationId } }',
    );
  t.deepEqual(body, { data: { echoCreate: { echoes: ['a', 'b'], errors: ['c'], clientMutationId: 'd' } } });
});

// Contract: graphql-5.1.2
test('metadata tells what REST tells, and is null without signing in', async (t) => {
  const query = '{ metadata { version revision enterprise kas { enabled externalUrl externalK8sProxyUrl version } } }';
  const user = await app.build.user();
  const rest = await app.as(user).get('/metadata');
  const { service: _beyondTheApi, ...metadata } = rest.body;
  t.deepEqual((await app.as(user).graphql(query)).body.data.metadata, metadata);
  t.deepEqual((await app.anonymous.graphql(query)).body, { data: { metadata: null } });
});

// Contract: graphql-5.1.2
test('a feature flag is off, whatever its name [public]: there is none that could be on', async (t) => {
  const query = '{ metadata { featureFlags(names: ["a", "b"]) { name enabled } } }';
  const user = await app.build.user();
  t.deepEqual((await app.as(user).graphql(query)).body.data.metadata.featureFlags, [
    { name: 'a', enabled: false },
    { name: 'b', enabled: false },
  ]);
  t.deepEqual((await app.anonymous.graphql(query)).body, { data: { metadata: null } });
});
