import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { KINDS } from '../containers.js';
import type { TestContainer } from '../containers.js';

const app = useApp(test);

async function createContainer(
  kind: TestContainer['kind'],
  visibility = 'private',
): Promise<TestContainer & { boards: string }> {
  const container =
    kind === 'project' ? await app.build.project({ empty: true, visibility }) : await app.build.group({ visibility });
  const path = `/${kind}s/${container.id}`;
  return { kind, id: container.id, owner: container.owner, path, boards: `${path}/boards` };
}

const getLabels = async ({ owner, path }: TestContainer, names: string[]): Promise<number[]> => {
  const ids: number[] = [];
  for (const name of names) ids.push((await app.as(owner).post(`${path}/labels`, { name, color: 'red' })).body.id);
  return ids;
};

for (const kind of KINDS) {
  // Contract: boards-8.default, boards-8.record, boards-8.create, boards-8.update, boards-8.delete
  test(`a ${kind} has no board until somebody opens its boards, then one named Development, and the last one stays`, async (t) => {
    const at = await createContainer(kind);
    const as = app.as(at.owner);
    t.deepEqual((await as.get(at.boards)).body, []);
    const opened = await as.post(`${at.boards}/open`);
    t.is(opened.status, 200);
    const [first, ...more] = (await as.get(at.boards)).body;
    t.deepEqual([first, more], [opened.body, []]);
    t.like(first, {
      name: 'Development',
      hide_backlog_list: false,
      hide_closed_list: false,
      milestone: null,
      assignee: null,
      labels: [],
      weight: null,
      lists: [],
    });
    t.is(first[kind].id, at.id);
    t.is(first[kind === 'project' ? 'group' : 'project'], null);
    t.is((await as.delete(`${at.boards}/${first.id}`)).status, 400);
    const response = await as.post(at.boards, { name: ' Delivery ' });
    t.deepEqual([response.status, response.body.name], [201, 'Delivery']);
    const milestone = (await as.post(`${at.path}/milestones`, { title: '1.0' })).body;
    const edited = await as.put(`${at.boards}/${response.body.id}`, {
      name: 'Other',
      hide_backlog_list: true,
      milestone_id: milestone.id,
      assignee_id: at.owner.id,
      labels: 'a,b',
      weight: 3,
    });
    t.like(edited.body, {
      name: 'Other',
      hide_backlog_list: true,
      hide_closed_list: false,
      milestone: { id: milestone.id },
      assignee: { id: at.owner.id },
      weight: 3,
    });
    t.deepEqual(
      edited.body.labels.map(({ name }: { name: string }) => name),
      ['a', 'b'],
    );
    t.deepEqual((await as.get(`${at.boards}/${response.body.id}`)).body, edited.body);
    const cleared = { milestone_id: 0, assignee_id: 0, labels: '', weight: '' };
    t.like((await as.put(`${at.boards}/${response.body.id}`, cleared)).body, {
      milestone: null,
      assignee: null,
      labels: [],
      weight: null,
    });
    t.is((await as.delete(`${at.boards}/${first.id}`)).status, 204);
    t.is((await as.get(`${at.boards}/${first.id}`)).status, 404);
    for (const bad of [{ name: '' }, { milestone_id: 999_999 }, { assignee_id: 999_999 }, { weight: -1 }, {}])
      t.is((await as.put(`${at.boards}/${response.body.id}`, bad)).status, 400, JSON.stringify(bad));
  });

  // Contract: boards-8.default, boards-8.role
  test(`whoever reads a ${kind}'s boards opens them, at once only one is made, and visitors make none`, async (t) => {
    const at = await createContainer(kind, 'public');
    t.is((await app.anonymous.post(`${at.boards}/open`)).status, 401);
    t.deepEqual((await app.anonymous.get(at.boards)).body, []);
    const strangers = [app.as(await app.build.user()), app.as(await app.build.user()), app.as(at.owner)];
    const opened = await Promise.all(strangers.map((client) => client.post(`${at.boards}/open`)));
    const ids = opened.map(({ body }) => body.id as number);
    t.is(new Set(ids).size, 1);
    t.is((await app.anonymous.get(at.boards)).body.length, 1);
    const hidden = await createContainer(kind);
    t.is((await strangers[0]!.post(`${hidden.boards}/open`)).status, 404);
    if (kind === 'group') return;
    await app.as(hidden.owner).post(`${hidden.path}/archive`);
    t.is((await app.as(hidden.owner).post(`${hidden.boards}/open`)).status, 403);
  });

  // Contract: boards-8.lists, boards-8.positions, boards-8.errors
  test(`lists of a ${kind}'s board are of labels, milestones and users, and are moved`, async (t) => {
    const at = await createContainer(kind);
    const as = app.as(at.owner);
    const board = (await as.post(`${at.boards}/open`)).body.id as number;
    const lists = `${at.boards}/${board}/lists`;
    const [a, b] = await getLabels(at, ['a', 'b']);
    const milestone_id = (await as.post(`${at.path}/milestones`, { title: '1.0' })).body.id;
    const responses = [
      await as.post(lists, { label_id: a }),
      await as.post(lists, { label_id: b }),
      await as.post(lists, { milestone_id }),
      await as.post(lists, { assignee_id: at.owner.id }),
    ];
    t.deepEqual(
      responses.map(({ status, body }) => [status, body.list_type, body.position]),
      [
        [201, 'label', 0],
        [201, 'label', 1],
        [201, 'milestone', 2],
        [201, 'assignee', 3],
      ],
    );
    t.like(responses[0]?.body, { label: { name: 'a' }, max_issue_count: 0, max_issue_weight: 0, limit_metric: null });
    t.like(responses[2]?.body, { milestone: { title: '1.0' }, label: null });
    t.like(responses[3]?.body, { assignee: { id: at.owner.id } });
    const ids = responses.map(({ body }) => body.id as number);
    t.deepEqual((await as.get(`${lists}/${ids[1]}`)).body, responses[1]?.body);
    const order = async () => (await as.get(lists)).body.map(({ id }: { id: number }) => ids.indexOf(id));
    t.is((await as.put(`${lists}/${ids[3]}`, { position: 0 })).body.position, 0);
    t.deepEqual(await order(), [3, 0, 1, 2]);
    t.is((await as.put(`${lists}/${ids[3]}`, { position: 3 })).body.position, 3);
    t.is((await as.delete(`${lists}/${ids[1]}`)).status, 204);
    t.deepEqual(await order(), [0, 2, 3]);
    t.deepEqual(
      (await as.get(`${at.boards}/${board}`)).body.lists.map(({ position }: { position: number }) => position),
      [0, 1, 2],
    );
    const elsewhere = await createContainer(kind);
    const [other] = await getLabels(elsewhere, ['a']);
    for (const [attributes, expected] of [
      [{ label_id: other }, { message: { error: 'Label not found!' } }],
      [{ label_id: 999_999_999 }, { message: { error: 'Label not found!' } }],
      [{ milestone_id: 999_999_999 }, { message: { error: 'Milestone not found!' } }],
      [{ assignee_id: elsewhere.owner.id }, { message: { error: 'User not found!' } }],
      [{ iteration_id: 1 }, { message: { error: 'Iteration not found!' } }],
      [{ label_id: a }, { message: { label: ['has already been taken'] } }],
    ] as const) {
      const { status, body } = await as.post(lists, attributes);
      t.deepEqual([status, body], [400, expected], JSON.stringify(attributes));
    }
    t.is((await as.post(lists, {})).status, 400);
    t.is((await as.post(lists, { label_id: a, milestone_id })).status, 400);
    for (const position of [-1, 3]) t.is((await as.put(`${lists}/${ids[0]}`, { position })).status, 400);
    t.is((await as.get(`${elsewhere.boards}/${board}`)).status, 404);
  });

  // Contract: boards-8.positions
  test(`positions in a ${kind} that are set by several callers at once are each given once`, async (t) => {
    const at = await createContainer(kind);
    const as = app.as(at.owner);
    const lists = `${at.boards}/${(await as.post(`${at.boards}/open`)).body.id}/lists`;
    const labels = await getLabels(at, ['a', 'b', 'c', 'd']);
    const responses = await Promise.all(labels.map((label_id) => as.post(lists, { label_id })));
    t.deepEqual(responses.map(({ body }) => body.position as number).sort(), [0, 1, 2, 3]);
    const moves = responses.map(({ body }, at_) => as.put(`${lists}/${body.id}`, { position: (at_ * 2) % 4 }));
    t.deepEqual(
      (await Promise.all(moves)).map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const after = (await as.get(lists)).body as { id: number; position: number }[];
    t.deepEqual(
      after.map(({ position }) => position),
      [0, 1, 2, 3],
    );
    t.deepEqual(after.map(({ id }) => id).sort(), responses.map(({ body }) => body.id as number).sort());
  });

  // Contract: boards-8.role
  test(`boards of a ${kind} are read by whoever reads it, and arranged by Planners and above`, async (t) => {
    for (const visibility of ['private', 'public']) {
      const at = await createContainer(kind, visibility);
      const member = (role: 'guest' | 'planner') =>
        kind === 'project' ? app.build.member(at, role) : app.build.groupMember(at, role);
      const [guest, planner, stranger] = [await member('guest'), await member('planner'), await app.build.user()];
      t.is((await app.as(guest).get(at.boards)).status, 200);
      t.is((await app.as(guest).post(at.boards, { name: 'x' })).status, 403);
      t.is((await app.as(planner).post(at.boards, { name: 'x' })).status, 201);
      t.is((await app.as(stranger).get(at.boards)).status, visibility === 'public' ? 200 : 404);
      t.is((await app.anonymous.get(at.boards)).status, visibility === 'public' ? 200 : 404);
      t.is((await app.as(stranger).post(at.boards, { name: 'x' })).status, visibility === 'public' ? 403 : 404);
    }
  });
}

// Contract: boards-8.moves
test('a project that is moved keeps lists of labels that are there too, and loses the others', async (t) => {
  const from = await app.build.group();
  const to = await app.build.group({ owner: from.owner });
  const project = await app.build.projectIn(from, {});
  const as = app.as(from.owner);
  const make = async (group: { id: number }, name: string) =>
    (await as.post(`/groups/${group.id}/labels`, { name, color: 'red' })).body.id as number;
  const [remaining, gone] = [await make(from, 'both'), await make(from, 'here')];
  const there = await make(to, 'both');
  const board = (await as.post(`/projects/${project.id}/boards/open`)).body.id;
  const lists = `/projects/${project.id}/boards/${board}/lists`;
  for (const label_id of [gone, remaining]) await as.post(lists, { label_id });
  t.is((await as.put(`/projects/${project.id}/transfer`, { namespace: to.id })).status, 200);
  const after = (await as.get(lists)).body;
  t.deepEqual(
    after.map(({ label, position }: { label: { id: number }; position: number }) => [label.id, position]),
    [[there, 0]],
  );
});

// Contract: boards-8.moves
test('a label that is promoted keeps the lists and epics of those that become one with it', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group, {});
  const as = app.as(group.owner);
  const [path, above] = [`/projects/${project.id}`, `/groups/${group.id}`];
  const own = (await as.post(`${path}/labels`, { name: 'a', color: 'red' })).body.id as number;
  const ofGroup = (await as.post(`${above}/labels`, { name: 'a', color: 'red' })).body.id as number;
  const board = (await as.post(`${above}/boards/open`)).body.id;
  await as.post(`${above}/boards/${board}/lists`, { label_id: ofGroup });
  const { iid } = (await as.post(`${above}/epics`, { title: 'x', labels: 'a' })).body;
  t.is((await as.put(`${path}/labels/${own}/promote`)).status, 200);
  const lists = (await as.get(`${above}/boards/${board}/lists`)).body;
  t.deepEqual(
    lists.map(({ label }: { label: { id: number } }) => label.id),
    [own],
  );
  t.deepEqual((await as.get(`${above}/epics/${iid}`)).body.labels, ['a']);
});

