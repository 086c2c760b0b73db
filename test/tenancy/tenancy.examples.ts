import { sql } from 'kysely';
import type { AreaExamples, RecordExample, RequestExample } from '../core/area-examples.js';
import { auditEvent } from '../instance/instance.examples.js';
import { WALKED_ROLES } from '../core/sandbox.js';
import type { Sandbox } from '../core/sandbox.js';
import { queryOne } from '../core/query-one.js';

const namespaces = {
  records: {
    '/namespaces/:id': async (sandbox) => (await sandbox.group()).id,
  },
} satisfies AreaExamples;

const containers = {
  records: {
    '/groups/:id/audit_events/:audit_event_id': auditEvent('Group'),
    '/projects/:id/audit_events/:audit_event_id': auditEvent('Project'),
  },
  requests: {
    'GET /groups/:id/audit_events/:audit_event_id': { caller: ({ people }) => people.owner },
    'GET /projects/:id/audit_events/:audit_event_id': { caller: ({ people }) => people.owner },
  },
} satisfies AreaExamples;

/** A group of the author's, invited by a share. */
const sharedGroup =
  (container: 'projects' | 'groups'): RecordExample =>
  async (sandbox, { id }) => {
    const { id: invited } = await sandbox.otherGroup();
    await sandbox.post(`/${container}/${id}/share`, { group_id: invited, group_access: 10 });
    return invited;
  };

/** A group that everybody who calls has the same role in. */
const besideGroup: RequestExample = { params: { group_id: async (sandbox) => (await sandbox.otherGroup()).id } };

const shares = {
  records: {
    '/groups/:id/share/:group_id': sharedGroup('groups'),
    '/projects/:id/share/:group_id': sharedGroup('projects'),
  },
  requests: {
    'POST /groups/:id/share': besideGroup,
    'POST /projects/:id/share': besideGroup,
  },
} satisfies AreaExamples;

const projectStars = {
  requests: {
    'POST /projects/:id/unstar': {
      ready: async ({ app, people }, { id }) => {
        for (const user of [...WALKED_ROLES.map((role) => people[role]), people.admin])
          await app.as(user).post(`/projects/${id}/star`);
      },
    },
  },
  graphql: {
    fill: ({ app, user, project }) =>
      app.context().query(sql`
        insert into project_stars (project_id, user_id, created_at)
        values (${project.id}, ${user.id}, ${app.clock.now()})`),
  },
} satisfies AreaExamples;

const languages = {
  graphql: {
    fill: ({ app, project }) =>
      app.context().query(sql`
        insert into project_languages (project_id, name, bytes) values (${project.id}, 'Rust', 10)
        on conflict do nothing`),
  },
} satisfies AreaExamples;

/** An entry as a refused text leaves it. */
async function entry({ app, people }: Sandbox): Promise<number> {
  const now = app.clock.now();
  const row = await queryOne<{ id: number }>(
    app.context(),
    sql`
    insert into spam_logs (user_id, noteable_type, title, text, source_ip, user_agent, referer, verdict, challenged,
                           created_at, updated_at)
    values (${people.author.id}, 'Issue', 'Cheap', 'Buy', '192.0.2.1', 'test', '', 'disallow', false, ${now}, ${now})
    returning id as "id"`,
  );
  return row!.id;
}

const spam = {
  records: {
    '/admin/spam_logs/:id': entry,
  },
} satisfies AreaExamples;

export default [namespaces, containers, shares, projectStars, languages, spam] satisfies AreaExamples[];
