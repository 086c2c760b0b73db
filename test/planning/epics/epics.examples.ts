import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { epicDetails } from '../../../shared/planning/epics/epic.serializer.js';
import type { AreaExamples, GraphqlPair, GraphqlFixture, PathValues, RecordExample } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

const notAudited = 'everyday work, which the epic tells by itself';

const makeEpic = (sandbox: Sandbox, group: string, attributes: object = {}) =>
  sandbox.post(`/groups/${group}/epics`, { title: `Epic ${sandbox.unique()}`, ...attributes }) as unknown as Promise<{
    id: number;
    iid: number;
  }>;

/** An issue of a project in the group that a path names. */
async function issueBelow(sandbox: Sandbox, group: string): Promise<number> {
  const { id } = await sandbox.post('/projects', { name: `Project ${sandbox.unique()}`, namespace_id: Number(group) });
  return (await sandbox.post(`/projects/${id}/issues`, { title: 'Issue' })).id;
}

const getRow = async (sandbox: Sandbox, { id, epic_iid }: PathValues): Promise<number> =>
  (await sandbox.post(`/groups/${id}/epics/${epic_iid}/issues/${await issueBelow(sandbox, id as string)}`, {})).id;

/** An epic below the one that a path names. */
const getChild = async (sandbox: Sandbox, { id, epic_iid }: PathValues): Promise<number> =>
  (await sandbox.post(`/groups/${id}/epics/${epic_iid}/epics`, { title: `Child ${sandbox.unique()}` })).id;

type Change = (sandbox: Sandbox) => object;

/** An event as a change of the epic in the path leaves it. */
const getEvent =
  (kind: string, change: Change): RecordExample =>
  async (sandbox, { id, epic_id }) => {
    const as = sandbox.app.as(sandbox.people.author);
    const epics = (await as.get(`/groups/${id}/epics?per_page=100`)).body as { id: number; iid: number }[];
    const iid = epics.find((one) => String(one.id) === epic_id)?.iid;
    await as.put(`/groups/${id}/epics/${iid}`, change(sandbox));
    return (await as.get(`/groups/${id}/epics/${epic_id}/resource_${kind}_events?per_page=100`)).body.at(-1).id;
  };

/** An epic that has all that one can have. */
async function fill({ app, admin, group, project, index }: GraphqlFixture): Promise<void> {
  const as = app.as(admin);
  const epics = `/groups/${group.id}/epics`;
  const above = (await as.post(epics, { title: 'Above' })).body;
  const dates = {
    start_date_is_fixed: true,
    start_date_fixed: '2030-01-01',
    due_date_is_fixed: true,
    due_date_fixed: '2030-03-01',
  };
  const attributes = { description: 'words', labels: `label of epic ${index}`, parent_id: above.id, ...dates };
  const { id, iid } = (await as.post(epics, { title: 'Epic', ...attributes })).body;
  await as.put(`${epics}/${iid}`, { state_event: 'close' });
  await as.post(`${epics}/${id}/notes`, { body: 'Hello' });
  const milestone = { title: `of epic ${index}`, start_date: '2030-01-01', due_date: '2030-02-01' };
  const { id: milestone_id } = (await as.post(`/projects/${project.id}/milestones`, milestone)).body;
  // Older than those that the queries list.
  const issue = { title: 'In an epic', milestone_id, epic_id: id, created_at: '2029-01-01' };
  await as.post(`/projects/${project.id}/issues`, issue);
}

/** Where the types differ from the serializers that say the same in REST, on purpose. */
const pairs: readonly GraphqlPair[] = [
  {
    type: 'Epic',
    serializer: epicDetails as Serializer<never>,
    renamed: { group_id: 'group', parent_id: 'parent', references: 'reference' },
    restOnly: [
      'work_item_id',
      'parent_iid',
      'imported',
      'imported_from',
      'start_date_from_milestones',
      'due_date_from_milestones',
      'end_date',
      'web_edit_url',
      '_links',
    ],
    graphqlOnly: [
      'titleHtml',
      'descriptionHtml',
      'webPath',
      'userNotesCount',
      'issues',
      'notes',
      'discussions',
      'commenters',
      'userPermissions',
    ],
  },
];

const EPICS = ['/groups/:id/epics'];
const each = <T>(make: (epics: string) => Record<string, T>): Record<string, T> =>
  Object.assign({}, ...EPICS.map(make)) as Record<string, T>;

