import { Invalid } from '../../core/errors.js';
import type { SignedInContext } from '../../core/context.js';
import { openObject } from '../../core/object-store/storing.js';
import type { StoredFile } from '../../core/object-store/stored-file.js';
import { sql } from '../../core/sql.js';
import { MAX_ANCESTORS, valueProblems } from '../../tenancy/groups/group.rules.js';
import type { ImportFailure } from '../archive-imports/failures.js';
import { ArchiveRefused } from '../read/archive-refused.js';
import { readEntries } from '../read/entries.js';
import type { CleanRow } from '../staging/clean-row.js';
import type { RelationCounts } from '../staging/read-relation.js';
import type { RowSink, StagedRow } from '../staging/staged-rows.js';
import type { ImportPlace } from './import-place.js';
import { readGroups } from './read-groups.js';
import type { SourceGroups } from './read-groups.js';
import { archiveLimits } from './stage-groups.js';

/** A group that an import would make, or leave out. */
interface PlannedGroup {
  source_id: number;
  /** Full path; null for one that is left out before it has one. */
  full_path: string | null;
  name: string | null;
  /** Rows by relation. */
  counts: Record<string, number>;
  /** Why it would be left out; null for one that would be made. */
  skipped: string | null;
}

/** What an import would do. */
export interface GroupImportPlan {
  groups_count: number;
  /** The first of them, in the order of the archive. */
  groups: PlannedGroup[];
  relations: { relation: string; total: number; skipped: number }[];
  /** Of the people in the archive: who would keep their membership and their words. */
  users: { mapped: { username: string }[]; mapped_count: number; unmapped_count: number };
  failures_count: number;
  failures: ImportFailure[];
}

const MOST_TOLD = 1000;
/** Reading may take as long as its request's connection is kept. */
const MOST_MS = 45_000;
const MOST_ADDRESSES = 100_000;

/** Counts rows, and collects whom they name, without keeping any. */
class PlanSink implements RowSink {
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
    if (relation === 'members') this.#meet(data.user_id, (data.user as CleanRow | null)?.public_email);
  }
}

const firstProblem = (problems: Record<string, string[]>): string | null => {
  const [found] = Object.entries(problems);
  return found ? `${found[0]} ${found[1].join(', ')}` : null;
};

/** Groups as they would be made, one after the other as the import does it. */
function planGroups(groups: SourceGroups, sink: PlanSink, rootPath: string, rootName: string): PlannedGroup[] {
  const paths = new Map<number, string>();
  const taken = new Set<string>();
  return groups.ids.map((id, position) => {
    const attributes = groups.attributes.get(id);
    const { name = null, path = null, parent_id = null } = (attributes ?? {}) as Record<string, never>;
    const planned = { source_id: id, name, full_path: null as string | null, counts: sink.counts.get(id) ?? {} };
    const skip = (skipped: string) => ({ ...planned, skipped });
    if (!attributes) return skip('its attributes are missing or not what they should be');
    const above = position === 0 ? null : paths.get(parent_id ?? 0);
    if (above === undefined) return skip('the group above it is not there');
    const full = above === null ? rootPath : `${above}/${path ?? ''}`;
    const problem = above === null ? null : firstProblem(valueProblems({ name: name ?? '', path: path ?? '' }, true));
    if (problem !== null) return skip(problem);
    if (taken.has(full.toLowerCase())) return skip('path has already been taken');
    if (full.split('/').length > MAX_ANCESTORS + 1) return skip('parent has too deep level of nesting');
    taken.add(full.toLowerCase());
    paths.set(id, full);
    return { ...planned, name: above === null ? rootName : name, full_path: full, skipped: null };
  });
}

/** Who of the archive's people are users here, for administrators; nobody for others. */
async function mappedUsers(ctx: SignedInContext, people: PlanSink['people']): Promise<GroupImportPlan['users']> {
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
 * What the import of an archive would do; nothing is touched.
 * @throws Invalid (422) for an archive that would be refused
 */
export async function planGroupImport(
  ctx: SignedInContext,
  { parent }: ImportPlace,
  { file, name, path }: { file: StoredFile; name: string; path: string },
): Promise<GroupImportPlan> {
  const sink = new PlanSink();
  const counts: RelationCounts = new Map();
  const failures: ImportFailure[] = [];
  let failures_count = 0;
  const failed = (failure: ImportFailure) => {
    failures_count += 1;
    if (failures.length < MOST_TOLD) failures.push(failure);
  };
  try {
    const source = await openObject(ctx, file.object.facts);
    const entries = readEntries(source, { ...archiveLimits(ctx), maxMs: MOST_MS });
    const groups = await readGroups(entries, sink, { counts, failed });
    const rootPath = parent ? `${parent.full_path}/${path}` : path;
    return {
      groups_count: groups.ids.length,
      groups: planGroups(groups, sink, rootPath, name).slice(0, MOST_TOLD),
      relations: [...counts].map(([relation, counted]) => ({ relation, ...counted })),
      users: await mappedUsers(ctx, sink.people),
      failures_count,
      failures,
    };
  } catch (error) {
    if (error instanceof ArchiveRefused) throw new Invalid({ error: error.message }, 422);
    throw error;
  }
}
