import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql, textColumns } from '../../core/sql.js';
import { ContentRepository } from './content-repository.entity.js';
import { isOfPlace } from './content-place.js';
import type { ContentPlace } from './content-place.js';

/** What is known of a repository; null where it was never made, or what it belongs to is gone. */
export const findContent = (ctx: Context<Caller>, place: ContentPlace): Promise<ContentRepository | null> =>
  ctx.queryOne<ContentRepository>(sql`
    select ${textColumns(ContentRepository, 'c')} from content_repositories c where ${isOfPlace(place)}`);

/** The same, locked against other writes until the transaction ends. */
export const lockContent = (ctx: Context<Caller>, place: ContentPlace): Promise<ContentRepository | null> =>
  ctx.queryOne<ContentRepository>(sql`
    select ${textColumns(ContentRepository, 'c')} from content_repositories c where ${isOfPlace(place)} for update`);

/** The same where nobody else holds it; null also where somebody does. */
export const lockFreeContent = (ctx: Context<Caller>, place: ContentPlace): Promise<ContentRepository | null> =>
  ctx.queryOne<ContentRepository>(sql`
    select ${textColumns(ContentRepository, 'c')} from content_repositories c where ${isOfPlace(place)}
       for update skip locked`);
