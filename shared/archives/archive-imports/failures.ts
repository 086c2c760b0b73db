import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/** Something of an archive that is not taken over, and why. */
export interface ImportFailure {
  /** Name of the entry. */
  file: string | null;
  line: number | null;
  relation: string | null;
  reason: string;
}

/** Failures that are kept of one import; the others are counted. */
const MOST_KEPT = 1000;
const LONGEST_REASON = 255;

/** Collects what an import leaves out, and stores the first of it. */
export class Failures {
  #kept = 0;
  #waiting: ImportFailure[] = [];

  constructor(private readonly place: { readonly id: number; readonly namespace_id: number }) {}

  /** Notes one, to be stored with the next {@link store}. */
  add(failure: ImportFailure): void {
    if (this.#kept >= MOST_KEPT) return;
    this.#kept += 1;
    this.#waiting.push({ ...failure, reason: failure.reason.slice(0, LONGEST_REASON) });
  }

  /** Writes what was noted. */
  async store(ctx: Context): Promise<void> {
    const waiting = this.#waiting.splice(0);
    if (waiting.length === 0) return;
    await ctx.query(sql`
      insert into archive_import_failures (import_id, namespace_id, file, line, relation, reason, created_at)
      select ${this.place.id}::bigint, ${this.place.namespace_id}::bigint, x.file, x.line, x.relation, x.reason,
             ${ctx.clock.now()}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb)
          as x (file text, line integer, relation text, reason text)`);
  }
}
