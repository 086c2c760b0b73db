import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);
const getIds = (records: readonly { id: number }[]) => records.map(({ id }) => id).toSorted((a, b) => a - b);

// Contract: projects-lists.clients
test('@gitbeaker/rest lists projects by filters and searches, by offset and by keyset to the end', async (t) => {
  const owner = await app.build.user();
  const tag = `w${unique()}x${Math.random().toString(36).slice(2, 8)}`;
  const group = await app.build.group({ owner });
  const ids: number[] = [];
  for (const letter of ['first', 'second', 'third'])
    ids.push((await app.build.projectIn(group, { name: `${tag} ${letter}` })).id);
  const api = new Gitlab({ host: app.url, token: owner.token });
  t.deepEqual(getIds(await api.Projects.all({ owned: true, perPage: 2 })), ids);
  t.deepEqual(getIds(await api.Projects.search(`${tag} second`)), ids.slice(1, 2));
  t.deepEqual(getIds(await api.Projects.all({ membership: true, visibility: 'private', minAccessLevel: 50 })), ids);
  t.deepEqual(
    getIds(await api.Projects.all({ pagination: 'keyset', orderBy: 'id', sort: 'asc', perPage: 1, search: tag })),
    ids,
  );
  t.deepEqual(await api.Projects.all({ search: tag, archived: true }), []);
  t.deepEqual(getIds(await api.Groups.allProjects(group.id)), ids);
  t.deepEqual(await api.Users.allProjects(owner.id), []);
  const simple = await api.Projects.all({ search: tag, simple: true });
  t.false(simple.some((project) => 'creator_id' in project));
});
