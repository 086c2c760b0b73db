import type { Context } from '../../core/context.js';
import { load } from '../../core/loads.js';
import { raw, sql } from '../../core/sql.js';
import { namespaceAccess, projectAccess, today } from '../../tenancy/access/access.js';
import type { NoteRecord } from './note.record.js';

interface Access {
  author_id: number;
  container_id: number;
  access: number;
}

/** The roles of users in projects, or in groups. */
function accessOf(ctx: Context, notes: readonly Readonly<NoteRecord>[], kind: 'project' | 'group'): Promise<Access[]> {
  const own = notes.filter(({ author_id: id, noteable }) => id && noteable.container.kind === kind);
  if (own.length === 0) return Promise.resolve([]);
  const user = raw('asked.author_id');
  const authors = own.map(({ author_id: id }) => id);
  const containers = own.map(({ noteable }) => noteable.container.id);
  const [tables, access] =
    kind === 'project'
      ? [
          sql`join projects p on p.id = asked.container_id join namespaces n on n.id = p.namespace_id`,
          projectAccess(user, today(ctx)),
        ]
      : [sql`join namespaces n on n.id = asked.container_id`, namespaceAccess(user, today(ctx))];
  return ctx.query<Access>(sql`
    select asked.author_id as "author_id", asked.container_id as "container_id", ${access} as "access"
      from (select distinct * from unnest(${authors}::bigint[], ${containers}::bigint[]) as u (author_id, container_id)) asked
      ${tables}`);
}

/** The highest role that the authors of notes have where their notes are; those without one are left out. */
export const accessOfAuthors = load(
  (note: Readonly<NoteRecord>) => note.id,
  async (ctx, notes): Promise<Map<number, number>> => {
    const found = new Map<number, number>();
    for (const kind of ['project', 'group'] as const) {
      const rows = await accessOf(ctx, notes, kind);
      const levels = new Map(rows.map((row) => [`${row.author_id} ${row.container_id}`, row.access]));
      for (const { id, author_id: author, noteable } of notes) {
        const level = noteable.container.kind === kind ? levels.get(`${author} ${noteable.container.id}`) : undefined;
        if (level) found.set(id, level);
      }
    }
    return found;
  },
);
