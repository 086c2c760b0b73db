import type { SignedInContext } from '../../core/context.js';
import { NO_PLAN } from '../archive-imports/failures.js';
import type { ImportFailure } from '../archive-imports/failures.js';
import { groupRelations } from '../format/group-relations.js';
import { projectRelations } from '../format/project-relations.js';
import type { RowSink, StagedRow } from '../staging/staged-rows.js';
import { PlannedNames } from './planned-names.js';
import type { NamedPlace } from './planned-names.js';
import { PlannedPeople } from './planned-people.js';

/** Relations of which the plan of an instance may have nothing. */
const PREMIUM = new Set([...groupRelations, ...projectRelations].flatMap(({ name, plan }) => (plan ? [name] : [])));
/** Rows that the plan of the instance has nothing for and that are named. */
const MOST_BEYOND = 100_000;

/** Counts rows and finds out what an import would make of them, without keeping more than that takes. */
export class PlanSink implements RowSink {
  /** Rows by relation, by the group that they are of. */
  readonly counts = new Map<number, Record<string, number>>();
  readonly people: PlannedPeople;
  readonly names = new PlannedNames();
  readonly #isPremium: boolean;
  readonly #beyond: Omit<StagedRow, 'data'>[] = [];

  constructor(ctx: SignedInContext) {
    this.people = new PlannedPeople(ctx.clock.now().toISOString().slice(0, 10));
    this.#isPremium = ctx.hasPlan('premium');
  }

  add(row: StagedRow): void {
    const { source_group, relation, line } = row;
    const counts = this.counts.get(source_group) ?? {};
    this.counts.set(source_group, counts);
    counts[relation] = (counts[relation] ?? 0) + 1;
    this.people.meet(row);
    this.names.meet(row);
    if (!this.#isPremium && PREMIUM.has(relation) && this.#beyond.length < MOST_BEYOND)
      this.#beyond.push({ source_group, relation, line });
  }

  /** Rows that an import would leave out, since the plan of the instance has nothing for them. */
  beyondPlan(places: readonly NamedPlace[]): ImportFailure[] {
    const known = new Map(places.map((place) => [place.source, place]));
    return this.#beyond.flatMap(({ source_group, relation, line }) => {
      const file = known.get(source_group)?.file(relation);
      return file === undefined ? [] : [{ file, line, relation, reason: NO_PLAN }];
    });
  }
}
