import type { Context, SignedInContext } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { openObject } from '../../core/stored-files/storing.js';
import { Invalid } from '../../core/values/errors.js';
import { importBundle } from '../../git/index.js';
import { findSnippetRejection, withSnippetAnswers } from '../../planning/snippets/snippet-content.js';
import { firstActions } from '../../planning/snippets/snippet-files.js';
import { Snippet } from '../../planning/snippets/snippet.entity.js';
import { importRepository } from '../../repositories/project-imports/import-repository.js';
import { commitToContent } from '../../repositories/repositories/write-content.js';
import { Failures } from '../archive-imports/failures.js';
import { withImportFolder } from '../archive-imports/import-folder.js';
import { actAsSender, holdImport, ImportAborted } from '../archive-imports/import-state.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { attribute, tables, timeAt } from '../archive-imports/restoring.js';
import { notificationOfImport } from '../archives.pages.js';
import { contentBundles, PROJECT_BUNDLE, projectRelationFile, WIKI } from '../format/layout.js';
import { readEntries } from '../read/entries.js';
import { SNIPPETS } from '../restorers/restore-snippets.js';
import { archiveLimits, storedArchive, storedEntries } from '../staging/stage-archive.js';
import { requireImportedGroup, requireImportedProject } from './import-target.js';
import { bundleProblem, extractEntry, restoreContents } from './restore-contents.js';
import type { ContentImport } from './restore-contents.js';

/** The id of the group created for a group of the archive; null if it was left out. */
async function findRestoredGroup(ctx: Context, importId: number, source: number): Promise<number | null> {
  const row = await tables({ ctx })
    .selectFrom('archive_import_groups as g')
    .select('g.group_id')
    .where('g.import_id', '=', importId)
    .where('g.source_id', '=', source)
    .where('g.status', '=', 'done')
    .executeTakeFirst();
  return row?.group_id ?? null;
}

/** The wikis of groups. */
const groupContents = (reader: Context, found: RunningImport): ContentImport => ({
  entries: () => storedEntries(reader, found),
  bundleOf: contentBundles.group,
  async locate(ctx, { group }) {
    const of = await findRestoredGroup(ctx, found.id, group);
    return of === null ? null : { kind: 'group_wiki', of };
  },
  requireRights: (ctx) => requireImportedGroup(ctx, found.namespace_id),
  adopted: () => Promise.resolve(),
  rejection: () => Promise.resolve(null),
});

/** Notes that all wikis of the archive are left out. */
async function countSkipped(ctx: Context, importId: number): Promise<void> {
  await tables({ ctx })
    .updateTable('archive_import_relations as p')
    .set((eb) => ({ skipped: eb.ref('p.total') }))
    .where('p.import_id', '=', importId)
    .where('p.relation', '=', WIKI)
    .execute();
}

/**
 * Restores the wikis of an archive's groups, once those are there, where the plan has wikis of groups
 * (group-export-import.md section 4.13). Safe to go on with after a crash.
 * @throws ImportAborted, ArchiveRejected
 */
export async function restoreGroupWikis(ctx: Context, found: RunningImport): Promise<void> {
  if (!ctx.hasPlan('premium')) return countSkipped(ctx, found.id);
  await withImportFolder(ctx, found.id, (folder) => restoreContents(ctx, found, groupContents(ctx, found), folder));
}

/** Rows `r` of the snippets of an import with the created snippets as `s`. */
const restoredSnippets = (ctx: Context, importId: number) =>
  tables({ ctx })
    .selectFrom('archive_import_rows as r')
    .innerJoin('snippets as s', 's.id', 'r.made_id')
    .where('r.import_id', '=', importId)
    .where('r.relation', '=', constant(SNIPPETS))
    .orderBy('r.line')
    .limit(1);

/** The id of the snippet created for a snippet of the archive; null if it was left out. */
async function findRestoredSnippet(ctx: Context, importId: number, source: number): Promise<number | null> {
  const row = await restoredSnippets(ctx, importId).select('s.id').where('r.source_id', '=', source).executeTakeFirst();
  return row?.id ?? null;
}

/** Resets a snippet's update time to that in the archive, because writing its files has changed it. */
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

