import { gzipSync } from 'node:zlib';
import type { AreaExamples, PathValues } from '../../core/area-examples.js';
import type { World } from '../../core/world.js';

/** The group of the path is being made of an archive. */
async function beingImported({ app, people }: World, { id }: PathValues): Promise<void> {
  await app.services.db.pool.query(
    `insert into archive_imports (namespace_id, user_id, status, phase, created_at)
     values ($1, $2, 'started', 'reading', now())`,
    [id, people.author.id],
  );
}

export default {
  requests: {
    'POST /groups/import': {
      params: { file: () => new File([gzipSync('')], 'archive.tar.gz') },
      namesOthers: "a file whose name is no archive's",
      refusedToNobody: 401,
      ownForm: 'an acceptance, or the plan where that is asked for',
    },
    'GET /groups/:id/import': { ready: beingImported },
    'DELETE /groups/:id/import': { ready: beingImported },
  },
} satisfies AreaExamples;