// Contract: boards-8.gitbeaker
test('@gitbeaker/rest makes, lists, edits and removes boards and their lists', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group, {});
  const as = app.as(group.owner);
  const { id: labelId } = (await as.post(`/groups/${group.id}/labels`, { name: 'a', color: 'red' })).body;
  const { ProjectIssueBoards, GroupIssueBoards } = new Gitlab({ host: app.url, token: group.owner.token });
  for (const [boards, id] of [
    [ProjectIssueBoards, project.id],
    [GroupIssueBoards, group.id],
  ] as const) {
    await as.post(`/${boards === ProjectIssueBoards ? 'projects' : 'groups'}/${id}/boards/open`);
    const board = await boards.create(id, 'Delivery');
    t.is((await boards.show(id, board.id)).name, 'Delivery');
    t.is((await boards.edit(id, board.id, { name: 'Other' })).name, 'Other');
    t.is((await boards.all(id)).length, 2);
    const list = await boards.createList(id, board.id, { labelId });
    t.is((await boards.showList(id, board.id, list.id)).id, list.id);
    t.is((await boards.allLists(id, board.id)).length, 1);
    await boards.editList(id, board.id, list.id, 0);
    await boards.removeList(id, board.id, list.id);
    await boards.remove(id, board.id);
    t.is((await boards.all(id)).length, 1);
  }
});
