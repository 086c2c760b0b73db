import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { KINDS, createContainer } from './containers.js';

const app = useApp(test);
const getClient = (token: string) => new Gitlab({ host: app.url, token });

// Contract: deploy-tokens-5.gitbeaker
test('@gitbeaker/rest creates, lists, shows and removes deploy tokens of projects and groups', async (t) => {
  for (const kind of KINDS) {
    const { id, owner } = await createContainer(app, kind);
    const { DeployTokens: tokens } = getClient(owner.token);
    const at = (kind === 'project' ? { projectId: id } : { groupId: id }) as { projectId: number };
    const token = await tokens.create('Release', ['read_repository', 'read_registry'] as never, {
      ...at,
      expires_at: '2030-06-01',
      username: 'release',
    });
    t.like(token, { name: 'Release', username: 'release', scopes: ['read_repository', 'read_registry'] });
    t.is(token.expires_at, '2030-06-01T00:00:00.000Z');
    t.regex(token.token, /^gdt-/);
    t.like(await tokens.show(token.id, at), { id: token.id, revoked: false, expired: false });
    t.deepEqual(
      (await tokens.all({ ...at, active: true })).map((token) => token.id),
      [token.id],
    );
    await tokens.remove(token.id, at);
    t.deepEqual(await tokens.all(at), []);
    await t.throwsAsync(tokens.show(token.id, at), { message: /404 Not found/ });
  }
});

// Contract: deploy-tokens-5.gitbeaker
test('@gitbeaker/rest lists the deploy tokens of the instance', async (t) => {
  const [project, admin] = [await createContainer(app, 'project'), await app.build.admin()];
  const token = await getClient(project.owner.token).DeployTokens.create('x', ['read_registry'] as never, {
    projectId: project.id,
  });
  const all = await getClient(admin.token).DeployTokens.all();
  t.true(all.some(({ id }) => id === token.id));
});
