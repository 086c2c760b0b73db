/** How long a change is remembered, in milliseconds: longer than streams are interrupted or pages briefly hidden. */
const RETENTION_MS = 600_000;
/** Projects remembered at most, of all kinds together. */
const MAX_CHANGES = 20_000;

/** Represents every project. */
const ALL = 0;

/**
 * The last change of each kind in each project, as far back as this process knows. Times are those of the database's
 * clock, in milliseconds.
 */
export class RecentChanges {
  /** By kind and project; the one that changed last is the last. */
  readonly #at = new Map<string, Map<number, number>>();
  #completeFrom = Number.POSITIVE_INFINITY;

  /** Whether it knows of everything that changed since then. */
  knows(since: number, now: number): boolean {
    return since >= this.#completeFrom && since >= now - RETENTION_MS;
  }

  /** From now on everything is noted: nothing was missed since. */
  begin(now: number): void {
    this.#at.clear();
    this.#completeFrom = now;
  }

  /** Something may be missed from now on. */
  end(): void {
    this.#at.clear();
    this.#completeFrom = Number.POSITIVE_INFINITY;
  }

  /** @param projectIds null if there were too many to list */
  note(kind: string, projectIds: readonly number[] | null, now: number): void {
    const at = this.#at.get(kind) ?? new Map<number, number>();
    this.#at.set(kind, at);
    for (const id of projectIds ?? [ALL]) {
      at.delete(id);
      at.set(id, now);
    }
    this.#drop(now);
  }

  #drop(now: number): void {
    let size = 0;
    for (const at of this.#at.values()) {
      for (const [id, time] of at) {
        if (time >= now - RETENTION_MS) break;
        at.delete(id);
      }
      size += at.size;
    }
    if (size > MAX_CHANGES) this.begin(now);
  }

  /** Whether something of a kind changed in a project since then. */
  changed(kind: string, projectId: number, since: number): boolean {
    const at = this.#at.get(kind);
    return at !== undefined && [projectId, ALL].some((id) => (at.get(id) ?? Number.NEGATIVE_INFINITY) >= since);
  }

  /** The projects with a change of a kind since then; null if there were too many to list. */
  projects(kind: string, since: number): number[] | null {
    const found: number[] = [];
    for (const [id, time] of this.#at.get(kind) ?? []) if (time >= since) found.push(id);
    return found.includes(ALL) ? null : found;
  }
}
