/**
 * Data loaded for a request or job, separate from the records: a record contains only the data that its finder read,
 * and is never modified.
 */
export class Loaded {
  readonly #data = new WeakMap<object, unknown[]>();
  /** Fields of one record are read one after another. */
  #latest: object | undefined;
  #ofLatest: readonly unknown[] | undefined;

  of(record: object): readonly unknown[] | undefined {
    if (record !== this.#latest) {
      this.#ofLatest = this.#data.get(record);
      this.#latest = record;
    }
    return this.#ofLatest;
  }

  put(record: object, slot: number, data: unknown): void {
    const slots = this.#data.get(record);
    if (slots) slots[slot] = data;
    else this.#data.set(record, Object.assign([], { [slot]: data }));
    this.#latest = undefined;
  }
}