/** The wiki of a project and the repositories of its snippets. */
const projectContents = (reader: Context, found: RunningImport, projectId: number): ContentImport => ({
  entries: () => storedEntries(reader, found),
  bundleOf: contentBundles.project,
  async locate(ctx, { snippet }) {
    if (snippet === null) return { kind: 'project_wiki', of: projectId };
    const of = await findRestoredSnippet(ctx, found.id, snippet);
    return of === null ? null : { kind: 'snippet', of };
  },
  requireRights: (ctx) => requireImportedProject(ctx, projectId),
  async adopted(ctx, { kind, of }) {
    if (kind === 'snippet') await keepUpdatedAt(ctx, found.id, of);
  },
  rejection: ({ path, sha }, { snippet }) =>
    snippet === null ? Promise.resolve(null) : findSnippetRejection(path, sha),
});

/** A snippet without files from a bundle. */
interface BareSnippet {
  id: number;
  line: number;
  content: string | null;
  file_name: string | null;
}

const nextBare = (ctx: Context, importId: number, id: number | null = null): Promise<BareSnippet | undefined> =>
  restoredSnippets(ctx, importId)
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
      await requireImportedProject(acting, projectId);
      // Of two tries at once the later one finds it done.
      await tables({ ctx }).selectFrom('snippets').select('id').where('id', '=', next.id).forUpdate().execute();
      if (!(await nextBare(acting, found.id, next.id))) return;
      if (await writeFile(acting, next)) await keepUpdatedAt(acting, found.id, next.id);
      else await leaveOut(acting, found, next);
    });
  }
}

/** Writes the bundle of the archive's repository to a file. @returns its path; null where there is none */
async function extractBundle(ctx: Context, found: RunningImport, folder: string): Promise<string | null> {
  const archive = await storedArchive(ctx, found);
  for await (const entry of readEntries(await openObject(ctx, archive), archiveLimits(ctx)))
    // Not before it is written: the entries end with the loop.
    if (entry.name === PROJECT_BUNDLE) return await extractEntry(entry, folder, 'project.bundle');
  return null;
}

/** What progress calls it. */
const RELATION = 'repository';

/** Whether an earlier try imported it. */
async function isThere(ctx: Context, importId: number): Promise<boolean> {
  const row = await tables({ ctx })
    .selectFrom('archive_import_relations as p')
    .select('p.restored')
    .where('p.import_id', '=', importId)
    .where('p.relation', '=', RELATION)
    .where('p.restored', '=', true)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that it is being imported; false where another try has done so. */
async function claimRepository(ctx: Context, found: RunningImport): Promise<boolean> {
  await holdImport(ctx, found);
  const { id: import_id, namespace_id } = found;
  const whole = { total: 1, imported: 1, restored: true, skipped: 0, prepared: false, restored_through: 0 };
  const rows = await tables({ ctx })
    .insertInto('archive_import_relations')
    .values({ import_id, namespace_id, relation: RELATION, ...whole })
    .onConflict((conflict) => conflict.columns(['import_id', 'relation']).doNothing())
    .returning(notificationOfImport('archive_import_relations.import_id'))
    .execute();
  return rows.length > 0;
}

/**
 * Restores the repository of an archive, if it has one. Safe to repeat; can resume after a crash.
 * @param folder of the import, for the bundle while it is read
 * @param branch preferred default branch
 * @throws ImportAborted for a rejected bundle
 */
async function restoreRepository(
  ctx: Context,
  found: RunningImport,
  projectId: number,
  { folder, branch }: { folder: string; branch: string | null },
): Promise<void> {
  if (await isThere(ctx, found.id)) return;
  try {
    const file = await extractBundle(ctx, found, folder);
    if (file === null) return;
    const fill = async (draft: string) => {
      await importBundle(file, draft, ctx.signal, { others: true });
      return { wished: [branch, 'main', 'master'] };
    };
    await importRepository(ctx, projectId, fill, () => claimRepository(ctx, found));
  } catch (error) {
    const problem = bundleProblem(error);
    if (problem === null) throw error;
    ctx.log.info({ err: error, project_id: projectId }, 'project_import.bundle_refused');
    throw new ImportAborted(`The repository of the archive ${problem}`);
  }
}

/**
 * Restores the wiki of a project, the files of its snippets, once those are there, and the repository. Safe to go on with
 * after a crash.
 * @param branch preferred as the default one
 * @throws ImportAborted, ArchiveRejected
 */
export const restoreProjectRepositories = (
  ctx: Context,
  found: RunningImport,
  projectId: number,
  branch: string | null,
): Promise<void> =>
  withImportFolder(ctx, found.id, async (folder) => {
    await restoreContents(ctx, found, projectContents(ctx, found, projectId), folder);
    await finishSnippets(ctx, found, projectId);
    await restoreRepository(ctx, found, projectId, { folder, branch });
  });
