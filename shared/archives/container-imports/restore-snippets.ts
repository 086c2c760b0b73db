import type { Context, SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { constant } from '../../core/database/expressions.js';
import { firstActions } from '../../planning/snippets/snippet-files.js';
import { snippetRefusal, withSnippetAnswers } from '../../planning/snippets/snippet-content.js';
import { Snippet } from '../../planning/snippets/snippet.entity.js';
import { commitToContent } from '../../repositories/repositories/write-content.js';
import { actAsSender, holdImport } from '../archive-imports/import-state.js';
import { Failures } from '../archive-imports/failures.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { restoreContents } from './restore-contents.js';
import type { ContentImport } from './restore-contents.js';
import { projectContentBundle, projectRelationFile } from '../format/layout.js';
import { storedEntries } from '../staging/stage-archive.js';
import { stillTheirs } from './project-place.js';
import { restoreNotes } from '../restorers/restore-notes.js';
import { restoreAwards } from '../restorers/restore-issuables.js';
import {
  attribute,
  containerId,
  copiedRows,
  importedAuthor,
  integerAt,
  reserveIds,
  tables,
  time,
  timeAt,
} from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';

/** The relation of snippets. */
const SNIPPETS = 'snippets';

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

/** Snippets with what belongs to them, but for their files, which come from bundles afterwards. */
export const snippetRestorer: Restorer<RestoringProject> = {
  relation: SNIPPETS,
  async restore(restoring) {
    await insertSnippets(restoring);
    await restoreAwards(restoring, { relation: SNIPPETS, name: 'snippet' });
    await restoreNotes(restoring, { relation: SNIPPETS, name: 'snippet' });
  },
};

/** Rows `r` of the snippets of an import with what was made of them, as `s`. */
const madeSnippets = (ctx: Context, importId: number) =>
  tables({ ctx })
    .selectFrom('archive_import_rows as r')
    .innerJoin('snippets as s', 's.id', 'r.made_id')
    .where('r.import_id', '=', importId)
    .where('r.relation', '=', constant(SNIPPETS))
    .orderBy('r.line')
    .limit(1);

/** What was made of a snippet of the archive; null for one that was left out. */
async function madeSnippet(ctx: Context, importId: number, source: number): Promise<number | null> {
  const row = await madeSnippets(ctx, importId).select('s.id').where('r.source_id', '=', source).executeTakeFirst();
  return row?.id ?? null;
}

/** Writing its files changed a snippet now; it was changed when the archive says. */
async function keepUpdatedAt(ctx: Context, importId: number, snippetId: number): Promise<void> {
  await tables({ ctx })
    .updateTable('snippets as s')
    .from('archive_import_rows as r')
    .set(({ fn }) => ({ updated_at: fn.coalesce(timeAt('r.data', 'updated_at'), 's.updated_at') }))
    .where('r.import_id', '=', importId)
    .where('r.relation', '=', constant(SNIPPETS))
    .whereRef('r.made_id', '=', 's.id')
    .where('s.id', '=', snippetId)
    .execute();
}

const contentsOf = (reader: Context, found: RunningImport, projectId: number): ContentImport => ({
  entries: () => storedEntries(reader, found),
  bundleOf: projectContentBundle,
  async locate(ctx, { snippet }) {
    if (snippet === null) return { kind: 'project_wiki', of: projectId };
    const of = await madeSnippet(ctx, found.id, snippet);
    return of === null ? null : { kind: 'snippet', of };
  },
  requireRights: (ctx) => stillTheirs(ctx, projectId),
  async adopted(ctx, { kind, of }) {
    if (kind === 'snippet') await keepUpdatedAt(ctx, found.id, of);
  },
  rejection: ({ path, sha }, { snippet }) => (snippet === null ? Promise.resolve(null) : snippetRefusal(path, sha)),
});

/** A snippet that no bundle brought files for. */
interface BareSnippet {
  id: number;
  line: number;
  content: string | null;
  file_name: string | null;
}

const nextBare = (ctx: Context, importId: number, id: number | null = null): Promise<BareSnippet | undefined> =>
  madeSnippets(ctx, importId)
    .select(['s.id', 'r.line', attribute('content').as('content'), attribute('file_name').as('file_name')])
    .$if(id !== null, (query) => query.where('s.id', '=', id))
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('content_repositories as c')
            .select('c.id')
            .whereRef('c.snippet_id', '=', 's.id')
            .where('c.head_sha', 'is not', null),
        ),
      ),
    )
    .executeTakeFirst();

/** Writes the only file of a snippet. @returns whether the archive has one that a snippet may have */
async function writeFile(ctx: SignedInContext, { id, content, file_name }: BareSnippet): Promise<boolean> {
  if (content === null) return false;
  try {
    const actions = firstActions({ content, file_name: file_name ?? undefined });
    await withSnippetAnswers(() =>
      commitToContent(ctx, { kind: 'snippet', of: id }, { message: 'Initial commit', actions }),
    );
    return true;
  } catch (error) {
    if (error instanceof Invalid) return false;
    throw error;
  }
}

/** A snippet without files is none. */
async function leaveOut(ctx: SignedInContext, found: RunningImport, { id, line }: BareSnippet): Promise<void> {
  await ctx.em.nativeDelete(Snippet, { id });
  await tables({ ctx })
    .updateTable('archive_import_rows')
    .set({ made_id: null })
    .where('import_id', '=', found.id)
    .where('relation', '=', SNIPPETS)
    .where('line', '=', line)
    .execute();
  await tables({ ctx })
    .updateTable('archive_import_relations')
    .set((eb) => ({ imported: eb('imported', '-', constant(1)), skipped: eb('skipped', '+', constant(1)) }))
    .where('import_id', '=', found.id)
    .where('relation', '=', SNIPPETS)
    .execute();
  const failures = new Failures(found);
  const reason = 'The snippet is left out: the archive has no files of it that a snippet may have.';
  failures.add({ file: projectRelationFile(SNIPPETS), line, relation: SNIPPETS, reason });
  await failures.store(ctx);
}

/** Gives snippets without a bundle the file that their row has; one without that is left out. */
async function finishSnippets(ctx: Context, found: RunningImport, projectId: number): Promise<void> {
  for (let bare = await nextBare(ctx, found.id); bare; bare = await nextBare(ctx, found.id)) {
    ctx.signal.throwIfAborted();
    const next = bare;
    await ctx.transaction(async () => {
      await holdImport(ctx, found);
      const acting = await actAsSender(ctx, found.user_id);
      await stillTheirs(acting, projectId);
      // Of two tries at once the later one finds it done.
      await tables({ ctx }).selectFrom('snippets').select('id').where('id', '=', next.id).forUpdate().execute();
      if (!(await nextBare(acting, found.id, next.id))) return;
      if (await writeFile(acting, next)) await keepUpdatedAt(acting, found.id, next.id);
      else await leaveOut(acting, found, next);
    });
  }
}

/**
 * Restores the wiki of a project and the files of its snippets, once those are there. Safe to go on with after a
 * crash.
 * @param folder of the import, for bundles while they are read
 * @throws ImportAborted, ArchiveRejected
 */
export async function restoreProjectContents(
  ctx: Context,
  found: RunningImport,
  projectId: number,
  folder: string,
): Promise<void> {
  await restoreContents(ctx, found, contentsOf(ctx, found, projectId), folder);
  await finishSnippets(ctx, found, projectId);
}
