import test from 'ava';
import { useApp } from '../../core/app.js';
import { clone } from '../../repositories/git-http/git-client.js';

const app = useApp(test);

// Contract: wikis-8.group
test('without Premium wikis of groups are refused, over git too, and kept for it', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  const wikis = `/groups/${group.id}/wikis`;
  await as.post(wikis, { title: 'home', content: 'x' });
  await app.set({ plan: 'free' });
  for (const end of ['', '/home']) t.is((await as.get(wikis + end)).status, 403);
  t.is((await as.post(wikis, { title: 'other', content: 'x' })).status, 403);
  t.is((await as.put(`${wikis}/home`, { content: 'y' })).status, 403);
  t.is((await as.delete(`${wikis}/home`)).status, 403);
  t.not((await clone(t, app, `${group.full_path}.wiki`, { as: group.owner })).code, 0);
  await app.set({ plan: 'premium' });
  t.is((await as.get(`${wikis}/home`)).body.content, 'x');
});
