import type { Context } from '../../core/context/context.js';
import { anyIn, arrayFrom } from '../../core/database/expressions.js';
import { byId } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { onUsers, visibleUserSummaries } from '../../tenancy/users/user.finder.js';
import type { UserRecord } from '../../tenancy/users/user.entity.js';
import type { Noteable } from '../noteables/noteable.js';
import { onNotes } from '../noteables/on-notes.js';
import { visibleComments, isSystem, visibleNotes } from './visible-notes.js';

/** Who commented on a record, of the comments that the caller may read. */
export function findCommenters(ctx: Context, noteable: Noteable): List<UserRecord> {
  const authors = onNotes
    .selectFrom('notes as n')
    .select('n.author_id')
    .where(visibleComments(ctx, noteable))
    .$castTo<{ author_id: number }>();
  const list = visibleUserSummaries([onUsers('u.id', '=', anyIn(arrayFrom(authors)))]);
  return { ...list, order: [byId('u', 'asc')] };
}

/** Ids of users who wrote comments on a record or are mentioned in them, among those that the caller can read. */
export const participantsByNotes =
  <R>(noteableOf: (record: R) => Noteable) =>
  (ctx: Context, record: R) => {
    const visible = visibleNotes(ctx, noteableOf(record));
    const authors = onNotes
      .selectFrom('notes as n')
      .select('n.author_id as user_id')
      .where(visible)
      .where(onNotes.not(isSystem));
    const mentions = onNotes
      .selectFrom('notes as n')
      .innerJoin('note_mentions as m', 'm.note_id', 'n.id')
      .select('m.user_id')
      .where(visible);
    return authors.union(mentions);
  };
