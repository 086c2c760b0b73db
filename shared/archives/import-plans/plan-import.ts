import { Invalid } from '../../core/errors.js';
import type { SignedInContext } from '../../core/context.js';
import { openObject } from '../../core/object-store/storing.js';
import { sql } from '../../core/sql.js';
import { archiveLimits } from '../archive-imports/archive-limits.js';
import { ArchiveRefused } from '../read/archive-refused.js';
import { readEntries } from '../read/entries.js';
import type { IncomingEntry } from '../read/entries.js';
import type { CleanRow } from '../staging/clean-row.js';
import type { ReadingTold, RelationCounts } from '../staging/read-relation.js';
import type { RowSink, StagedRow } from '../staging/staged-rows.js';
import type { ImportFailure } from '../archive-imports/failures.js';
import type { PlannedArchive } from './run-import-plan.js';

/** Of the people in an archive: who would keep their membership and their words. */
export interface PlannedUsers {
  mapped: { username: string }[];
  mapped_count: number;
  unmapped_count: number;
}

/** What every plan of an import tells of its archive. */
export interface ReadPlan {
  relations: { relation: string; total: number; skipped: number }[];
  failures_count: number;
  /** The first of them. */
  failures: ImportFailure[];
}

/** Groups, people and failures that a plan names one by one. */
export const MOST_TOLD = 1000;
const MOST_ADDRESSES = 100_000;

/** Counts rows, and collects whom they name, without keeping any. */
export class PlanSink implements RowSink {
  /** Rows by relation, by the group that they are of. */
  readonly counts = new Map<number, Record<string, number>>();
  /** Public addresses by the ids that their users had; null for those without. */
  readonly people = new Map<number, string | null>();

  #meet(id: unknown, email: unknown): void {
    if (typeof id !== 'number' || this.people.size >= MOST_ADDRESSES) return;
    const known = this.people.get(id) ?? null;
    this.people.set(id, known ?? (typeof email === 'string' && email !== '' ? email.toLowerCase() : null));
  }

  add({ source_group: group, relation, data }: StagedRow): void {
    const counts = this.counts.get(group) ?? {};
    this.counts.set(group, counts);
    counts[relation] = (counts[relation] ?? 0) + 1;
    if (relation === 'user_contributions') this.#meet(data.id, data.public_email);
    if (relation === 'members' || relation === 'project_members')
      this.#meet(data.user_id, (data.user as CleanRow | null)?.public_email);
  }
}

/** Who of an archive's people are users here, for administrators; nobody for others. */
export async function mappedUsers(ctx: SignedInContext, people: PlanSink['people']): Promise<PlannedUsers> {
  const addresses = ctx.caller.admin ? [...new Set([...people.values()].filter((email) => email !== null))] : [];
  const mapped = await ctx.query<{ username: string; email: string }>(sql`
    select u.username as "username", lower(u.email) as "email" from users u
     where lower(u.email) = any(${addresses}::text[]) and u.confirmed_at is not null and not u.bot and not u.internal
     order by u.username`);
  const found = new Set(mapped.map(({ email }) => email));
  const mapped_count = [...people.values()].filter((email) => email !== null && found.has(email)).length;
  return {
    mapped: mapped.slice(0, MOST_TOLD).map(({ username }) => ({ username })),
    mapped_count,
    unmapped_count: people.size - mapped_count,
  };
}

/**
 * Reads an archive for a plan, by the reader that the import uses: nothing is touched.
 * @throws Invalid (422) for an archive that would be refused
 */
export async function readForPlan<R>(
  ctx: SignedInContext,
  archive: PlannedArchive,
  read: (entries: AsyncIterable<IncomingEntry>, told: ReadingTold) => Promise<R>,
): Promise<ReadPlan & { found: R }> {
  const counts: RelationCounts = new Map();
  const failures: ImportFailure[] = [];
  let failures_count = 0;
  const failed = (failure: ImportFailure) => {
    failures_count += 1;
    if (failures.length < MOST_TOLD) failures.push(failure);
  };
  try {
    const source = await openObject(ctx, archive);
    const found = await read(readEntries(source, archiveLimits(ctx)), { counts, failed });
    const relations = [...counts].map(([relation, counted]) => ({ relation, ...counted }));
    return { found, relations, failures_count, failures };
  } catch (error) {
    if (error instanceof ArchiveRefused) throw new Invalid({ error: error.reason }, 422);
    throw error;
  }
}
