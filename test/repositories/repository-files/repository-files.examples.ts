import type { AreaExamples } from '../../core/area-examples.js';
import { WORK } from '../../core/sandbox.js';

export default {
  records: {
    '/projects/:id/repository/files/:file_path': async (sandbox, { id }) => {
      const file = `file-${sandbox.unique()}.txt`;
      const change = { branch: WORK, content: 'a', commit_message: 'Add' };
      await sandbox.post(`/projects/${id}/repository/files/${file}`, change);
      return file;
    },
    '/projects/:id/repository/blobs/:sha': async (sandbox, { id }) => {
      const { body } = await sandbox.app.as(sandbox.people.author).get(`/projects/${id}/repository/tree`);
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
