import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { issuesIn } from './issue-steps.js';

// A long test: it goes through every read path by role.

const app = useApp(test);
const MEMBERS = ['guest', 'planner', 'reporter', 'developer', 'maintainer', 'owner'] as const;
const PLANS = new Set(['planner', 'reporter', 'developer', 'maintainer', 'owner', 'admin', 'author']);

interface Reader {
  name: string;
  user: BuiltUser | null;
}

// Contract: core-6.confidential, core-6.scope-equals-policy
test('by role, confidentiality and visibility every read path shows the same issues', async (t) => {
  t.timeout(180_000);
  const admin = await app.build.admin();
  for (const visibility of ['private', 'internal', 'public'])
    for (const level of ['enabled', 'private', 'disabled']) {
      const group = await app.build.group({ visibility });
      const project = await app.build.projectIn(group, { visibility });
      const { make, path, owner } = await issuesIn(app, project);
      const assignee = await app.build.member(project, 'guest');
      const author = await app.build.member(project, 'guest');
      await make();
      await make({ confidential: true });
      await make({ confidential: true, assignee_ids: [assignee.id] });
      const own = await app.as(author).post(path, { title: 'own', confidential: true });
      await app.as(owner).put(`/projects/${project.id}`, { issues_access_level: level });
      const readers: Reader[] = [
        { name: 'nobody', user: null },
        { name: 'stranger', user: await app.build.user() },
        { name: 'external', user: await app.build.user({ external: true }) },
        ...(await Promise.all(
          MEMBERS.map(async (role) => ({ name: role, user: await app.build.member(project, role) })),
        )),
        { name: 'assignee', user: assignee },
        { name: 'author of one', user: author },
        { name: 'admin', user: admin },
      ];
      for (const { name, user } of readers) {
        const client = user ? app.as(user) : app.anonymous;
        const isMember = [...MEMBERS, 'assignee', 'author of one', 'admin'].includes(name as never);
        const open =
          level !== 'disabled' &&
          (isMember ||
            (level === 'enabled' && (visibility === 'public' || (visibility === 'internal' && name === 'stranger'))));
        const expected = [1, 2, 3, 4].filter((iid) => {
          if (!open) return false;
          if (iid === 1 || PLANS.has(name)) return true;
          return (iid === 3 && name === 'assignee') || (iid === 4 && name === 'author of one');
        });
        const context = `${name}, ${visibility}, ${level}`;
        const listed = async (from: string) => {
          const answer = await client.get(from);
          if (answer.status !== 200) return [];
          t.is(answer.headers.get('x-total'), String(answer.body.length), context);
          return answer.body
            .filter(({ project_id }: { project_id: number }) => project_id === project.id)
            .map(({ iid }: { iid: number }) => iid);
        };
        t.deepEqual(await listed(`${path}?sort=asc`), expected, `list: ${context}`);
        t.deepEqual(await listed(`/groups/${group.id}/issues?sort=asc`), expected, `group: ${context}`);
        t.deepEqual(
          await listed(`/issues?scope=all&sort=asc&author_id=${owner.id}&per_page=100`),
          expected.filter((iid) => iid !== 4),
          `all: ${context}`,
        );
        t.deepEqual(
          await listed(`${path}?sort=asc&search=i&state=opened`),
          expected.filter((iid) => iid !== 4),
          `search: ${context}`,
        );
        for (const base of [`/projects/${project.id}`, `/groups/${group.id}`]) {
          const { status, body } = await client.get(`${base}/issues_statistics`);
          t.is(status === 200 ? body.statistics.counts.all : 0, expected.length, `statistics: ${context}`);
        }
        for (const iid of [1, 2, 3, 4])
          for (const of of ['', '/participants', '/related_merge_requests', '/closed_by', '/time_stats']) {
            const { status } = await client.get(`${path}/${iid}${of}`);
            t.is(status, expected.includes(iid) ? 200 : 404, `${iid}${of}: ${context}`);
          }
        const count = (await client.get(`/projects/${project.id}`)).body.open_issues_count;
        if (open && user) t.is(count, PLANS.has(name) ? 4 : 1, `count: ${context}`);
        else t.is(count, undefined, `count: ${context}`);
      }
      t.is(own.status, 201);
    }
});

// Contract: core-6.roles
test('issues are made by Guests, and by everybody signed in where they are open to all', async (t) => {
  for (const visibility of ['private', 'internal', 'public']) {
    const project = await app.build.project({ visibility });
    const path = `/projects/${project.id}/issues`;
    const guest = await app.build.member(project, 'guest');
    t.is((await app.as(guest).post(path, { title: 'x' })).status, 201);
    const [stranger, external] = [await app.build.user(), await app.build.user({ external: true })];
    t.is((await app.as(stranger).post(path, { title: 'x' })).status, visibility === 'private' ? 404 : 201);
    t.is((await app.as(external).post(path, { title: 'x' })).status, visibility === 'public' ? 201 : 404);
    t.is((await app.anonymous.post(path, { title: 'x' })).status, 401);
  }
});
