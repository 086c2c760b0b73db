import type { AreaExamples, RequestExample } from '../../core/area-examples.js';

type Kind = 'groups' | 'projects';

/** An archive is its exporter's alone. */
const caller: RequestExample['caller'] = ({ people }) => people.author;

const cancelled = (kind: Kind): RequestExample => ({
  caller,
  ready: (sandbox, { id }) => sandbox.post(`/${kind}/${id}/export`, {}),
  notAudited: 'asking for an export is told; what was never read leaves nothing to tell',
  notPublished: 'nothing follows from it',
});

const downloaded = (kind: Kind): RequestExample => ({
  caller,
  async ready(sandbox, { id }) {
    await sandbox.post(`/${kind}/${id}/export`, {});
    await sandbox.app.work();
    await sandbox.app.set({ [`${kind.slice(0, -1)}_download_export_limit`]: 0 });
  },
  ownForm: 'a file',
});

export default {
  requests: {
    'DELETE /groups/:id/export': cancelled('groups'),
    'DELETE /projects/:id/export': cancelled('projects'),
    'GET /groups/:id/export/download': downloaded('groups'),
    'GET /projects/:id/export/download': downloaded('projects'),
  },
} satisfies AreaExamples;
