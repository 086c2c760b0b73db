import type { SignedInContext } from '../../core/context/context.js';
import { anyOf, arrayPosition } from '../../core/database/expressions.js';
import { tables } from '../archive-imports/restoring.js';
import type { ImportFailure } from '../archive-imports/failures.js';
import { reusedProblem } from '../restorers/reused-values.js';
import type { CleanRow } from '../staging/clean-row.js';
import type { StagedRow } from '../staging/read-relation.js';

/** Maximum number of labels and milestones of one archive whose names are compared: limits memory use. */
const MOST_NAMES = 200_000;

type Values = Readonly<Record<string, unknown>>;

/** A group, or the project, whose names a plan compares, with its ancestors in the archive, topmost first. */
export interface PlannedContainer {
  readonly source: number;
  readonly above: readonly number[];
  /** Full path that it would have. */
  readonly path: string;
  /** The relation's file of it. */
  file(relation: string): string;
}

/** The names that a relation's rows can conflict with: those of existing rows in the namespaces where they apply. */
export interface NamesInForce {
  readonly kind: 'label' | 'milestone';
  readonly relation: 'labels' | 'milestones';
  /** Groups above the import, whose names its rows may not reuse. */
  readonly namespaces: readonly number[];
}

interface PlannedRow {
  line: number;
  values: Values;
}

/** The compared values of a row. */
const getValues = ({ color, description, archived, start_date, due_date, state }: CleanRow): Values => ({
  color,
  description,
  archived,
  start_date,
  due_date,
  state,
});

/** Finds out what of an archive's labels and milestones an import would not make, since their names are in use. */
export class PlannedNames {
  /** By relation and source, by title. */
  readonly #rows = new Map<string, Map<string, PlannedRow>>();
  #count = 0;

  add({ relation, source_group: source, line, data }: StagedRow): void {
    if ((relation !== 'labels' && relation !== 'milestones') || this.#count >= MOST_NAMES) return;
    this.#count += 1;
    this.#of(relation, source).set(data.title as string, { line, values: getValues(data) });
  }

  #of(relation: string, source: number): Map<string, PlannedRow> {
    const key = `${relation} ${source}`;
    const rows = this.#rows.get(key) ?? new Map<string, PlannedRow>();
    this.#rows.set(key, rows);
    return rows;
  }

  /**
   * Rows for which an import would reuse an existing record: of the groups above the import, and, for labels, of
   * ancestor groups in the archive.
   * @param containers in the order in which they would be created
   */
  async reused(
    ctx: SignedInContext,
    containers: readonly PlannedContainer[],
    { kind, relation, namespaces }: NamesInForce,
  ): Promise<ImportFailure[]> {
    const titles = [...new Set(containers.flatMap(({ source }) => [...this.#of(relation, source).keys()]))];
    const existing = await this.#inForce(ctx, titles, { relation, namespaces });
    const planned = new Map<number, Map<string, { values: Values; path: string }>>();
    return containers.flatMap(({ source, above, path, file }) => {
      const own = new Map<string, { values: Values; path: string }>();
      planned.set(source, own);
      return [...this.#of(relation, source)].flatMap(([title, { line, values }]) => {
        // Groups may have milestones of one title at each level.
        const nearest = kind === 'label' ? above.findLast((id) => planned.get(id)?.has(title)) : undefined;
        const holder = (nearest === undefined ? undefined : planned.get(nearest)?.get(title)) ?? existing.get(title);
        if (!holder) own.set(title, { values, path });
        return holder
          ? [{ file: file(relation), line, relation, reason: reusedProblem(kind, values, holder.values, holder.path) }]
          : [];
      });
    });
  }

  async #inForce(
    ctx: SignedInContext,
    titles: readonly string[],
    { relation, namespaces }: Pick<NamesInForce, 'relation' | 'namespaces'>,
  ) {
    const found = new Map<string, { values: Values; path: string }>();
    if (namespaces.length === 0) return found;
    const rows = await tables({ ctx })
      .selectFrom(`${relation} as x` as 'labels as x')
      .innerJoin('routes as ro', 'ro.namespace_id', 'x.namespace_id')
      .select(({ fn }) => [fn.toJson('x').$castTo<Values & { title: string }>().as('there'), 'ro.path'])
      .where('x.namespace_id', '=', anyOf(namespaces, 'bigint'))
      .where('x.title', '=', anyOf(titles, 'text'))
      .orderBy((eb) => arrayPosition(namespaces, 'bigint', eb.ref('x.namespace_id')))
      .execute();
    for (const { there: existing, path } of rows) found.set(existing.title, { values: existing, path });
    return found;
  }
}
