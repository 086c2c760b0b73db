import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import { namespaceAccess, projectAccess, today } from '../../tenancy/namespaces/access.js';
import type { NotesDatabase } from '../notes.entities.js';
import type { NoteRecord } from './note.entity.js';

interface Access {
  author_id: number;
  container_id: number;
  access: number;
}

interface AuthorAccessInput {
  readonly authors: readonly number[];
  readonly containers: readonly number[];
  readonly day: string;
}

/** Authors, and the projects or groups that their notes are in. */
const authorContainers = (db: Kysely<NotesDatabase>, { authors, containers }: Placeholders<AuthorAccessInput>) => {
  const pairs = sql<Omit<Access, 'access'>>`unnest(${authors}::bigint[], ${containers}::bigint[])`;
  return db.selectFrom((eb) =>
    eb
      .selectFrom(pairs.as<'u'>(sql.raw('u (author_id, container_id)')))
      .select(['u.author_id', 'u.container_id'])
      .distinct()
      .as('requested'),
  );
};

const findAccess = {
  project: prepareQuery<NotesDatabase, AuthorAccessInput, Access>((db, input) =>
    authorContainers(db, input)
      .innerJoin('projects as p', 'p.id', 'requested.container_id')
      .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
      .select((eb) => [
        'requested.author_id',
        'requested.container_id',
        projectAccess(eb.ref('requested.author_id'), input.day).as('access'),
      ]),
  ),
  group: prepareQuery<NotesDatabase, AuthorAccessInput, Access>((db, input) =>
    authorContainers(db, input)
      .innerJoin('namespaces as n', 'n.id', 'requested.container_id')
      .select((eb) => [
        'requested.author_id',
        'requested.container_id',
        namespaceAccess(eb.ref('requested.author_id'), input.day).as('access'),
      ]),
  ),
};

/** The roles of users in projects, or in groups. */
function getAccess(ctx: Context, notes: readonly Readonly<NoteRecord>[], kind: 'project' | 'group'): Promise<Access[]> {
  const own = notes.flatMap(({ author_id: author, noteable: { container } }) =>
    author && container.kind === kind ? [{ author, container: container.id }] : [],
  );
  if (own.length === 0) return Promise.resolve([]);
  return findAccess[kind](ctx, {
    authors: own.map(({ author }) => author),
    containers: own.map(({ container }) => container),
    day: today(ctx),
  });
}

/** The highest role that the authors of notes have where their notes are; those without one are left out. */
export const accessOfAuthors = load(
  (note: Readonly<NoteRecord>) => note.id,
  async (ctx, notes): Promise<Map<number, number>> => {
    const found = new Map<number, number>();
    for (const kind of ['project', 'group'] as const) {
      const rows = await getAccess(ctx, notes, kind);
      const levels = new Map(rows.map((row) => [`${row.author_id} ${row.container_id}`, row.access]));
      for (const { id, author_id: author, noteable } of notes) {
        const level = noteable.container.kind === kind ? levels.get(`${author} ${noteable.container.id}`) : undefined;
        if (level) found.set(id, level);
      }
    }
    return found;
  },
);
