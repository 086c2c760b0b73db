import type { AreaExamples, RecordExample, RequestExample } from '../../core/area-examples.js';
import type { World } from '../../core/world.js';

type Kind = 'projects' | 'groups';
const notAudited = 'everyday work of Planners';

const getBoard =
  (kind: Kind): RecordExample =>
  async (world, { id }) => {
    // The only one could not be deleted.
    await world.post(`/${kind}/${id}/boards/open`, {});
    return (await world.post(`/${kind}/${id}/boards`, { name: `Board ${world.unique()}` })).id;
  };

const labelIn = async (world: World, path: string): Promise<number> =>
  (await world.post(`${path}/labels`, { name: `label ${world.unique()}`, color: 'red' })).id;

const getList =
  (kind: Kind): RecordExample =>
  async (world, { id, board_id }) => {
    const label_id = await labelIn(world, `/${kind}/${id}`);
    return (await world.post(`/${kind}/${id}/boards/${board_id}/lists`, { label_id })).id;
  };

const containerPath = {
  projects: (world: World) => Promise.resolve(`/projects/${world.project.id}`),
  groups: async (world: World) => `/groups/${(await world.group()).id}`,
};

const getRequests = (kind: Kind): Record<string, RequestExample> => ({
  [`POST /${kind}/:id/boards/:board_id/lists`]: {
    namesOthers: 'a label',
    params: { label_id: async (world: World) => labelIn(world, await containerPath[kind](world)) },
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
