import test from 'ava';
import { ANONYMOUS, UserCaller } from '../../../shared/core/context/callers.js';
import { readAll } from '../../../shared/core/database/list.js';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { findSnippetById, snippetsOfAll } from '../../../shared/planning/snippets/snippet.finder.js';
import { snippetPolicy } from '../../../shared/planning/snippets/snippet.policy.js';
import { findVisibleProject } from '../../../shared/tenancy/projects/project.finder.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);
const VISIBILITIES = ['private', 'internal', 'public'] as const;
const ROLES = ['guest', 'planner', 'reporter', 'developer', 'maintainer', 'owner'] as const;

interface Reader {
  name: string;
  user: BuiltUser | null;
}

// Contract: snippets-8.visibility
test('by role and visibility every read path shows the same snippets', async (t) => {
  t.timeout(240_000);
  for (const visibility of VISIBILITIES) {
    const project = await app.build.project({ visibility });
    const author = await app.build.member(project, 'reporter');
    const snippetsById = new Map<number, string>();
    for (const one of VISIBILITIES) {
      const attributes = { title: one, visibility: one, content: 'x', file_name: 'a' };
      snippetsById.set((await app.as(author).post(`/projects/${project.id}/snippets`, attributes)).body.id, one);
    }
    const members = ROLES.map(async (role): Promise<Reader> => {
      return { name: role, user: await app.build.member(project, role) };
    });
    const readers: Reader[] = [
      { name: 'nobody', user: null },
      { name: 'stranger', user: await app.build.user() },
      { name: 'external', user: await app.build.user({ external: true }) },
      { name: 'admin', user: await app.build.admin() },
      ...(await Promise.all(members)),
    ];
    for (const { name, user } of readers) {
      const client = user ? app.as(user) : app.anonymous;
      const context = `${name}, ${visibility}`;
      const outside = ['nobody', 'stranger', 'external'].includes(name);
      const inside = (one: string) => one === 'public' || (one === 'internal' && name === 'stranger');
      const sees = (one: string) => !outside || (inside(visibility) && inside(one));
      const snippets = `/projects/${project.id}/snippets`;
      const expected = [...snippetsById].filter(([, one]) => sees(one)).map(([id]) => id);
      const list = await client.get(snippets);
      t.is(list.status, !outside || inside(visibility) ? 200 : 404, context);
      if (list.status === 200)
        t.deepEqual(list.body.map(({ id }: { id: number }) => id).toSorted(), expected.toSorted(), context);
      for (const [id, one] of snippetsById) {
        const status = sees(one) ? 200 : 404;
        for (const path of [snippets, '/snippets'])
          for (const end of ['', '/raw', '/files/main/a/raw'])
            t.is((await client.get(`${path}/${id}${end}`)).status, status, `${context}, ${one} ${path}${end}`);
      }
    }
  }
});

// Contract: snippets-8.scope-equals-policy
test('the list of all snippets holds those that one may read', async (t) => {
  const author = await app.build.user();
  const ids: number[] = [];
  const make = async (path: string) => {
    for (const visibility of VISIBILITIES) {
      const { body } = await app.as(author).post(path, { title: 'A', visibility, content: 'x' });
      ids.push(body.id);
    }
  };
  await make('/snippets');
  const projects: { id: number; owner: BuiltUser }[] = [];
  for (const visibility of VISIBILITIES)
    for (const level of ['enabled', 'private', 'disabled']) {
      const project = await app.build.project({ owner: author, visibility });
      await make(`/projects/${project.id}/snippets`);
      await app.context().query(sql`update projects set snippets_access_level = ${level} where id = ${project.id}`);
      projects.push(project);
    }
  const member = await app.build.user();
  for (const project of projects) await app.build.member(project, 'guest', member);
  const users = [
    author,
    member,
    await app.build.user(),
    await app.build.user({ external: true }),
    await app.build.admin(),
  ];
  const callers = [ANONYMOUS, ...users.map((user) => new UserCaller(user))];
  for (const caller of callers) {
    const ctx = app.context(caller);
    const listed = await readAll(ctx, snippetsOfAll(ctx, [sql<SqlBool>`s.id = any(${ids}::bigint[])`]));
    const admin = app.context(new UserCaller(users[4]!));
    const allowed: number[] = [];
    for (const id of ids) {
      const { project, ...snippet } = await findSnippetById(admin, id).catch(() => ({ project: null, id: 0 }) as never);
      if (snippet.id === 0) continue;
      const visibleProject = project && (await findVisibleProject(ctx, project.id));
      if (project && !visibleProject) continue;
      if (snippetPolicy.read_snippet(caller, { ...snippet, project: visibleProject })) allowed.push(id);
    }
    t.deepEqual(listed.map(({ id }) => id).toSorted(), allowed.toSorted());
  }
});
