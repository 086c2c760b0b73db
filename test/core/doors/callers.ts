import type { ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { importFork } from '../../../shared/repositories/project-forks/import-fork.js';
import { importFromUrl } from '../../../shared/repositories/project-imports/import-from-url.js';
import type { TestApp } from '../app.js';
import { unique } from '../builders.js';
import type { BuiltUser } from '../builders.js';
import type { Answer } from '../client.js';
import { signIn } from '../signed-in.js';
import { basic } from '../../repositories/git-http/git-client.js';
import { Elsewhere, has, updateNow } from './remotes.js';
import { through } from './rule.js';
import type { Rule } from './rule.js';
import { runByWorker, getSchedule } from './schedules.js';
import type { BuiltProject } from './schedules.js';
import { queryOne } from '../query-one.js';

interface Account {
  user: BuiltUser;
  session: string;
  impersonation: string;
  schedule: { id: number };
  played: { id: number };
  /** Their projects into which a job imports a repository. */
  mirror: BuiltProject;
  imported: { id: number };
  fork: { id: number };
}

type State = 'active' | 'blocked' | 'banned' | 'deactivated';

interface Sandbox {
  app: TestApp;
  admin: BuiltUser;
  project: BuiltProject;
  elsewhere: Elsewhere;
  accounts: Record<State, Account>;
}

/** The transfers that a user requested from the workers. */
async function getTransfers(app: TestApp, project: BuiltProject, user: BuiltUser, elsewhere: Elsewhere) {
  const as = app.as(user);
  const mirror = await app.build.project({ owner: user });
  await as.put(`/projects/${mirror.id}`, { import_url: elsewhere.url, mirror: true });
  const { body: imported } = await as.post('/projects', { name: `In ${unique()}`, import_url: elsewhere.url });
  const { body: fork } = await as.post(`/projects/${project.id}/fork`);
  return { mirror, imported, fork };
}

type Setting = Pick<Sandbox, 'app' | 'project' | 'admin' | 'elsewhere'>;

async function account({ app, project, admin, elsewhere }: Setting, state: State): Promise<Account> {
  const user = await app.build.member(project, 'developer');
  const { cookie } = await signIn(app, user);
  const response = await app
    .as(admin)
    .post(`/users/${user.id}/impersonation_tokens`, { name: 'x', scopes: ['api', 'read_user'] });
  const [schedule, played] = [
    await getSchedule(app, project, user, 'work'),
    await getSchedule(app, project, project.owner, 'work'),
  ];
  const transfers = await getTransfers(app, project, user, elsewhere);
  await app.context().query(sql`update users set state = ${state} where id = ${user.id}`);
  // Bypasses the operations that clear the cache: callers are cached for a short time.
  app.services.forgetCallers();
  return { user, session: cookie, impersonation: response.body.token, schedule, played, ...transfers };
}

/** Whether a project has come by its branch `main`, at whatever commit. */
async function hasMain(app: TestApp, { id }: { id: number }): Promise<boolean> {
  const found = await queryOne(
    app.context(),
    sql`
    select 1 as "found" from repository_refs r where r.project_id = ${id} and r.full_name = 'refs/heads/main'`,
  );
  return found !== null;
}

/** The first request of git. */
const getRefs = ({ full_path }: { full_path: string }) => `/${full_path}.git/info/refs?service=git-upload-pack`;

/** Whether GraphQL recognizes the user. */
const isRecognized = ({ status, body }: Answer) => status === 200 && body.data?.currentUser?.id !== undefined;
const WHO = '{ currentUser { id } }';

/** Actions by or for a user whose account is disabled. */
export const accountsThatWork: Rule<State, Sandbox> = {
  async sandbox(app: TestApp, t: ExecutionContext) {
    const project = await app.build.project();
    await app.as(project.owner).post(`/projects/${project.id}/repository/branches`, { branch: 'work', ref: 'main' });
    const setting = { app, project, admin: await app.build.admin(), elsewhere: await Elsewhere.open(app, t) };
    const of = (state: State) => account(setting, state);
    return {
      ...setting,
      accounts: {
        active: await of('active'),
        blocked: await of('blocked'),
        banned: await of('banned'),
        deactivated: await of('deactivated'),
      },
    };
  },
  cases: {
    'an active user': { input: 'active', open: true },
    'a blocked user': { input: 'blocked', open: false },
    'a banned user': { input: 'banned', open: false },
    'a deactivated user': { input: 'deactivated', open: false },
  },
  doors: {
    'REST, token': async ({ app, accounts }, state) => through(await app.as(accounts[state].user).get('/user')),
    'git, token': async ({ app, project, accounts }, state) =>
      (await app.withHeaders(basic('x', accounts[state].user.token)).raw('GET', getRefs(project))).status === 200,
    'REST, impersonation token': async ({ app, accounts }, state) =>
      through(await app.withHeaders({ 'PRIVATE-TOKEN': accounts[state].impersonation }).get('/user')),
    'REST, session': async ({ app, accounts }, state) =>
      through(await app.withHeaders({ Cookie: accounts[state].session }).get('/user')),
    'REST, an administrator as them': async ({ app, admin, accounts }, state) =>
      through(
        await app
          .as(admin)
          .with({ Sudo: String(accounts[state].user.id) })
          .get('/user'),
      ),
    'GraphQL, token': async ({ app, accounts }, state) => isRecognized(await app.as(accounts[state].user).graphql(WHO)),
    'GraphQL, session': async ({ app, accounts }, state) => {
      const { session } = accounts[state];
      return isRecognized(
        await app.withHeaders({ Cookie: session }).raw('GET', `/api/graphql?query=${encodeURIComponent(WHO)}`),
      );
    },
    'worker, a run that is due': async ({ app, accounts }, state) =>
      (await runByWorker(app, accounts[state].schedule)) !== null,
    'worker, a run that was played': async ({ app, accounts }, state) =>
      (await runByWorker(app, accounts[state].played, accounts[state].user)) !== null,
    'worker, mirror that they answer for': async ({ app, elsewhere, accounts }, state) => {
      const { mirror } = accounts[state];
      const sha = await elsewhere.holds('refs/heads/main', mirror);
      await updateNow(app, mirror);
      return has(app, mirror, 'refs/heads/main', sha);
    },
    'worker, import that they asked for': async ({ app, elsewhere, accounts }, state) => {
      const { imported } = accounts[state];
      await elsewhere.holds('refs/heads/main');
      await importFromUrl(app.context(), imported.id, null);
      return hasMain(app, imported);
    },
    'worker, fork that they asked for': async ({ app, project, accounts }, state) => {
      const { fork } = accounts[state];
      await importFork(app.context(), fork.id, project.id, null);
      return hasMain(app, fork);
    },
  },
};

type Fixture = { app: TestApp; project: BuiltProject; people: Record<string, BuiltUser> };

/** The callers to whom the existence of a private project is revealed. */
export const privateProjects: Rule<string, Fixture> = {
  async sandbox(app) {
    const project = await app.build.project({ visibility: 'private' });
    const people = {
      stranger: await app.build.user(),
      guest: await app.build.member(project, 'guest'),
      admin: await app.build.admin(),
    };
    return { app, project, people };
  },
  cases: {
    'a stranger': { input: 'stranger', open: false },
    'a Guest': { input: 'guest', open: true },
    'an administrator': { input: 'admin', open: true },
  },
  doors: {
    'git, the words of a refusal': async ({ app, project, people }, who) =>
      (await app.withHeaders(basic('x', people[who]!.token)).raw('GET', getRefs(project))).status !== 404,
    'REST, by id': (w, who) => finds(w, who, (client) => client.get(`/projects/${w.project.id}`)),
    'REST, by path': (w, who) =>
      finds(w, who, (client) => client.get(`/projects/${encodeURIComponent(w.project.full_path)}`)),
    'REST, list': (w, who) =>
      finds(w, who, (client) => client.get(`/projects?search=${encodeURIComponent(w.project.name)}&simple=true`)),
    'REST, projects of its owner': (w, who) =>
      finds(w, who, (client) => client.get(`/users/${w.project.owner.id}/projects`)),
    'REST, members': (w, who) => finds(w, who, (client) => client.get(`/projects/${w.project.id}/members/all`)),
    'GraphQL, by path': (w, who) =>
      finds(w, who, (client) => client.graphql(`{ project(fullPath: "${w.project.full_path}") { fullPath } }`)),
    'GraphQL, list': (w, who) =>
      finds(w, who, (client) =>
        client.graphql(`{ projects(search: ${JSON.stringify(w.project.name)}) { nodes { fullPath } } }`),
      ),
    'REST, custom attributes': async (w, who) => {
      const { status } = await w.app.as(w.people[who] as BuiltUser).get(`/projects/${w.project.id}/custom_attributes`);
      return status !== 404;
    },
    'REST, fork': async (w, who) =>
      (await w.app.as(w.people[who] as BuiltUser).post(`/projects/${w.project.id}/fork`)).status !== 404,
    'REST, mirror': async (w, who) =>
      (await w.app.as(w.people[who] as BuiltUser).get(`/projects/${w.project.id}/mirror/pull`)).status !== 404,
    'REST, update of a mirror': async (w, who) =>
      (await w.app.as(w.people[who] as BuiltUser).post(`/projects/${w.project.id}/mirror/pull`)).status !== 404,
  },
};

async function finds(w: Fixture, who: string, ask: (client: ReturnType<TestApp['as']>) => Promise<Answer>) {
  const { text } = await ask(w.app.as(w.people[who] as BuiltUser));
  return text.includes(w.project.full_path) || text.includes(w.project.owner.username);
}
