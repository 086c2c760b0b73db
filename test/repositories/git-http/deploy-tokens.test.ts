import test from 'ava';
import { tokenIn } from '../../auth/deploy-tokens/containers.js';
import type { CreatedToken, TestContainer } from '../../auth/deploy-tokens/containers.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { clone, lsRemote } from './git-client.js';

const app = useApp(test);

const tokenContainer = (kind: 'project' | 'group', { id }: { id: number }, owner: BuiltUser): TestContainer => ({
  kind,
  id,
  owner,
  path: `/${kind}s/${id}/deploy_tokens`,
});

const credentials = ({ username, token }: CreatedToken) => `${username}:${token}`;

// Contract: git-http-2.deploy-token
test('deploy tokens of a project, and of a group above it, clone with the git program, by default and chosen user names', async (t) => {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const project = await app.build.projectIn(group, { empty: false });
  const own = await tokenIn(app, tokenContainer('project', project, owner));
  const above = await tokenIn(app, tokenContainer('group', group, owner), { username: 'release+bot' });
  for (const as of [credentials(own), credentials(above)]) {
    const copy = await clone(t, app, project, { as });
    t.is(copy.code, 0, copy.stderr);
    t.is(await copy.inside('rev-parse', '--abbrev-ref', 'HEAD'), 'main');
  }
  const { body } = await app.as(owner).get(`/projects/${project.id}/deploy_tokens/${own.id}`);
  t.truthy((body as { last_used_at: string | null }).last_used_at);
});

// Contract: git-http-2.deploy-token
test('a deploy token reads nothing outside of its place, nor under another name, without the scope, or once it is over', async (t) => {
  const owner = await app.build.user();
  const project = await app.build.project({ owner });
  const other = await app.build.project({ owner });
  const container = tokenContainer('project', project, owner);
  const token = await tokenIn(app, container);
  const images = await tokenIn(app, container, { scopes: ['read_registry'] });
  const assertRejected = async (as: string, pattern: RegExp, of = project) => {
    const { code, stderr } = await lsRemote(app, of, { as });
    t.not(code, 0);
    t.regex(stderr, pattern);
  };
  await assertRejected(credentials(token), /not found/i, other);
  await assertRejected(`somebody:${token.token}`, /Authentication failed/);
  await assertRejected(credentials(images), /403/);
  t.is((await lsRemote(app, project, { as: credentials(token) })).code, 0);
  await app.as(owner).post(`${container.path}/${token.id}/revoke`);
  await assertRejected(credentials(token), /Authentication failed/);
});
