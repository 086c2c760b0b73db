import type { AreaExamples, PathValues } from '../../core/area-examples.js';
import type { World } from '../../core/world.js';

/** The project of the path is being filled from an archive. */
async function beingImported({ app, people }: World, { id }: PathValues): Promise<void> {
  await app.services.db.pool.query(
    `insert into archive_imports (namespace_id, project_id, user_id, status, phase, created_at)
     select p.namespace_id, p.id, $2, 'started', 'reading', now() from projects p where p.id = $1`,
    [id, people.author.id],
  );
}

export default {
  requests: { 'DELETE /projects/:id/import': { ready: beingImported } },
} satisfies AreaExamples;
