import { gzipSync } from 'node:zlib';
import type { AreaExamples, PathValues, RequestExample } from '../core/area-examples.js';
import type { Sandbox } from '../core/sandbox.js';

/** Marks the group of the path as being imported from an archive. */
async function groupBeingImported({ app, people }: Sandbox, { id }: PathValues): Promise<void> {
  await app.services.db.pool.query(
    `insert into archive_imports (namespace_id, user_id, status, phase, created_at)
     values ($1, $2, 'started', 'reading', now())`,
    [id, people.author.id],
  );
}

const groupImports = {
  requests: {
    'POST /groups/import': {
      params: { file: () => new File([gzipSync('')], 'archive.tar.gz') },
      namesOthers: "a file whose name is no archive's",
      anonymousStatus: 401,
      ownForm: 'an acceptance, or the plan where that is asked for',
    },
    'GET /groups/:id/import': { ready: groupBeingImported },
    'DELETE /groups/:id/import': { ready: groupBeingImported },
  },
} satisfies AreaExamples;

const projectImports = {
  requests: {
    'POST /projects/import': {
      params: { file: () => new File([gzipSync('')], 'archive.tar.gz') },
      namesOthers: "a file whose name is no archive's",
      anonymousStatus: 401,
    },
  },
} satisfies AreaExamples;

/** The project of the path is being filled from an archive. */
async function projectBeingImported({ app, people }: Sandbox, { id }: PathValues): Promise<void> {
  await app.services.db.pool.query(
    `insert into archive_imports (namespace_id, project_id, user_id, status, phase, created_at)
     select p.namespace_id, p.id, $2, 'started', 'reading', now() from projects p where p.id = $1`,
    [id, people.author.id],
  );
}

const projectImportStatus = {
  requests: { 'DELETE /projects/:id/import': { ready: projectBeingImported } },
} satisfies AreaExamples;

const requestExport = async (sandbox: Sandbox, { id }: PathValues) => {
  await sandbox.post(`/groups/${id}/export_relations`, {});
  await sandbox.app.work();
};

const download: RequestExample = {
  // An export is its requester's alone.
  caller: ({ people }) => people.author,
  params: { relation: () => 'labels' },
  ready: requestExport,
  ownForm: 'a file',
};

const relationExports = {
  requests: { 'GET /groups/:id/export_relations/download': download },
} satisfies AreaExamples;

const importPlans = {
  records: {
    '/import_plans/:plan_id': async ({ app, people }) => {
      const { rows } = await app.services.db.pool.query<{ id: number }>(
        `insert into import_plans (user_id, kind, input, status, created_at)
         values ($1, 'project', '{}', 'waiting', $2) returning id::int as id`,
        [people.author.id, app.clock.now()],
      );
      return rows[0]!.id;
    },
  },
  requests: { 'GET /import_plans/:plan_id': { caller: ({ people }) => people.author } },
} satisfies AreaExamples;

export default [
  groupImports,
  projectImports,
  projectImportStatus,
  relationExports,
  importPlans,
] satisfies AreaExamples[];
