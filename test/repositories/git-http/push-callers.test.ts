import test from 'ava';
import { TOKEN_SCOPES } from '../../../shared/auth/personal-access-tokens/create-token.js';
import { sql } from 'kysely';
import { OauthSandbox } from '../../auth/oauth/oauth-browser.js';
import { tokenIn } from '../../auth/deploy-tokens/containers.js';
import { useApp } from '../../core/app.js';
import { PASSWORD, userWithPassword } from '../../core/signed-in.js';
import { basic } from './git-client.js';
import { refsIn, workTree } from './push-client.js';
import { rawPush } from './raw-push.js';

const app = useApp(test);
const oauth = new OauthSandbox(app);

const CHALLENGE = 'Basic realm="Capstan", charset="UTF-8"';
const SIGN_IN = 'Sign in with your user name, and with an access token or your password.\n';
const ABSENT = 'There is no such project, or you may not see it.\n';
const CODELESS = "You may not read this project's repository.\n";
const ROLE = 'You are not allowed to push code to this project.\n';
const UNSCOPED = 'The token needs one of these scopes: write_repository, api.\n';
const may = [200, '', null] as const;

/** The response that git gets before it pushes: status, message and challenge. */
async function request(path: string, headers: Record<string, string> = {}) {
  const answer = await app.withHeaders(headers).raw('GET', `/${path}.git/info/refs?service=git-receive-pack`);
  return [answer.status, answer.status === 200 ? '' : answer.text, answer.headers.get('www-authenticate')] as const;
}

// Contract: git-http-2.push
test('each kind of credential of a user pushes with the git program', async (t) => {
  const owner = await userWithPassword(app, { email: 'owner@example.com' });
  const rest = app.as(owner);
  const project = await app.build.project({ owner });
  const inGroup = await app.build.projectIn(await app.build.group({ owner }), { empty: false });
  const scopes = ['write_repository'];
  const impersonation = await app
    .as(await app.build.admin())
    .post(`/users/${owner.id}/impersonation_tokens`, { name: 'x', scopes });
  const token = { name: 'x', scopes, access_level: 40, expires_at: '2030-02-01' };
  const ofProject = await rest.post(`/projects/${project.id}/access_tokens`, token);
  const ofGroup = await rest.post(`/groups/${inGroup.namespace_id}/access_tokens`, token);
  const { user, browser } = await oauth.person();
  await app.build.member(project, 'developer', user);
  const ofApplication = await oauth.tokens(await oauth.application(), browser);
  for (const [who, as, where] of [
    ['password', `${owner.username}:${PASSWORD}`, project],
    ['address and password', `owner@example.com:${PASSWORD}`, project],
    ['personal token', `${owner.username}:${owner.token}`, project],
    ['impersonation token', `${owner.username}:${impersonation.body.token}`, project],
    ['OAuth token', `oauth2:${ofApplication.access_token}`, project],
    ['project access token', `whatever:${ofProject.body.token}`, project],
    ['group access token', `whatever:${ofGroup.body.token}`, inGroup],
  ] as const) {
    const work = await workTree(t, app, where, { as });
    const sha = await work.commit('a.txt', who);
    const name = `refs/heads/${who.replaceAll(' ', '-')}`;
    const { code, stderr } = await work.push([`HEAD:${name}`]);
    t.is(code, 0, `${who}: ${stderr}`);
    t.is((await refsIn(app, where))[name], sha);
  }
  const [bot] = await app.context().query<{ bots: number }>(sql`
    select count(*)::int as bots from events e join users u on u.id = e.author_id
     where e.project_id in (${project.id}, ${inGroup.id}) and u.bot`);
  t.is(bot?.bots, 2, 'access tokens push as themselves');
});

// Contract: git-http-2.push-scopes
test('scopes: write_repository and api push, nothing else does', async (t) => {
  const owner = await app.build.user();
  const project = await app.build.project({ owner });
  const head = (await refsIn(app, project))['refs/heads/main']!;
  for (const scope of TOKEN_SCOPES) {
    const { token } = await app.build.token(owner, { scopes: [scope] });
    const opens = ['write_repository', 'api'].includes(scope);
    t.deepEqual(await request(project.full_path, basic('x', token)), opens ? may : [403, UNSCOPED, null], scope);
    const name = `refs/heads/${scope}`;
    const pushed = await rawPush(app, project, { token }, [[name, head]]);
    t.deepEqual([pushed.status, pushed.refs[name]], opens ? [200, 'ok'] : [403, undefined], scope);
  }
});

