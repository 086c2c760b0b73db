import type { UserCaller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { openObject } from '../../core/object-store/storing.js';
import { sql } from '../../core/sql.js';
import { Failures } from '../archive-imports/failures.js';
import { enterPhase, holdImport } from '../archive-imports/import-state.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { archiveLimits } from '../archive-imports/archive-limits.js';
import { clearStaged, storeCounts, storedArchive } from '../group-imports/stage-groups.js';
import { storePeople } from '../archive-imports/store-people.js';
import { OriginCheck } from '../origin/archive-origin.js';
import { readEntries } from '../read/entries.js';
import type { RelationCounts } from '../staging/read-relation.js';
import { RowCopy } from '../staging/staged-rows.js';
import { NO_GROUP, readProject } from './read-project.js';

/**
 * Copies what an archive holds, but for its bundles, into the tables that a project is restored from. Nothing else is
 * touched. Safe to repeat.
 * @param sender whoever asked for the import
 * @throws ArchiveRefused, ImportEnded
 */
export async function stageProject(ctx: Context, found: RunningImport, sender: UserCaller): Promise<void> {
  const archive = await storedArchive(ctx, found);
  await enterPhase(ctx, found, 'reading');
  await clearStaged(ctx, found);
  const failures = new Failures(found);
  const copy = new RowCopy(ctx, found);
  const counts: RelationCounts = new Map();
  try {
    const origin = new OriginCheck();
    const entries = origin.entries(readEntries(await openObject(ctx, archive), archiveLimits(ctx)));
    const attributes = await readProject(entries, copy, { counts, failed: (failure) => failures.add(failure) });
    await copy.finish();
    await ctx.transaction(async () => {
      await holdImport(ctx, found);
      // Plain SQL: the table has no entity, for nobody is shown its rows.
      await ctx.query(sql`
        insert into archive_import_groups (import_id, namespace_id, source_id, position, attributes)
        values (${found.id}, ${found.namespace_id}, ${NO_GROUP}, 0, ${JSON.stringify(attributes)}::jsonb)`);
      await storeCounts(ctx, found, counts);
      await storePeople(ctx.as(sender), found, { isOwn: origin.isFrom(ctx.services.keys) });
      await enterPhase(ctx, found, 'restoring');
    });
  } finally {
    await failures.store(ctx);
  }
}
