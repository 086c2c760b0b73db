import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { scalar } from '../../core/database/expressions.js';
import type { ContentRef } from '../../repositories/repositories/content-ref.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { snippetFiles } from './snippet-content.js';
import { Snippet } from './snippet.entity.js';

/** Keeps what files a snippet has once its repository was written to. */
export async function updateSnippetFiles(
  ctx: Context<Caller>,
  { kind, of }: ContentRef,
  to: string | null,
): Promise<void> {
  if (kind !== 'snippet') return;
  const file_paths = to === null ? [] : await snippetFiles(ctx, of, to);
  await ctx.em.nativeUpdate(Snippet, { id: of }, { file_paths, updated_at: ctx.clock.now() });
}

/** Updates the disk usage of a project's snippets, excluding the one that is about to be deleted. */
export async function countSnippetSizes(ctx: Context<Caller>, projectId: number, without = 0): Promise<void> {
  await ctx.em
    .getKysely<PlanningDatabase>()
    .updateTable('project_statistics as st')
    .set((eb) => ({
      snippets_size: scalar(
        eb
          .selectFrom('snippets as s')
          .innerJoin('content_repositories as c', 'c.snippet_id', 's.id')
          .select((of) => of.fn.coalesce(of.fn.sum<number>('c.size_bytes'), of.lit(0)).as('size'))
          .whereRef('s.project_id', '=', 'st.project_id')
          .where('s.id', '<>', without),
      ),
    }))
    .where('st.project_id', '=', projectId)
    .execute();
}

/** The same after the size of a snippet repository was measured; personal snippets count toward no project. */
export async function updateSnippetSize(ctx: Context<Caller>, { kind, of }: ContentRef): Promise<void> {
  if (kind !== 'snippet') return;
  const snippet = await ctx.em.findOne(Snippet, { id: of }, { fields: ['project_id'] });
  if (snippet?.project_id) await countSnippetSizes(ctx, snippet.project_id);
}
