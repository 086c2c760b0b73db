import type { AreaExamples, PathValues, RequestExample } from '../../core/area-examples.js';
import type { World } from '../../core/world.js';

const asked = async (world: World, { id }: PathValues) => {
  await world.post(`/groups/${id}/export_relations`, {});
  await world.app.work();
};

const download: RequestExample = {
  // An export is its requester's alone.
  caller: ({ people }) => people.author,
  params: { relation: () => 'labels' },
  ready: asked,
  ownForm: 'a file',
};

export default {
  requests: { 'GET /groups/:id/export_relations/download': download },
} satisfies AreaExamples;
