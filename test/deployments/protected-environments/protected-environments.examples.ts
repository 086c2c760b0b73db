import { sql } from 'kysely';
import type { AreaExamples, RecordExample } from '../../core/area-examples.js';

/** A group has only five tiers: it is protected once, and reused afterwards. */
const protectedIn =
  (container: 'projects' | 'groups'): RecordExample =>
  async (sandbox, { id }) => {
    const name = container === 'groups' ? 'production' : `kept-${sandbox.unique()}`;
    const attributes = { name, deploy_access_levels: [{ access_level: 40 }] };
    const path = `/${container}/${id}/protected_environments`;
    const { status } = await sandbox.app.as(sandbox.people.author).get(`${path}/${name}`);
    if (status === 404) await sandbox.post(path, attributes);
    return name;
  };

const edit = { required_approval_count: 2 };

export default {
  needs: [{ path: /\/protected_environments(\/|$)/, plan: 'premium' }],
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
      ready: async (sandbox, { id }) => {
        await sandbox.app.as(sandbox.people.admin).delete(`/groups/${id}/protected_environments/staging`);
      },
    },
    'POST /projects/:id/protected_environments': {
      params: {
        name: (sandbox) => `made-${sandbox.unique()}`,
        deploy_access_levels: () => [{ access_level: 40 }],
      },
    },
    'PUT /projects/:id/protected_environments/:name': { edit },
    'PUT /groups/:id/protected_environments/:name': { edit },
  },
  graphql: {
    // An entry refers to a role, a user or a group, and a protected environment belongs to a project or to a group.
    fill: async ({ app, admin, above, project, index }) => {
      const path = index % 2 === 0 ? `/projects/${project.id}` : `/groups/${project.namespace_id}`;
      await app.as(admin).post(`${path}/protected_environments`, {
        name: index % 2 === 0 ? 'review/app' : 'development',
        deploy_access_levels: [{ access_level: 40 }],
        approval_rules: [{ access_level: 40 }],
      });
      // Of the two newest of a hundred one names a user, the other one a group.
      const [user, groupId] = [index % 3 === 0 ? admin.id : null, index % 3 === 2 ? above.id : null];
      for (const table of ['deploy_levels', 'approval_rules'])
        await app.context().query(sql`
          update ${sql.raw(`protected_environment_${table}`)} l
             set access_level = ${index % 3 === 1 ? 40 : null}::int, user_id = ${user}::bigint, group_id = ${groupId}::bigint
            from protected_environments pe
           where pe.id = l.protected_environment_id
             and (pe.project_id = ${project.id} or pe.namespace_id = ${project.namespace_id})`);
    },
    ofSome: [
      'ProtectedEnvironment.project',
      'ProtectedEnvironment.group',
      ...['DeployAccessLevel', 'ApprovalRule'].flatMap((of) =>
        ['accessLevel', 'user', 'group'].map((field) => `ProtectedEnvironment${of}.${field}`),
      ),
    ],
  },
} satisfies AreaExamples;