// Contract: git-http-2.push-deploy-token
test('a deploy token fetches and does not push, and is told so', async (t) => {
  const owner = await app.build.user();
  const project = await app.build.project({ owner, visibility: 'public' });
  const container = { kind: 'project' as const, id: project.id, owner, path: `/projects/${project.id}/deploy_tokens` };
  const { username, token } = await tokenIn(app, container, { name: 'images' });
  const message = 'Deploy token images reads repositories, and pushes to none.\n';
  t.deepEqual(await request(project.full_path, basic(username, token)), [403, message, null]);
  const head = (await refsIn(app, project))['refs/heads/main']!;
  const pushed = await rawPush(app, project, { token }, [['refs/heads/x', head]], { username });
  t.deepEqual([pushed.status, pushed.text], [403, message]);
  const work = await workTree(t, app, project, { as: `${username}:${token}` });
  const rejection = await work.push(['HEAD:refs/heads/x']);
  t.is(rejection.code, 128);
  t.true(rejection.stderr.includes(`remote: ${message}`), rejection.stderr);
});

// Contract: git-http-2.push-rights
test('Developers push: by visibility, role and access level', async (t) => {
  const people = {
    stranger: await app.build.user(),
    guest: await app.build.user(),
    reporter: await app.build.user(),
    developer: await app.build.user(),
    owner: await app.build.user(),
    admin: await app.build.admin(),
  };
  const ask = async (path: string) => {
    t.deepEqual(await request(path), [401, SIGN_IN, CHALLENGE]);
    const answers: Record<string, string> = {};
    for (const [name, { token }] of Object.entries(people)) {
      const [status, text] = await request(path, basic('x', token));
      answers[name] = status === 200 ? 'may' : text;
    }
    return answers;
  };
  for (const visibility of ['private', 'internal', 'public']) {
    const project = await app.build.project({ owner: people.owner, visibility });
    for (const role of ['guest', 'reporter', 'developer'] as const) await app.build.member(project, role, people[role]);
    const hidden = visibility === 'private';
    const expected = {
      stranger: hidden ? ABSENT : ROLE,
      guest: hidden ? CODELESS : ROLE,
      reporter: ROLE,
      developer: 'may',
      owner: 'may',
      admin: 'may',
    };
    t.deepEqual(await ask(project.full_path), expected, visibility);
    const level = (to: string) =>
      app.context().query(sql`update projects set repository_access_level = ${to} where id = ${project.id}`);
    await level('private');
    t.deepEqual(await ask(project.full_path), { ...expected, stranger: hidden ? ABSENT : CODELESS });
    await level('disabled');
    const off = Object.fromEntries(Object.keys(people).map((name) => [name, CODELESS]));
    t.deepEqual(await ask(project.full_path), hidden ? { ...off, stranger: ABSENT } : off);
  }
});

// Contract: git-http-1.push-read-only
test('archived, marked and importing projects refuse pushes in words', async (t) => {
  const project = await app.build.project();
  const rest = app.as(project.owner);
  const head = (await refsIn(app, project))['refs/heads/main']!;
  const pushText = async () => (await rawPush(app, project, project.owner, [['refs/heads/x', head]])).text;
  await rest.post(`/projects/${project.id}/archive`);
  t.is(await pushText(), 'The project is archived: it can be read, and not be changed.\n');
  await rest.post(`/projects/${project.id}/unarchive`);
  await app.context().query(sql`update projects set import_status = 'started' where id = ${project.id}`);
  t.is(await pushText(), 'The project is being imported. Push once it is there.\n');
  await app.context().query(sql`update projects set import_status = 'finished' where id = ${project.id}`);
  await app.context().query(sql`update projects set marked_for_deletion_at = now() where id = ${project.id}`);
  t.is(await pushText(), 'The project is to be deleted: it can be read, and not be changed.\n');
});

test.serial('a push takes so few statements', async (t) => {
  const project = await app.build.project();
  const head = (await refsIn(app, project))['refs/heads/main']!;
  t.is(await app.statementsOf(() => request(project.full_path, basic('x', project.owner.token))), 5);
  const push = (names: number) =>
    rawPush(
      app,
      project,
      project.owner,
      Array.from({ length: names }, (_, index) => [`refs/heads/n${names}/${index}`, head]),
    );
  const [one, many] = [await app.statementsOf(() => push(1)), await app.statementsOf(() => push(200))];
  // More names than start pipelines do not ask for any.
  t.true(many <= one, `${many} statements, and ${one} for one name`);
});
