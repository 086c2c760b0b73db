import test from 'ava';
import { useApp } from '../../core/app.js';
import { exportSteps } from '../exports/export-steps.js';
import { importForm } from '../container-imports/sample-archive.js';

const app = useApp(test);
const { exported } = exportSteps(app);

// Contract: epics-8.children.move
test('epics come back in the order in which they were put below another one', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  const { body: parent } = await as.post(`/groups/${group.id}/epics`, { title: 'Parent' });
  const children = `/groups/${group.id}/epics/${parent.iid}/epics`;
  const ids: number[] = [];
  for (const title of ['a', 'b', 'c']) ids.push((await as.post(children, { title })).body.id);
  const [first, , last] = ids;
  t.is((await as.put(`${children}/${last}`, { move_after_id: first })).status, 200);
  const archive = await exported(group.owner, group.id);
  const path = `copy-of-${group.id}`;
  const sent = await as.raw('POST', '/api/v4/groups/import', importForm(archive, { name: path, path }));
  t.is(sent.status, 202, sent.text);
  await app.work();
  const { body: epics } = await as.get(`/groups/${path}/epics`);
  const { iid } = epics.find(({ title }: { title: string }) => title === 'Parent');
  const { body: restored } = await as.get(`/groups/${path}/epics/${iid}/epics`);
  t.deepEqual(
    restored.map(({ title }: { title: string }) => title),
    ['c', 'a', 'b'],
  );
});