export default {
  needs: [{ path: /^\/groups\/[^/]+\/(-\/)?epics(\/|$)/, plan: 'premium' }],
  graphql: {
    pairs,
    fill,
    arguments: { 'Group.epic': '(iid: "2")', 'Group.epics': '(iids: ["2"])' },
  },
  records: {
    ...each<RecordExample>((epics) => ({
      [`${epics}/:epic_iid`]: async (sandbox, { id }) => (await makeEpic(sandbox, id as string)).iid,
      [`${epics}/:epic_iid/issues/:epic_issue_id`]: getRow,
      [`${epics}/:epic_iid/epics/:child_epic_id`]: getChild,
    })),
    '/groups/:id/epics/:epic_id': async (sandbox, { id }) => (await makeEpic(sandbox, id as string)).id,
    '/groups/:id/epics/:epic_id/resource_state_events/:event_id': getEvent('state', () => ({ state_event: 'close' })),
    '/groups/:id/epics/:epic_id/resource_label_events/:event_id': getEvent('label', ({ unique }) => ({
      add_labels: `label ${unique()}`,
    })),
    '/groups/:id/epics/:epic_iid/award_emoji/:award_id': async ({ app }, { id, epic_iid: iid }) => {
      const giver = await app.build.groupMember({ id: Number(id) }, 'guest');
      return (await app.as(giver).post(`/groups/${id}/epics/${iid}/award_emoji`, { name: 'rocket' })).body.id;
    },
  },
  requests: {
    'DELETE /groups/:id/epics/:epic_iid/award_emoji/:award_id': { caller: (sandbox) => sandbox.people.admin },
    'POST /groups/:id/epics/:epic_iid/award_emoji': { params: { name: () => 'thumbsup' } },
    ...each((epics) => ({
      [`POST ${epics}`]: { notAudited },
      [`PUT ${epics}/:epic_iid`]: {
        params: { title: () => 'Another title' },
        edit: { title: 'Another title' },
        notAudited,
      },
      [`POST ${epics}/:epic_iid/issues/:epic_issue_id`]: {
        notAudited,
        caller: (sandbox: Sandbox) => sandbox.people.author,
        // Here the parameter identifies the issue.
        unused: (sandbox: Sandbox, { id }: Record<string, string>) => issueBelow(sandbox, id as string),
      },
      [`DELETE ${epics}/:epic_iid/issues/:epic_issue_id`]: {
        notAudited,
        caller: (sandbox: Sandbox) => sandbox.people.author,
      },
      [`PUT ${epics}/:epic_iid/issues/:epic_issue_id`]: {
        params: {
          // Of the epic that the path names as well.
          move_after_id: async (sandbox: Sandbox) => {
            const id = String((await sandbox.group()).id);
            const iid = await sandbox.keep(`${epics}/:epic_iid`, async () => (await makeEpic(sandbox, id)).iid);
            return getRow(sandbox, { id, epic_iid: String(iid) });
          },
        },
        notAudited,
        notPublished: 'an order by hand is no change of the issue',
      },
      [`POST ${epics}/:epic_iid/epics`]: { notAudited },
      [`POST ${epics}/:epic_iid/epics/:child_epic_id`]: {
        notAudited,
        caller: (sandbox: Sandbox) => sandbox.people.author,
        // There it is an epic that is not below it yet.
        unused: async (sandbox: Sandbox, { id }: Record<string, string>) => (await makeEpic(sandbox, id as string)).id,
      },
      [`DELETE ${epics}/:epic_iid/epics/:child_epic_id`]: {
        notAudited,
        caller: (sandbox: Sandbox) => sandbox.people.author,
      },
      [`PUT ${epics}/:epic_iid/epics/:child_epic_id`]: {
        params: {
          // Below the epic that the path names as well.
          move_after_id: async (sandbox: Sandbox) => {
            const id = String((await sandbox.group()).id);
            const iid = await sandbox.keep(`${epics}/:epic_iid`, async () => (await makeEpic(sandbox, id)).iid);
            return getChild(sandbox, { id, epic_iid: String(iid) });
          },
        },
        notAudited,
        notPublished: 'an order by hand is no change of the epic',
      },
      [`POST ${epics}/:epic_iid/unsubscribe`]: { caller: (sandbox: Sandbox) => sandbox.people.author },
    })),
  },
} satisfies AreaExamples;
