import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { PASSWORD, postJson, signIn, userWithPassword } from '../../core/signed-in.js';

const app = useApp(test);

/** What would give a secret away: itself, its parts, and the ways to write it down. */
function getTraces(secret: string): string[] {
  const bare = secret.replace(/^[a-z]+-/, '');
  const digest = app.services.keys.digest(secret);
  return [bare.slice(0, 10), bare.slice(-10), Buffer.from(secret).toString('hex'), digest.toString('hex')].concat(
    Buffer.from(secret).toString('base64').slice(0, 12),
    digest.toString('base64').slice(0, 12),
  );
}

// Contract: core-9.audit.secrets
test('no token and no password is in any event, in whatever form', async (t) => {
  const admin = await app.build.admin();
  const owner = await userWithPassword(app, {});
  const secrets = [PASSWORD, 'wrong horse 44 battery', 'newer horse 45 battery', 'newest horse 46 battery'];
  const attributes = { name: 'robot', scopes: ['api'] };
  const project = await app.build.project({ owner });
  const group = await app.build.group({ owner });
  const create = async (path: string, as = admin, body: Record<string, unknown> = attributes) => {
    const answer = await app.as(as).post(path, body);
    t.true(answer.status < 300, `${path}: ${answer.text}`);
    if (answer.body.token) secrets.push(answer.body.token);
    return answer.body as { id: number; token: string };
  };

  const personal = await create(`/users/${owner.id}/personal_access_tokens`);
  await create(`/personal_access_tokens/${personal.id}/rotate`, admin, {});
  await create('/user/personal_access_tokens', owner, { name: 'tunnel', scopes: ['k8s_proxy'] });
  const impersonation = await create(`/users/${owner.id}/impersonation_tokens`);
  await app.as(admin).delete(`/users/${owner.id}/impersonation_tokens/${impersonation.id}`);
  for (const path of [`/projects/${project.id}/access_tokens`, `/groups/${group.id}/access_tokens`]) {
    const first = await create(path, owner);
    const second = await create(`${path}/${first.id}/rotate`, owner, {});
    // Reuse, and then the end of a family that has ended.
    await app.as({ ...owner, token: first.token }).post(`${path}/${second.id}/rotate`, {});
    await app.as(owner).delete(`${path}/${second.id}`);
  }
  for (const path of [`/projects/${project.id}/deploy_tokens`, `/groups/${group.id}/deploy_tokens`]) {
    const { id } = await create(path, owner, { name: 'robot', scopes: ['read_repository'] });
    await app.as(owner).post(`${path}/${id}/revoke`);
    await app.as(owner).delete(`${path}/${id}`);
  }
  await postJson(app.anonymous, '/users/sign_in', { login: owner.username, password: secrets[1] });
  const { client, cookie, csrf } = await signIn(app, owner);
  secrets.push(cookie.split('=')[1] as string, csrf);
  await client.raw(
    'PUT',
    '/-/session/password',
    JSON.stringify({ current_password: PASSWORD, password: secrets[2] }),
    'application/json',
  );
  await app.as(admin).put(`/users/${owner.id}`, { password: secrets[3], admin: true });
  await app.as(admin).post('/users', {
    username: 'written',
    name: 'Written',
    email: 'written@example.com',
    password: secrets[2],
  });
  const runnersToken = (await app.as(owner).get(`/groups/${group.id}`)).body.runners_token;
  if (runnersToken) secrets.push(runnersToken);

  const rows = await app.context().query<{ text: string }>(sql`select e::text as text from audit_events e`);
  const log = rows.map(({ text }) => text).join('\n');
  for (const event of [
    'personal_access_token_created',
    'project_access_token_rotated',
    'deploy_token_created',
    'sign_in_failed',
  ])
    t.true(log.includes(event), event);
  for (const secret of secrets)
    for (const trace of getTraces(secret)) t.false(log.includes(trace), `${secret} is in the log as ${trace}`);
});
