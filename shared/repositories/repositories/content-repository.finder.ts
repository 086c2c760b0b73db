import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { ContentRepository } from './content-repository.entity.js';
import { isOfContent } from './content-ref.js';
import type { ContentRef } from './content-ref.js';

const getContent = (ctx: Context<Caller>, content: ContentRef) =>
  ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('content_repositories as c')
    .select(columns(ContentRepository, 'c'))
    .where(isOfContent(content));

/** The record of a repository; null if it was never created, or its owner was deleted. */
export const findContent = async (ctx: Context<Caller>, content: ContentRef): Promise<ContentRepository | null> =>
  (await getContent(ctx, content).executeTakeFirst()) ?? null;

/** The same, locked against other writes until the transaction ends. */
export const lockContent = async (ctx: Context<Caller>, content: ContentRef): Promise<ContentRepository | null> =>
  (await getContent(ctx, content).forUpdate().executeTakeFirst()) ?? null;

/** The same, locked if it is free; null also if another transaction holds the lock. */
export const lockFreeContent = async (ctx: Context<Caller>, content: ContentRef): Promise<ContentRepository | null> =>
  (await getContent(ctx, content).forUpdate().skipLocked().executeTakeFirst()) ?? null;
