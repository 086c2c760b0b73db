import test from 'ava';
import { ANONYMOUS, UserCaller } from '../../../shared/core/context/callers.js';
import { readAll } from '../../../shared/core/database/list.js';
import { epicsOfAll } from '../../../shared/planning/epics/epic.finder.js';
import { onEpics } from '../../../shared/planning/epics/visible-epics.js';
import { epicPolicy } from '../../../shared/planning/epics/epic.policy.js';
import { groupsById } from '../../../shared/tenancy/groups/group.finder.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { epicIn } from './epic-steps.js';

const app = useApp(test);
const MEMBERS = ['guest', 'planner', 'reporter', 'developer', 'maintainer', 'owner'] as const;
const PLANS = new Set(['planner', 'reporter', 'developer', 'maintainer', 'owner', 'admin', 'author']);

interface Reader {
  name: string;
  user: BuiltUser | null;
}

async function getReaders(group: { id: number; owner: BuiltUser }, project: { id: number }): Promise<Reader[]> {
  const members = MEMBERS.map(async (role) => ({
    name: role as string,
    user: await app.build.groupMember(group, role),
  }));
  return [
    { name: 'nobody', user: null },
    { name: 'stranger', user: await app.build.user() },
    { name: 'external', user: await app.build.user({ external: true }) },
    { name: 'below', user: await app.build.member(project, 'guest') },
    ...(await Promise.all(members)),
    { name: 'admin', user: await app.build.admin() },
  ];
}

// Contract: epics-8.visibility, epics-8.scope-equals-policy, epics-8.role
test('by role, confidentiality and visibility every read path shows the same epics', async (t) => {
  t.timeout(240_000);
  for (const visibility of ['private', 'internal', 'public']) {
    const group = await app.build.group({ visibility });
    const project = await app.build.projectIn(group, { visibility: 'private' });
    const author = await app.build.groupMember(group, 'reporter');
    const open = await epicIn(app, group);
    const hidden = await epicIn(app, group, { confidential: true });
    const own = await epicIn(app, group, { confidential: true, parent_id: open.id }, author);
    // The author has a lower role by now.
    await app.build.groupMember(group, 'guest', author);
    const readers = [...(await getReaders(group, project)), { name: 'author of one', user: author }];
    for (const { name, user } of readers) {
      const client = user ? app.as(user) : app.anonymous;
      const context = `${name}, ${visibility}`;
      const seesGroup =
        visibility === 'public' ||
        (visibility === 'internal' && !['nobody', 'external'].includes(name)) ||
        !['nobody', 'stranger', 'external'].includes(name);
      const sees = (iid: number) =>
        seesGroup && (iid === open.iid || PLANS.has(name) || (iid === own.iid && name === 'author of one'));
      const expected = [open, hidden, own].map(({ iid }) => iid).filter(sees);
      const listed = async (query: string) => {
        const { status, body, headers } = await client.get(`/groups/${group.id}/epics?sort=asc${query}`);
        if (status !== 200) return [];
        t.is(headers.get('x-total'), String(body.length), context);
        return body.map(({ iid }: { iid: number }) => iid);
      };
      t.deepEqual(await listed(''), expected, `list: ${context}`);
      t.deepEqual(await listed('&search=epic'), expected, `search: ${context}`);
      t.deepEqual(
        await listed(`&author_id=${author.id}`),
        expected.filter((iid) => iid === own.iid),
        `author: ${context}`,
      );
      for (const { iid, id } of [open, hidden, own]) {
        const status = sees(iid) ? 200 : 404;
        for (const suffix of ['', '/issues', '/award_emoji'])
          t.is(
            (await client.get(`/groups/${group.id}/epics/${iid}${suffix}`)).status,
            status,
            `${iid}${suffix}: ${context}`,
          );
        for (const events of ['state', 'label'])
          t.is(
            (await client.get(`/groups/${group.id}/epics/${id}/resource_${events}_events`)).status,
            user ? status : 401,
            `${iid} ${events}: ${context}`,
          );
      }
      // The scope is the policy.
      const caller = user ? new UserCaller(user) : ANONYMOUS;
      const ctx = app.context(caller);
      const inGroup = [onEpics('i.namespace_id', '=', group.id)];
      const all = await readAll(ctx, epicsOfAll(ctx, inGroup));
      t.deepEqual(all.map(({ iid }) => iid).sort(), expected, `scope: ${context}`);
      const visibleGroup = (await groupsById(ctx, [group.id])).get(group.id);
      const admin = app.context(new UserCaller({ ...group.owner, admin: true }));
      const everything = await readAll(admin, epicsOfAll(admin, inGroup));
      const allowed = everything.filter(
        (one) => visibleGroup && epicPolicy.read_epic(caller, { ...one, group: visibleGroup }),
      );
      t.deepEqual(allowed.map(({ iid }) => iid).sort(), expected, `policy: ${context}`);
      if (!user) continue;
      const writes = ['reporter', 'developer', 'maintainer', 'owner', 'admin'].includes(name);
      const edited = await client.put(open.path, { title: `by ${name}` });
      t.is(edited.status, writes ? 200 : seesGroup ? 403 : 404, `edit: ${context}`);
      await app.as(group.owner).put(open.path, { title: 'Epic' });
      const removed = name === 'owner' || name === 'admin' ? 404 : (await client.delete(open.path)).status;
      t.is(removed, name === 'owner' || name === 'admin' || !seesGroup ? 404 : 403, `delete: ${context}`);
    }
  }
});
