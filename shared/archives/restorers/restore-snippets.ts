import { constant } from '../../core/database/expressions.js';
import {
  attribute,
  containerId,
  copiedRows,
  importedAuthor,
  integerAt,
  reserveIds,
  tables,
  time,
} from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';
import { restoreAwards } from './restore-issuables.js';
import { restoreNotes } from './restore-notes.js';

/** The relation of snippets. */
export const SNIPPETS = 'snippets';

async function insertSnippets(restoring: RestoringProject): Promise<void> {
  const level = integerAt('r.data', 'visibility_level');
  await reserveIds(restoring, SNIPPETS, 'snippets');
  await tables(restoring)
    .insertInto('snippets')
    .columns([
      ...(['id', 'project_id', 'author_id', 'title', 'description', 'visibility'] as const),
      ...(['created_at', 'updated_at'] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom('archive_import_rows as r')
        .select([
          'r.made_id',
          containerId(restoring).as('project_id'),
          importedAuthor(restoring).as('author_id'),
          attribute('title').as('title'),
          attribute('description').as('description'),
          eb
            .case()
            .when(level, '=', constant(20))
            .then(constant('public'))
            .when(level, '=', constant(10))
            .then(constant('internal'))
            .else(constant('private'))
            .end()
            .as('visibility'),
          time(restoring, 'created_at').as('created_at'),
          time(restoring, 'updated_at').as('updated_at'),
        ])
        .where(copiedRows(restoring, SNIPPETS))
        .orderBy('r.line'),
    )
    .execute();
}

/** Snippets with everything that belongs to them, except their files, which are restored from bundles afterwards. */
export const snippetRestorer: Restorer<RestoringProject> = {
  relation: SNIPPETS,
  async restore(restoring) {
    await insertSnippets(restoring);
    await restoreAwards(restoring, { relation: SNIPPETS, name: 'snippet' });
    await restoreNotes(restoring, { relation: SNIPPETS, name: 'snippet' });
  },
};
