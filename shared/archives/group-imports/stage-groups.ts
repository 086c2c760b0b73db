import type { UserCaller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { openObject } from '../../core/object-store/storing.js';
import { sql } from '../../core/sql.js';
import { archiveLimits } from '../archive-imports/archive-limits.js';
import { Failures } from '../archive-imports/failures.js';
import { enterPhase, holdImport, ImportEnded } from '../archive-imports/import-state.js';
import type { ImportTry, RunningImport } from '../archive-imports/import-state.js';
import { OriginCheck } from '../origin/archive-origin.js';
import { readEntries } from '../read/entries.js';
import type { RelationCounts } from '../staging/read-relation.js';
import { RowCopy } from '../staging/staged-rows.js';
import { storePeople } from '../archive-imports/store-people.js';
import { readGroups } from './read-groups.js';
import type { SourceGroups } from './read-groups.js';

const GROUPS_AT_A_TIME = 1000;

/** The archive of an import as it is stored. @throws ImportEnded where it is gone */
export async function storedArchive(ctx: Context, { object_id: id }: RunningImport) {
  const found = await ctx.queryOne<{ key: string; bytes: number }>(sql`
    select o.key as "key", o.bytes as "bytes" from stored_objects o where o.id = ${id} and o.removed_at is null`);
  if (!found) throw new ImportEnded('The archive is gone.');
  return found;
}

/** Removes what an earlier try copied, which can add nothing any more. @throws ImportEnded, ImportOvertaken */
export async function clearStaged(ctx: Context, of: ImportTry): Promise<void> {
  await ctx.transaction(async () => {
    await holdImport(ctx, of);
    await removeStaged(ctx, of.id);
  });
}

async function removeStaged(ctx: Context, importId: number): Promise<void> {
  for (const table of [
    sql`archive_import_rows`,
    sql`archive_import_groups`,
    sql`archive_import_users`,
    sql`archive_import_relations`,
    sql`archive_import_failures`,
  ])
    await ctx.query(sql`delete from ${table} where import_id = ${importId}`);
}

async function storeGroups(ctx: Context, { id, namespace_id }: RunningImport, groups: SourceGroups): Promise<void> {
  for (let from = 0; from < groups.ids.length; from += GROUPS_AT_A_TIME) {
    const rows = groups.ids.slice(from, from + GROUPS_AT_A_TIME).map((source, at) => ({
      source_id: source,
      position: from + at,
      parent: groups.attributes.get(source)?.parent_id ?? null,
      attributes: groups.attributes.get(source) ?? null,
    }));
    await ctx.query(sql`
      insert into archive_import_groups (import_id, namespace_id, source_id, position, parent_source_id, attributes)
      select ${id}::bigint, ${namespace_id}::bigint, x.source_id, x.position, x.parent, x.attributes
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as x (source_id bigint, position integer, parent bigint, attributes jsonb)`);
  }
}

export async function storeCounts(
  ctx: Context,
  { id, namespace_id }: RunningImport,
  counts: RelationCounts,
): Promise<void> {
  const rows = [...counts].map(([relation, counted]) => ({ relation, ...counted }));
  await ctx.query(sql`
    insert into archive_import_relations (import_id, namespace_id, relation, total, skipped)
    select ${id}::bigint, ${namespace_id}::bigint, x.relation, x.total, x.skipped
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (relation text, total integer, skipped integer)`);
}

/**
 * Copies what an archive holds into the tables that groups are restored from. Nothing else is touched. Safe to repeat.
 * @param sender whoever asked for the import
 * @throws ArchiveRefused, ImportEnded
 */
export async function stageGroups(ctx: Context, found: RunningImport, sender: UserCaller): Promise<void> {
  const archive = await storedArchive(ctx, found);
  await enterPhase(ctx, found, 'reading');
  await clearStaged(ctx, found);
  const failures = new Failures(found);
  const copy = new RowCopy(ctx, found);
  const counts: RelationCounts = new Map();
  try {
    const origin = new OriginCheck();
    const entries = origin.entries(readEntries(await openObject(ctx, archive), archiveLimits(ctx)));
    const groups = await readGroups(entries, copy, { counts, failed: (failure) => failures.add(failure) });
    await copy.finish();
    await ctx.transaction(async () => {
      await holdImport(ctx, found);
      await storeGroups(ctx, found, groups);
      await storeCounts(ctx, found, counts);
      await storePeople(ctx.as(sender), found, { isOwn: origin.isFrom(ctx.services.keys) });
      await enterPhase(ctx, found, 'restoring');
    });
  } finally {
    await failures.store(ctx);
  }
}
