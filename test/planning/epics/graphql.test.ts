import test from 'ava';
import { useApp } from '../../core/app.js';
import { epicIn } from './epic-steps.js';

const app = useApp(test);

// Contract: graphql-5.epics
test('GraphQL reads epics by group and by global id, with their parents, issues and dates', async (t) => {
  const group = await app.build.group();
  const below = { ...(await app.build.group({ owner: group.owner, parent: group })), owner: group.owner };
  const project = await app.build.projectIn(group, {});
  const as = app.as(group.owner);
  const parent = await epicIn(app, group, { title: 'Above' });
  const dates = { due_date_is_fixed: true, due_date_fixed: '2030-02-01' };
  const epic = await epicIn(app, group, { title: 'Epic', parent_id: parent.id, labels: 'a', ...dates });
  await epicIn(app, below, { title: 'Below', confidential: true });
  await as.post(`/projects/${project.id}/issues`, { title: 'Issue', epic_id: epic.id });
  const query = `query($path: ID!, $id: EpicID!) {
    epic(id: $id) { iid title }
    group(fullPath: $path) {
      epic(iid: "${epic.iid}") {
        id state reference(full: true) parent { title } labels { nodes { title } } dueDate startDate
        issues { nodes { title epic { title } } count } group { fullPath } userPermissions { updateEpic }
      }
      epics(sort: TITLE_ASC) { nodes { title } count }
      own: epics(includeDescendantGroups: false, search: "epic", labelName: ["a"]) { nodes { title } }
      closed: epics(state: closed) { count }
    }
  }`;
  const variables = { path: group.full_path, id: `gid://service/Epic/${epic.id}` };
  const { body } = await as.graphql(query, variables);
  t.deepEqual(body.data, {
    epic: { iid: String(epic.iid), title: 'Epic' },
    group: {
      epic: {
        id: `gid://service/Epic/${epic.id}`,
        state: 'opened',
        reference: `${group.full_path}&${epic.iid}`,
        parent: { title: 'Above' },
        labels: { nodes: [{ title: 'a' }] },
        dueDate: '2030-02-01T00:00:00.000Z',
        startDate: null,
        issues: { nodes: [{ title: 'Issue', epic: { title: 'Epic' } }], count: 1 },
        group: { fullPath: group.full_path },
        userPermissions: { updateEpic: true },
      },
      epics: { nodes: [{ title: 'Above' }, { title: 'Below' }, { title: 'Epic' }], count: 3 },
      own: { nodes: [{ title: 'Epic' }] },
      closed: { count: 0 },
    },
  });
  const guest = await app.build.groupMember(group, 'guest');
  const visible = (await app.as(guest).graphql(query, variables)).body.data.group;
  t.is(visible.epics.count, 2);
  t.deepEqual([visible.epic.issues.count, visible.epic.userPermissions.updateEpic], [1, false]);
  const stranger = await app.as(await app.build.user()).graphql('query($id: EpicID!) { epic(id: $id) { title } }', {
    id: variables.id,
  });
  t.is(stranger.body.data.epic, null);
});

// Contract: graphql-5.epics
test('epics are ordered by their days, whether chosen or from below, without a day last', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group, {});
  const as = app.as(group.owner);
  const fixed = (title: string, day: string) =>
    epicIn(app, group, {
      title,
      due_date_is_fixed: true,
      due_date_fixed: day,
      start_date_is_fixed: true,
      start_date_fixed: day,
    });
  await fixed('late', '2030-03-01');
  await fixed('early', '2030-01-01');
  await epicIn(app, group, { title: 'none' });
  const inherits = await epicIn(app, group, { title: 'inherits' });
  const dates = { start_date: '2030-01-15', due_date: '2030-02-01' };
  const milestone = (await as.post(`/projects/${project.id}/milestones`, { title: 'M', ...dates })).body;
  await as.post(`/projects/${project.id}/issues`, { title: 'I', epic_id: inherits.id, milestone_id: milestone.id });
  const getPages = async (sort: string) => {
    const titles: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const { body } = await as.graphql(
        `query($path: ID!, $after: String) { group(fullPath: $path) {
          epics(sort: ${sort}, first: 1, after: $after) { nodes { title } pageInfo { endCursor hasNextPage } } } }`,
        { path: group.full_path, after },
      );
      const { nodes, pageInfo } = body.data.group.epics;
      titles.push(...nodes.map(({ title }: { title: string }) => title));
      after = pageInfo.endCursor;
      more = pageInfo.hasNextPage;
    }
    return titles;
  };
  t.deepEqual(await getPages('DUE_DATE_ASC'), ['early', 'inherits', 'late', 'none']);
  t.deepEqual(await getPages('DUE_DATE_DESC'), ['late', 'inherits', 'early', 'none']);
  t.deepEqual(await getPages('START_DATE_ASC'), ['early', 'inherits', 'late', 'none']);
  t.deepEqual(await getPages('START_DATE_DESC'), ['late', 'inherits', 'early', 'none']);
});
