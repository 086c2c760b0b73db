import { expressionBuilder } from 'kysely';
import type { Expression } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { scalar } from '../../core/database/expressions.js';
import type { PackagesDatabase } from '../packages.entities.js';

/**
 * Computes the bytes that the tags of a project's repositories keep, for each of them and for the project: of manifests
 * and what they refer to, each digest counted once. What no tag keeps any more counts no longer, although the registry
 * has it until its garbage is collected.
 */
export async function measureImages(ctx: Context, { project_id: id }: { project_id: number }): Promise<void> {
  await ctx.transaction(() =>
    ctx.em
      .getKysely<PackagesDatabase>()
      .withRecursive('held', (db) =>
        db
          .selectFrom('container_tags as t')
          .innerJoin('container_manifests as m', (join) =>
            join
              .onRef('m.project_id', '=', 't.project_id')
              .onRef('m.repository_id', '=', 't.repository_id')
              .onRef('m.digest', '=', 't.digest'),
          )
          .select(['t.repository_id', 't.digest', 'm.size'])
          .where('t.project_id', '=', id)
          .union(
            db
              .selectFrom('held as h')
              .innerJoin('container_manifests as m', (join) =>
                join
                  .on('m.project_id', '=', id)
                  .onRef('m.repository_id', '=', 'h.repository_id')
                  .onRef('m.digest', '=', 'h.digest'),
              )
              .innerJoin('container_manifest_parts as part', (join) =>
                join.on('part.project_id', '=', id).onRef('part.manifest_id', '=', 'm.id'),
              )
              .select(['h.repository_id', 'part.digest', 'part.size']),
          ),
      )
      .with('blobs', (db) =>
        db
          .selectFrom('held as h')
          .select((eb) => ['h.repository_id', 'h.digest', eb.fn.max('h.size').as('size')])
          .groupBy(['h.repository_id', 'h.digest']),
      )
      .with('measured', (db) =>
        db
          .updateTable('container_repositories as c')
          .set((eb) => ({
            size: getBytes(
              eb
                .selectFrom('blobs as b')
                .select((of) => of.fn.sum<number | null>('b.size').as('bytes'))
                .whereRef('b.repository_id', '=', 'c.id'),
            ),
          }))
          .where('c.project_id', '=', id),
      )
      .updateTable('project_statistics as s')
      .set((eb) => {
        const each = eb
          .selectFrom('blobs as b')
          .select((of) => of.fn.max('b.size').as('size'))
          .groupBy('b.digest')
          .as('one');
        const all = eb.selectFrom(each).select((of) => of.fn.sum<number | null>('one.size').as('bytes'));
        return { container_registry_size: getBytes(all) };
      })
      .where('s.project_id', '=', id)
      .execute(),
  );
}

/** A sum as it is stored; 0 of nothing. */
function getBytes(sum: Expression<{ bytes: number | null }>): Expression<number> {
  const eb = expressionBuilder<PackagesDatabase>();
  return eb.cast<number>(eb.fn.coalesce(scalar(sum), eb.lit(0)), 'bigint');
}
