import type { AreaExamples, RecordExample, RequestExample } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

type Kind = 'projects' | 'groups';
const notAudited = 'everyday work of Planners';

const getBoard =
  (kind: Kind): RecordExample =>
  async (sandbox, { id }) => {
    // The only one could not be deleted.
    await sandbox.post(`/${kind}/${id}/boards/open`, {});
    return (await sandbox.post(`/${kind}/${id}/boards`, { name: `Board ${sandbox.unique()}` })).id;
  };

const labelIn = async (sandbox: Sandbox, path: string): Promise<number> =>
  (await sandbox.post(`${path}/labels`, { name: `label ${sandbox.unique()}`, color: 'red' })).id;

const getList =
  (kind: Kind): RecordExample =>
  async (sandbox, { id, board_id }) => {
    const label_id = await labelIn(sandbox, `/${kind}/${id}`);
    return (await sandbox.post(`/${kind}/${id}/boards/${board_id}/lists`, { label_id })).id;
  };

const containerPath = {
  projects: (sandbox: Sandbox) => Promise.resolve(`/projects/${sandbox.project.id}`),
  groups: async (sandbox: Sandbox) => `/groups/${(await sandbox.group()).id}`,
};

const getRequests = (kind: Kind): Record<string, RequestExample> => ({
  [`POST /${kind}/:id/boards/:board_id/lists`]: {
    namesOthers: 'a label',
    params: { label_id: async (sandbox: Sandbox) => labelIn(sandbox, await containerPath[kind](sandbox)) },
    notAudited,
    notPublished: 'a list tells nothing by itself',
  },
  [`PUT /${kind}/:id/boards/:board_id`]: { params: { name: () => 'Other' }, notAudited },
  [`PUT /${kind}/:id/boards/:board_id/lists/:list_id`]: {
    namesOthers: 'a position that the only list has',
    params: { position: () => 0 },
    notAudited,
    notPublished: 'a list tells nothing by itself',
  },
});

export default {
  records: {
    '/projects/:id/boards/:board_id': getBoard('projects'),
    '/groups/:id/boards/:board_id': getBoard('groups'),
    '/projects/:id/boards/:board_id/lists/:list_id': getList('projects'),
    '/groups/:id/boards/:board_id/lists/:list_id': getList('groups'),
  },
  requests: { ...getRequests('projects'), ...getRequests('groups') },
} satisfies AreaExamples;
