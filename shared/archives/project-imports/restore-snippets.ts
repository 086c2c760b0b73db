import type { Context, SignedInContext } from '../../core/context.js';
import { Invalid } from '../../core/errors.js';
import { sql } from '../../core/sql.js';
import { firstActions } from '../../planning/snippets/snippet-files.js';
import { snippetRefusal, withSnippetAnswers } from '../../planning/snippets/snippet-content.js';
import { Snippet } from '../../planning/snippets/snippet.entity.js';
import { commitToContent } from '../../repositories/content-repositories/write-content.js';
import { actAsSender, holdImport } from '../archive-imports/import-state.js';
import { Failures } from '../archive-imports/failures.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { restoreContents } from '../archive-imports/restore-contents.js';
import type { ContentImport } from '../archive-imports/restore-contents.js';
import { projectContentBundle, projectRelationFile } from '../format/layout.js';
import { storedEntries } from '../staging/stage-archive.js';
import { stillTheirs } from './project-place.js';
import { restoreNotes } from './restore-notes.js';
import {
  elementsOf,
  elementTime,
  importedAuthor,
  rowsOfRelation,
  timeOf,
  userOf,
} from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';

/** The relation of snippets. */
const SNIPPETS = 'snippets';

async function insertSnippets(restoring: RestoringProject): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  await ctx.query(sql`
    update archive_import_rows r set made_id = nextval(pg_get_serial_sequence('snippets', 'id'))
     where ${rowsOfRelation(restoring, SNIPPETS)}`);
  await ctx.query(sql`
    insert into snippets (id, project_id, author_id, title, description, visibility, created_at, updated_at)
    select r.made_id, ${project.id}::bigint, ${importedAuthor(restoring, sql`(r.data ->> 'author_id')::bigint`)},
           r.data ->> 'title', r.data ->> 'description',
           case (r.data ->> 'visibility_level')::integer when 20 then 'public' when 10 then 'internal' else 'private' end,
           ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
      from archive_import_rows r where ${rowsOfRelation(restoring, SNIPPETS)} order by r.line`);
}

async function restoreAwards(restoring: RestoringProject): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  const user = userOf(restoring, sql`(e.data ->> 'user_id')::bigint`);
  await ctx.query(sql`
    insert into snippet_award_emojis (project_id, snippet_id, user_id, name, created_at, updated_at)
    select distinct on (x.made_id, x.user_id, x.name) ${project.id}::bigint, x.made_id, x.user_id, x.name, x.time, x.time
      from (select r.made_id, ${user} as user_id, e.data ->> 'name' as name, ${elementTime(restoring)} as time
              from ${elementsOf(restoring, SNIPPETS, 'award_emoji')}) x
     where x.user_id is not null order by x.made_id, x.user_id, x.name`);
}

/** Snippets with what belongs to them, but for their files, which come from bundles afterwards. */
export const snippetRestorer: Restorer<RestoringProject> = {
  relation: SNIPPETS,
  async restore(restoring) {
    await insertSnippets(restoring);
    await restoreAwards(restoring);
    await restoreNotes(restoring, { relation: SNIPPETS, name: 'snippet' });
  },
};

/** What was made of a snippet of the archive; null for one that was left out. */
async function madeSnippet(ctx: Context, importId: number, source: number): Promise<number | null> {
  const row = await ctx.queryOne<{ id: number }>(sql`
    select r.made_id as "id" from archive_import_rows r join snippets s on s.id = r.made_id
     where r.import_id = ${importId} and r.relation = ${SNIPPETS} and r.source_id = ${source} order by r.line limit 1`);
  return row?.id ?? null;
}

/** Writing its files changed a snippet now; it was changed when the archive says. */
async function keepUpdatedAt(ctx: Context, importId: number, snippetId: number): Promise<void> {
  await ctx.query(sql`
    update snippets s set updated_at = coalesce((r.data ->> 'updated_at')::timestamptz, s.updated_at)
      from archive_import_rows r
     where r.import_id = ${importId} and r.relation = ${SNIPPETS} and r.made_id = s.id and s.id = ${snippetId}`);
}

const contentsOf = (reader: Context, found: RunningImport, projectId: number): ContentImport => ({
  entries: () => storedEntries(reader, found),
  bundleOf: projectContentBundle,
  async placeOf(ctx, { snippet }) {
    if (snippet === null) return { kind: 'project_wiki', of: projectId };
    const of = await madeSnippet(ctx, found.id, snippet);
    return of === null ? null : { kind: 'snippet', of };
  },
  requireRights: (ctx) => stillTheirs(ctx, projectId),
  async adopted(ctx, { kind, of }) {
    if (kind === 'snippet') await keepUpdatedAt(ctx, found.id, of);
  },
  refusal: ({ path, sha }, { snippet }) => (snippet === null ? Promise.resolve(null) : snippetRefusal(path, sha)),
});

/** A snippet that no bundle brought files for. */
interface BareSnippet {
  id: number;
  line: number;
  content: string | null;
  file_name: string | null;
}

const nextBare = (ctx: Context, importId: number, id: number | null = null) =>
  ctx.queryOne<BareSnippet>(sql`
    select s.id as "id", r.line as "line", r.data ->> 'content' as "content", r.data ->> 'file_name' as "file_name"
      from archive_import_rows r join snippets s on s.id = r.made_id
     where r.import_id = ${importId} and r.relation = ${SNIPPETS} and (${id}::bigint is null or s.id = ${id})
       and not exists (select 1 from content_repositories c where c.snippet_id = s.id and c.head_sha is not null)
     order by r.line limit 1`);

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
  // Plain SQL: the tables have no entities, for nobody is shown their rows.
  await ctx.query(sql`
    update archive_import_rows r set made_id = null
     where r.import_id = ${found.id} and r.relation = ${SNIPPETS} and r.line = ${line}`);
  await ctx.query(sql`
    update archive_import_relations p set imported = p.imported - 1, skipped = p.skipped + 1
     where p.import_id = ${found.id} and p.relation = ${SNIPPETS}`);
  const failures = new Failures(found);
  const reason = 'The snippet is left out: the archive has no files of it that a snippet may have.';
  failures.add({ file: projectRelationFile(SNIPPETS), line, relation: SNIPPETS, reason });
  await failures.store(ctx);
}

/** Gives snippets without a bundle the file that their row tells; one without that is left out. */
async function finishSnippets(ctx: Context, found: RunningImport, projectId: number): Promise<void> {
  for (let bare = await nextBare(ctx, found.id); bare; bare = await nextBare(ctx, found.id)) {
    ctx.signal.throwIfAborted();
    const next = bare;
    await ctx.transaction(async () => {
      await holdImport(ctx, found);
      const acting = await actAsSender(ctx, found.user_id);
      await stillTheirs(acting, projectId);
      // Of two tries at once the later one finds it done.
      await ctx.query(sql`select 1 from snippets s where s.id = ${next.id} for update`);
      if (!(await nextBare(acting, found.id, next.id))) return;
      if (await writeFile(acting, next)) await keepUpdatedAt(acting, found.id, next.id);
      else await leaveOut(acting, found, next);
    });
  }
}

/**
 * Brings back the wiki of a project and the files of its snippets, once those are there. Safe to go on with after a
 * crash.
 * @param folder of the import, for bundles while they are read
 * @throws ImportEnded, ArchiveRefused
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
