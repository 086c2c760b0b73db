import { sql } from 'kysely';
import type { AreaExamples, RecordExample, RequestExample } from '../../core/area-examples.js';

const getMember =
  (container: 'projects' | 'groups'): RecordExample =>
  async (sandbox, { id }) =>
    (await sandbox.post(`/${container}/${id}/members`, { user_id: (await sandbox.user()).id, access_level: 10 })).id;

const newMember: RequestExample = {
  params: { user_id: async (sandbox) => (await sandbox.user()).id, access_level: () => 30 },
};

export default {
  records: {
    '/groups/:id/members/:user_id': getMember('groups'),
    '/groups/:id/members/all/:user_id': getMember('groups'),
    '/projects/:id/members/:user_id': getMember('projects'),
    '/projects/:id/members/all/:user_id': getMember('projects'),
  },
  requests: {
    'POST /groups/:id/members': newMember,
    'PUT /groups/:id/members/:user_id': { edit: { access_level: 30 } },
    'POST /projects/:id/members': newMember,
    'PUT /projects/:id/members/:user_id': { edit: { access_level: 30 } },
  },
  graphql: {
    fill: async ({ app, admin }) => {
      const ctx = app.context();
      await ctx.query(sql`update group_members set created_by_id = ${admin.id} where created_by_id is null`);
      await ctx.query(sql`update project_members set created_by_id = ${admin.id} where created_by_id is null`);
    },
  },
} satisfies AreaExamples;
