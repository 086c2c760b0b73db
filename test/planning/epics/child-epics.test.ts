import test from 'ava';
import { useApp } from '../../core/app.js';
import { epicIn } from './epic-steps.js';

const app = useApp(test);

async function tree() {
  const group = await app.build.group();
  const as = app.as(group.owner);
  const parent = await epicIn(app, group, { title: 'Parent' });
  const children = `${parent.path}/epics`;
  const ids = async () => (await as.get(children)).body.map(({ id }: { id: number }) => id);
  return { group, as, parent, children, ids };
}

// Contract: epics-8.children.list, epics-8.children.assign, epics-8.children.unassign
test('epics are put below another one by their global ids, listed in order, and taken away', async (t) => {
  const { group, as, parent, children, ids } = await tree();
  const subgroup = { ...(await app.build.group({ owner: group.owner, parent: group })), owner: group.owner };
  const [a, b] = [await epicIn(app, group, { title: 'a' }), await epicIn(app, subgroup, { title: 'b' })];
  const { status, body } = await as.post(`${children}/${a.id}`);
  t.is(status, 201, JSON.stringify(body));
  t.like(body, { id: a.id, iid: a.iid, parent_id: parent.id, parent_iid: parent.iid, title: 'a' });
  const again = await as.post(`${children}/${a.id}`);
  t.deepEqual([again.status, again.body], [409, { message: 'Epic(s) already assigned' }]);
  await as.post(`${children}/${b.id}`);
  const listed = await as.get(children);
  t.is(listed.headers.get('x-total'), '2');
  t.deepEqual(
    listed.body.map(({ id, references }: { id: number; references: { relative: string } }) => [
      id,
      references.relative,
    ]),
    [
      [a.id, `&${a.iid}`],
      [b.id, `${subgroup.full_path}&${b.iid}`],
    ],
  );
  const other = await epicIn(app, group);
  t.is((await as.delete(`${other.path}/epics/${a.id}`)).status, 404, 'of another epic');
  t.is((await as.post(`${other.path}/epics/${a.id}`)).body.parent_id, other.id, 'another one takes it over');
  const answer = await as.delete(`${children}/${b.id}`);
  t.is(answer.status, 200);
  t.like(answer.body, { id: b.id, parent_id: null });
  t.deepEqual(await ids(), []);
  t.is((await as.post(`${parent.path}/epics/${parent.id}`)).status, 400, 'no circle');
  t.is((await as.post(`${children}/999999`)).status, 404);
});

// Contract: epics-8.children.create
test('an epic is made below another one, as confidential as that', async (t) => {
  const { group, as, parent, children, ids } = await tree();
  const { status, body } = await as.post(children, { title: 'New' });
  t.is(status, 201, JSON.stringify(body));
  t.like(body, {
    title: 'New',
    group_id: group.id,
    parent_id: parent.id,
    confidential: false,
    has_children: false,
    has_issues: false,
    reference: `&${body.iid}`,
    url: body.web_url,
  });
  t.deepEqual(await ids(), [body.id]);
  t.deepEqual((await as.post(children, {})).body, { error: 'title is missing' });
  t.true((await as.post(children, { title: 'Secret', confidential: true })).body.confidential);
  const secret = await epicIn(app, group, { confidential: true });
  t.true((await as.post(`${secret.path}/epics`, { title: 'Below' })).body.confidential);
  t.is((await as.post(`${secret.path}/epics`, { title: 'Open', confidential: false })).status, 400);
});

// Contract: epics-8.children.move
test('child epics are moved before and after each other, as often as wanted', async (t) => {
  const { group, as, children, parent, ids } = await tree();
  const createdIds: number[] = [];
  for (const title of ['a', 'b', 'c']) createdIds.push((await as.post(children, { title })).body.id);
  const [a, b, c] = createdIds as [number, number, number];
  const move = async (id: number, attributes: object) => {
    const { status, body } = await as.put(`${children}/${id}`, attributes);
    t.is(status, 200, JSON.stringify(body));
    return body.map((epic: { id: number }) => createdIds.indexOf(epic.id));
  };
  t.deepEqual(await move(c, { move_after_id: a }), [2, 0, 1]);
  t.deepEqual(await move(c, { move_before_id: a, move_after_id: b }), [0, 2, 1]);
  for (let round = 0; round < 30; round += 1) {
    await move(b, { move_before_id: a });
    t.deepEqual(await move(c, { move_before_id: a }), [0, 2, 1]);
  }
  t.deepEqual(await ids(), [a, c, b]);
  t.is((await as.put(`${children}/${a}`, {})).status, 400);
  const other = await epicIn(app, group);
  t.is((await as.put(`${children}/${a}`, { move_after_id: other.id })).status, 404);
  t.is((await as.put(`${children}/${a}`, { move_before_id: b, move_after_id: c })).status, 409);
  // Away and back again it is where new ones are: behind older ones, by its id.
  await as.delete(`${children}/${c}`);
  await as.post(`${children}/${c}`);
  const position = (await as.get(`${parent.path}/epics`)).body.map(({ id }: { id: number }) => id);
  t.is(position.at(-1), c);
});

// Contract: epics-8.children.role
test('Reporters who may change both epics do so; what the caller may not read is not there', async (t) => {
  const { group, as, children } = await tree();
  const epic = await epicIn(app, group);
  for (const [role, status] of [
    ['guest', 403],
    ['planner', 403],
    ['reporter', 201],
  ] as const) {
    const member = app.as(await app.build.groupMember(group, role));
    t.is((await member.post(`${children}/${epic.id}`)).status, status, role);
    t.is((await member.post(children, { title: role })).status, status, role);
  }
  const guest = app.as(await app.build.groupMember(group, 'guest'));
  t.is((await guest.put(`${children}/${epic.id}`, { move_after_id: epic.id })).status, 403);
  t.is((await guest.delete(`${children}/${epic.id}`)).status, 403);
  await as.post(children, { title: 'Hidden', confidential: true });
  t.is((await as.get(children)).body.length, 3);
  t.is((await guest.get(children)).body.length, 2, 'confidential ones are not counted');
  const foreign = await epicIn(app, await app.build.group({ visibility: 'private' }));
  t.is((await as.post(`${children}/${foreign.id}`)).status, 404);
  const elsewhere = await epicIn(app, await app.build.group({ owner: group.owner }));
  t.is((await as.post(`${children}/${elsewhere.id}`)).status, 400, 'another tree of groups');
  t.is((await app.as(await app.build.user()).get(children)).status, 404);
  t.is((await app.anonymous.post(children, { title: 'x' })).status, 401);
});
