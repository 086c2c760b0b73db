import type { AreaExamples, RecordExample } from '../../core/area-examples.js';

/** A group has five tiers and no more: it is protected once, and then found again. */
const protectedIn =
  (container: 'projects' | 'groups'): RecordExample =>
  async (world, { id }) => {
    const name = container === 'groups' ? 'production' : `kept-${world.unique()}`;
    const given = { name, deploy_access_levels: [{ access_level: 40 }] };
    const path = `/${container}/${id}/protected_environments`;
    const { status } = await world.app.as(world.people.author).get(`${path}/${name}`);
    if (status === 404) await world.post(path, given);
    return name;
  };

const edit = { required_approval_count: 2 };

export default {
  records: {
    '/projects/:id/protected_environments/:name': protectedIn('projects'),
    '/groups/:id/protected_environments/:name': protectedIn('groups'),
  },
  requests: {
    'POST /groups/:id/protected_environments': {
      params: {
        name: () => 'staging',
        deploy_access_levels: () => [{ access_level: 40 }],
      },
      ready: async (world, { id }) => {
        await world.app.as(world.people.admin).delete(`/groups/${id}/protected_environments/staging`);
      },
    },
    'POST /projects/:id/protected_environments': {
      params: {
        name: (world) => `made-${world.unique()}`,
        deploy_access_levels: () => [{ access_level: 40 }],
      },
    },
    'PUT /projects/:id/protected_environments/:name': { edit },
    'PUT /groups/:id/protected_environments/:name': { edit },
  },
} satisfies AreaExamples;
