import type { Services } from '../context/context.js';
import type { PageChangeKind, WideScope } from './page-changes.js';
import { reachedScopes } from './reached-scopes.js';

/** Pause between two queries, in milliseconds. */
const REST_MS = 2_000;
/** The pause after a slow query is this many times its duration. */
const REST_TIMES = 4;

/** Changes of which it is not decided yet which pages across projects they reach. */
export class WideChanges {
  /** Projects by kind; null if there were too many to list. */
  #changed = new Map<string, Set<number> | null>();
  #since: number | null = null;
  #restsUntil = 0;

  constructor(private readonly services: Pick<Services, 'db' | 'log'>) {}

  /** When the first of them came, by the database's clock in milliseconds; null where there are none. */
  get since(): number | null {
    return this.#since;
  }

  note(kind: string, projectIds: readonly number[] | null, now: number): void {
    const previous = this.#changed.get(kind);
    this.#since ??= now;
    if (previous === null) return;
    const ids = previous ?? new Set<number>();
    for (const id of projectIds ?? []) ids.add(id);
    this.#changed.set(kind, projectIds === null ? null : ids);
  }

  forget(): void {
    this.#changed = new Map();
    this.#since = null;
  }

  /**
   * The scopes reached by the changes, by kind and the scopes' keys: one query per kind for all changes since the last
   * one. Empty during the pause.
   */
  async decide(scopes: readonly WideScope[]): Promise<Map<string, ReadonlySet<string>>> {
    const reached = new Map<string, ReadonlySet<string>>();
    if (this.#changed.size === 0 || performance.now() < this.#restsUntil) return reached;
    const [changed, since, began] = [this.#changed, this.#since, performance.now()];
    this.#changed = new Map();
    const different = [...new Map(scopes.map((scope) => [scope.key, scope])).values()];
    for (const [kind, ids] of changed) reached.set(kind, await this.#reached(kind as PageChangeKind, ids, different));
    // Changes that arrived during the query are no older than those it was about.
    this.#since = this.#changed.size > 0 ? since : null;
    this.#restsUntil = performance.now() + Math.max(REST_MS, (performance.now() - began) * REST_TIMES);
    return reached;
  }

  /** If the query fails, every page reloads its content and gets only data that its caller may see. */
  async #reached(kind: PageChangeKind, ids: ReadonlySet<number> | null, scopes: readonly WideScope[]) {
    if (ids === null) return new Set(scopes.map(({ key }) => key));
    try {
      return await reachedScopes(this.services.db, kind, [...ids], scopes);
    } catch (error) {
      this.services.log.warn({ err: error }, 'whom a change reaches could not be asked');
      return new Set(scopes.map(({ key }) => key));
    }
  }
}
