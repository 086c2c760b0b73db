import type { AreaExamples } from '../../core/area-examples.js';
import type { World } from '../../core/world.js';
import { pushed } from './small-registry.js';

/** A repository of a project, with one tag. */
async function getRepository(world: World, id: string): Promise<number> {
  const { body } = await world.app.as(world.people.author).get(`/projects/${id}`);
  return pushed(world.app, `${String(body.path_with_namespace).toLowerCase()}/image-${world.unique()}`, ['v1']);
}

export default {
  records: {
    '/projects/:id/registry/repositories/:repository_id': (world, { id = '' }) => getRepository(world, id),
    '/projects/:id/registry/repositories/:repository_id/tags/:tag_name': async (world, { repository_id }) => {
      const { body } = await world.app.as(world.people.author).get(`/registry/repositories/${repository_id}`);
      const tag = `v${world.unique()}`;
      await pushed(world.app, body.path as string, [tag]);
      return tag;
    },
    '/registry/repositories/:id': (world) => getRepository(world, String(world.project.id)),
  },
  requests: {
    'GET /registry/repositories/:id': { anonymousStatus: 404 },
    'DELETE /projects/:id/registry/repositories/:repository_id/tags': {
      unused: (world, { id = '' }) => getRepository(world, id),
      params: { name_regex_delete: () => 'rc-.*' },
    },
  },
} satisfies AreaExamples;
