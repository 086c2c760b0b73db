import type { Services } from '../context/context.js';
import type { PageChangeKind, WideScope } from './page-changes.js';
import { reachedScopes } from './reached-scopes.js';

/** Pause between two times that it is asked, in milliseconds. */
const REST_MS = 2_000;
/** Asking that takes long makes the pause after it longer by so many times. */
const REST_TIMES = 4;

/** Changes of which it is not decided yet which pages across projects they reach. */
export class WideChanges {
  /** Projects by kind; null for more than were told. */
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
   * Which scopes they reach, by kind and the scopes' keys: asked once for all that came meanwhile. Nothing while it
   * rests.
   */
  async decide(scopes: readonly WideScope[]): Promise<Map<string, ReadonlySet<string>>> {
    const reached = new Map<string, ReadonlySet<string>>();
    if (this.#changed.size === 0 || performance.now() < this.#restsUntil) return reached;
    const [changed, since, began] = [this.#changed, this.#since, performance.now()];
    this.#changed = new Map();
    const different = [...new Map(scopes.map((scope) => [scope.key, scope])).values()];
    for (const [kind, ids] of changed) reached.set(kind, await this.#reached(kind as PageChangeKind, ids, different));
    // What came while it was asked is as old as what was asked about, at most.
    this.#since = this.#changed.size > 0 ? since : null;
    this.#restsUntil = performance.now() + Math.max(REST_MS, (performance.now() - began) * REST_TIMES);
    return reached;
  }

  /** Where it cannot be asked, every page asks for what it shows, and gets what its caller may see. */
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
