import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { ContentPlace } from '../../repositories/content-repositories/content-place.js';
import { snippetFiles } from './snippet-content.js';
import { Snippet } from './snippet.entity.js';

/** Keeps what files a snippet has once its repository was written to. */
export async function followSnippetContent(
  ctx: Context<Caller>,
  { kind, of }: ContentPlace,
  to: string | null,
): Promise<void> {
  if (kind !== 'snippet') return;
  const file_paths = to === null ? [] : await snippetFiles(ctx, of, to);
  await ctx.em.nativeUpdate(Snippet, { id: of }, { file_paths, updated_at: ctx.clock.now() });
}

/** Keeps what the snippets of a project take on disk, without the one that is about to go. */
export async function countSnippetSizes(ctx: Context<Caller>, projectId: number, without = 0): Promise<void> {
  await ctx.query(sql`
    update project_statistics st set snippets_size = (
      select coalesce(sum(c.size_bytes), 0)
        from snippets s join content_repositories c on c.snippet_id = s.id
       where s.project_id = st.project_id and s.id <> ${without})
     where st.project_id = ${projectId}`);
}

/** The same after the repository of one of them was counted; personal ones are nobody's. */
export async function followSnippetSize(ctx: Context<Caller>, { kind, of }: ContentPlace): Promise<void> {
  if (kind !== 'snippet') return;
  const row = await ctx.queryOne<{ project_id: number | null }>(
    sql`select s.project_id as "project_id" from snippets s where s.id = ${of}`,
  );
  if (row?.project_id) await countSnippetSizes(ctx, row.project_id);
}
