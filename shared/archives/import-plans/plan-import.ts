import { today } from '../../tenancy/namespaces/access.js';
import { Invalid } from '../../core/values/errors.js';
import type { SignedInContext } from '../../core/context/context.js';
import { openObject } from '../../core/stored-files/storing.js';
import { archiveLimits } from '../staging/stage-archive.js';
import type { ImportFailure } from '../archive-imports/failures.js';
import type { ArchiveOrigin } from '../archive-imports/match-people.js';
import { OriginCheck } from '../read/archive-origin.js';
import { ArchiveRejected } from '../read/archive-rejected.js';
import { readEntries } from '../read/entries.js';
import type { IncomingEntry } from '../read/entries.js';
import type { ReadReport, RelationCounts, RowSink, StagedRow } from '../staging/read-relation.js';
import type { PlannedContainer, NamesInForce } from './planned-names.js';
import type { PlannedUsers } from './planned-people.js';
import type { PlannedArchive } from './run-import-plan.js';
import { NO_PLAN } from '../archive-imports/failures.js';
import { groupRelations } from '../format/group-relations.js';
import { projectRelations } from '../format/project-relations.js';
import { PlannedNames } from './planned-names.js';
import { PlannedPeople } from './planned-people.js';
import { PlannedReferences } from './planned-references.js';

/** Relations of which the plan of an instance may have nothing. */
const PREMIUM = new Set([...groupRelations, ...projectRelations].flatMap(({ name, plan }) => (plan ? [name] : [])));
/** Maximum number of rows listed that the instance's plan does not support. */
const MOST_BEYOND = 100_000;

/** Counts rows and determines how an import would handle them, storing only the data that this needs. */
export class PlanSink implements RowSink {
  /** Rows by relation, by the group that they are of. */
  readonly counts = new Map<number, Record<string, number>>();
  readonly people: PlannedPeople;
  readonly names = new PlannedNames();
  readonly references = new PlannedReferences();
  readonly #isPremium: boolean;
  readonly #beyond: Omit<StagedRow, 'data'>[] = [];

  constructor(ctx: SignedInContext) {
    this.people = new PlannedPeople(today(ctx));
    this.#isPremium = ctx.hasPlan('premium');
  }

  add(row: StagedRow): void {
    const { source_group, relation, line } = row;
    const counts = this.counts.get(source_group) ?? {};
    this.counts.set(source_group, counts);
    counts[relation] = (counts[relation] ?? 0) + 1;
    this.people.add(row);
    this.names.add(row);
    this.references.add(row);
    if (!this.#isPremium && PREMIUM.has(relation) && this.#beyond.length < MOST_BEYOND)
      this.#beyond.push({ source_group, relation, line });
  }

  /** Rows that an import would leave out, since the plan of the instance has nothing for them. */
  beyondPlan(containers: readonly PlannedContainer[]): ImportFailure[] {
    const bySource = new Map(containers.map((container) => [container.source, container]));
    return this.#beyond.flatMap(({ source_group, relation, line }) => {
      const file = bySource.get(source_group)?.file(relation);
      return file === undefined ? [] : [{ file, line, relation, reason: NO_PLAN }];
    });
  }
}

/** What every plan of an import reports about its archive. */
export interface ReadPlan {
  relations: { relation: string; total: number; skipped: number }[];
  failures_count: number;
  /** The first of them. */
  failures: ImportFailure[];
}

/** Groups and failures that a plan names one by one. */
export const MAX_LISTED = 1000;

/**
 * Reads an archive for a plan, by the reader that the import uses: nothing is touched.
 * @throws Invalid (422) for an archive that would be rejected
 */
export async function readForPlan<R>(
  ctx: SignedInContext,
  archive: PlannedArchive,
  read: (entries: AsyncIterable<IncomingEntry>, report: ReadReport) => Promise<R>,
): Promise<{ read: ReadPlan; found: R; origin: ArchiveOrigin }> {
  const counts: RelationCounts = new Map();
  const failures: ImportFailure[] = [];
  let failures_count = 0;
  const failed = (failure: ImportFailure) => {
    failures_count += 1;
    if (failures.length < MAX_LISTED) failures.push(failure);
  };
  try {
    const source = await openObject(ctx, archive);
    const check = new OriginCheck();
    const entries = check.entries(readEntries(source, archiveLimits(ctx)));
    const found = await read(entries, { counts, failed });
    const relations = [...counts].map(([relation, counted]) => ({ relation, ...counted }));
    const origin = { isOwn: check.isFrom(ctx.services.keys) };
    return { read: { relations, failures_count, failures }, found, origin };
  } catch (error) {
    if (error instanceof ArchiveRejected) throw new Invalid({ error: error.reason }, 422);
    throw error;
  }
}

/** Where an import would make what it read. */
interface PlannedTree {
  /** In the order in which they would be made. */
  readonly containers: readonly PlannedContainer[];
  /** Ids of all groups of the archive; none of a project. */
  readonly groups: readonly number[];
  /** Groups above the import, the top one first. */
  readonly above: readonly number[];
  /** Those of them whose milestone titles may not be reused. */
  readonly sharesMilestonesWith: readonly number[];
}

/**
 * Completes what was read with the rows that an import would leave out, use something existing for, or make without
 * something: as the import itself reports it, each with its line.
 */
export async function planLeftOut(
  ctx: SignedInContext,
  { read, origin }: { read: ReadPlan; origin: ArchiveOrigin },
  sink: PlanSink,
  { containers, groups, above, sharesMilestonesWith }: PlannedTree,
): Promise<ReadPlan & { users: PlannedUsers }> {
  const { users, isUser, failures: people } = await sink.people.plan(ctx, origin, containers, above);
  const labels: NamesInForce = { kind: 'label', relation: 'labels', namespaces: above };
  const milestones: NamesInForce = {
    kind: 'milestone',
    relation: 'milestones',
    namespaces: sharesMilestonesWith,
  };
  const leftOut = [
    ...people,
    ...(await sink.names.reused(ctx, containers, labels)),
    ...(await sink.names.reused(ctx, containers, milestones)),
    ...sink.references.twins(containers),
    ...sink.beyondPlan(containers),
  ];
  const without = await sink.references.missing(ctx, { containers: containers, above, groups, isUser });
  const skipped = new Map<string | null, number>();
  for (const { relation } of leftOut) skipped.set(relation, (skipped.get(relation) ?? 0) + 1);
  return {
    relations: read.relations.map((one) => ({ ...one, skipped: one.skipped + (skipped.get(one.relation) ?? 0) })),
    failures_count: read.failures_count + leftOut.length + without.length,
    failures: [...read.failures, ...leftOut, ...without].slice(0, MAX_LISTED),
    users,
  };
}
