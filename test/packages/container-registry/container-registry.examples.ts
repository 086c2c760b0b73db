import type { AreaExamples } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';
import { pushed } from './small-registry.js';

/** A repository of a project, with one tag. */
async function getRepository(sandbox: Sandbox, id: string): Promise<number> {
  const { body } = await sandbox.app.as(sandbox.people.author).get(`/projects/${id}`);
  return pushed(sandbox.app, `${String(body.path_with_namespace).toLowerCase()}/image-${sandbox.unique()}`, ['v1']);
}

export default {
  records: {
    '/projects/:id/registry/repositories/:repository_id': (sandbox, { id = '' }) => getRepository(sandbox, id),
    '/projects/:id/registry/repositories/:repository_id/tags/:tag_name': async (sandbox, { repository_id }) => {
      const { body } = await sandbox.app.as(sandbox.people.author).get(`/registry/repositories/${repository_id}`);
      const tag = `v${sandbox.unique()}`;
      await pushed(sandbox.app, body.path as string, [tag]);
      return tag;
    },
    '/registry/repositories/:id': (sandbox) => getRepository(sandbox, String(sandbox.project.id)),
  },
  requests: {
    'GET /registry/repositories/:id': { anonymousStatus: 404 },
    'DELETE /projects/:id/registry/repositories/:repository_id/tags': {
      unused: (sandbox, { id = '' }) => getRepository(sandbox, id),
      params: { name_regex_delete: () => 'rc-.*' },
    },
  },
} satisfies AreaExamples;
