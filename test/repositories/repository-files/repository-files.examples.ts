import type { AreaExamples } from '../../core/area-examples.js';
import { WORK } from '../../core/world.js';

export default {
  records: {
    '/projects/:id/repository/files/:file_path': async (world, { id }) => {
      const file = `file-${world.unique()}.txt`;
      const change = { branch: WORK, content: 'a', commit_message: 'Add' };
      await world.post(`/projects/${id}/repository/files/${file}`, change);
      return file;
    },
    '/projects/:id/repository/blobs/:sha': async (world, { id }) => {
      const { body } = await world.app.as(world.people.author).get(`/projects/${id}/repository/tree`);
      return (body as { id: string }[])[0]!.id;
    },
  },
  requests: {
    'POST /projects/:id/repository/files/:file_path': { unused: ({ unique }) => `new-${unique()}.txt` },
    'GET /projects/:id/repository/files/:file_path/blame': { params: { ref: () => WORK } },
    'GET /projects/:id/repository/blobs/:sha/raw': { ownForm: 'a stream, which holds next to nothing' },
    'GET /projects/:id/repository/files/:file_path/raw': {
      params: { ref: () => WORK },
      ownForm: 'a stream, which holds next to nothing',
    },
  },
} satisfies AreaExamples;
