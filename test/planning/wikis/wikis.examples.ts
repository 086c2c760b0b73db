import type { AreaExamples, RecordExample, RequestExample } from '../../core/area-examples.js';
import type { World } from '../../core/world.js';

type Kind = 'projects' | 'groups';
const notAudited = 'everyday work of Developers';

const page = async (world: World, path: string): Promise<string> => {
  const title = `page-${world.unique()}`;
  await world.post(`${path}/wikis`, { title, content: 'Hello' });
  return title;
};

const pageOf =
  (kind: Kind): RecordExample =>
  (world, { id }) =>
    page(world, `/${kind}/${id}`);

const requestsOf = (kind: Kind): Record<string, RequestExample> => ({
  [`POST /${kind}/:id/wikis`]: {
    params: { title: (world: World) => `page-${world.unique()}`, content: () => 'Hello' },
    notAudited,
  },
  [`PUT /${kind}/:id/wikis/:slug`]: { params: { content: () => 'Hello again' }, notAudited },
  [`DELETE /${kind}/:id/wikis/:slug`]: { notAudited, unused: pageOf(kind) },
  [`POST /${kind}/:id/wikis/attachments`]: {
    namesOthers: 'a file',
    params: { file: () => new Blob(['Hello']) },
    notAudited,
  },
});

export default {
  records: {
    '/projects/:id/wikis/:slug': pageOf('projects'),
    '/groups/:id/wikis/:slug': pageOf('groups'),
  },
  requests: { ...requestsOf('projects'), ...requestsOf('groups') },
} satisfies AreaExamples;
