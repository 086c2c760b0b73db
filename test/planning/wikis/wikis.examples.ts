import type { AreaExamples, RecordExample, RequestExample } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

type Kind = 'projects' | 'groups';
const notAudited = 'everyday work of Developers';

const page = async (sandbox: Sandbox, path: string): Promise<string> => {
  const title = `page-${sandbox.unique()}`;
  await sandbox.post(`${path}/wikis`, { title, content: 'Hello' });
  return title;
};

const getPage =
  (kind: Kind): RecordExample =>
  (sandbox, { id }) =>
    page(sandbox, `/${kind}/${id}`);

const getRequests = (kind: Kind): Record<string, RequestExample> => ({
  [`POST /${kind}/:id/wikis`]: {
    params: { title: (sandbox: Sandbox) => `page-${sandbox.unique()}`, content: () => 'Hello' },
    notAudited,
  },
  [`PUT /${kind}/:id/wikis/:slug`]: { params: { content: () => 'Hello again' }, notAudited },
  [`DELETE /${kind}/:id/wikis/:slug`]: { notAudited, unused: getPage(kind) },
  [`POST /${kind}/:id/wikis/attachments`]: {
    namesOthers: 'a file',
    params: { file: () => new Blob(['Hello']) },
    notAudited,
  },
});

export default {
  needs: [{ path: /^\/groups\/[^/]+\/wikis(\/|$)/, plan: 'premium' }],
  records: {
    '/projects/:id/wikis/:slug': getPage('projects'),
    '/groups/:id/wikis/:slug': getPage('groups'),
  },
  requests: { ...getRequests('projects'), ...getRequests('groups') },
} satisfies AreaExamples;
