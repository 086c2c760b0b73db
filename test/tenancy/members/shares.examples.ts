import type { AreaExamples, RecordExample, RequestExample } from '../../core/area-examples.js';

/** A group of the author's, invited by a share. */
const sharedGroup =
  (container: 'projects' | 'groups'): RecordExample =>
  async (world, { id }) => {
    const { id: invited } = await world.otherGroup();
    await world.post(`/${container}/${id}/share`, { group_id: invited, group_access: 10 });
    return invited;
  };

/** A group that everybody who calls has the same role in. */
const besideGroup: RequestExample = { params: { group_id: async (world) => (await world.otherGroup()).id } };

export default {
  records: {
    '/groups/:id/share/:group_id': sharedGroup('groups'),
    '/projects/:id/share/:group_id': sharedGroup('projects'),
  },
  requests: {
    'POST /groups/:id/share': besideGroup,
    'POST /projects/:id/share': besideGroup,
  },
} satisfies AreaExamples;
