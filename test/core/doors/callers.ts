import { sql } from '../../../shared/core/sql.js';
import type { TestApp } from '../app.js';
import type { BuiltUser } from '../builders.js';
import type { Answer } from '../client.js';
import { signIn } from '../signed-in.js';
import { through } from './rule.js';
import type { Rule } from './rule.js';
import { runByWorker, scheduleOf } from './schedules.js';
import type { BuiltProject } from './schedules.js';

interface Account {
  user: BuiltUser;
  session: string;
  impersonation: string;
  schedule: { id: number };
  played: { id: number };
}

type State = 'active' | 'blocked' | 'banned' | 'deactivated';

interface World {
  app: TestApp;
  admin: BuiltUser;
  accounts: Record<State, Account>;
}

async function account(app: TestApp, project: BuiltProject, admin: BuiltUser, state: State): Promise<Account> {
  const user = await app.build.member(project, 'developer');
  const { cookie } = await signIn(app, user);
  const made = await app
    .as(admin)
    .post(`/users/${user.id}/impersonation_tokens`, { name: 'x', scopes: ['api', 'read_user'] });
  const [schedule, played] = [
    await scheduleOf(app, project, user, 'work'),
    await scheduleOf(app, project, project.owner, 'work'),
  ];
  await app.context().query(sql`update users set state = ${state} where id = ${user.id}`);
  return { user, session: cookie, impersonation: made.body.token, schedule, played };
}

/** Who somebody is to GraphQL. */
const known = ({ status, body }: Answer) => status === 200 && body.data?.currentUser?.id !== undefined;
const WHO = '{ currentUser { id } }';

/** What is done by or for somebody whose account does not work. */
export const accountsThatWork: Rule<State, World> = {
  async world(app) {
    const project = await app.build.project();
    await app.as(project.owner).post(`/projects/${project.id}/repository/branches`, { branch: 'work', ref: 'main' });
    const admin = await app.build.admin();
    const of = (state: State) => account(app, project, admin, state);
    return {
      app,
      admin,
      accounts: {
        active: await of('active'),
        blocked: await of('blocked'),
        banned: await of('banned'),
        deactivated: await of('deactivated'),
      },
    };
  },
  cases: {
    'an active user': { given: 'active', open: true },
    'a blocked user': { given: 'blocked', open: false },
    'a banned user': { given: 'banned', open: false },
    'a deactivated user': { given: 'deactivated', open: false },
  },
  doors: {
    'REST, token': async ({ app, accounts }, state) => through(await app.as(accounts[state].user).get('/user')),
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
    'GraphQL, token': async ({ app, accounts }, state) => known(await app.as(accounts[state].user).graphql(WHO)),
    'GraphQL, session': async ({ app, accounts }, state) => {
      const { session } = accounts[state];
      return known(
        await app.withHeaders({ Cookie: session }).raw('GET', `/api/graphql?query=${encodeURIComponent(WHO)}`),
      );
    },
    'worker, a run that is due': async ({ app, accounts }, state) =>
      (await runByWorker(app, accounts[state].schedule)) !== null,
    'worker, a run that was played': async ({ app, accounts }, state) =>
      (await runByWorker(app, accounts[state].played, accounts[state].user)) !== null,
  },
};

type Seen = { app: TestApp; project: BuiltProject; people: Record<string, BuiltUser> };

/** Who is told that a private project is there. */
export const privateProjects: Rule<string, Seen> = {
  async world(app) {
    const project = await app.build.project({ visibility: 'private' });
    const people = {
      stranger: await app.build.user(),
      guest: await app.build.member(project, 'guest'),
      admin: await app.build.admin(),
    };
    return { app, project, people };
  },
  cases: {
    'a stranger': { given: 'stranger', open: false },
    'a Guest': { given: 'guest', open: true },
    'an administrator': { given: 'admin', open: true },
  },
  doors: {
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
  },
};

async function finds(w: Seen, who: string, ask: (client: ReturnType<TestApp['as']>) => Promise<Answer>) {
  const { text } = await ask(w.app.as(w.people[who] as BuiltUser));
  return text.includes(w.project.full_path) || text.includes(w.project.owner.username);
}
