import { BadRow } from './clean-row.js';
import type { CleanRow } from './clean-row.js';

/** By what a group or project has one of a kind at most. */
const UNIQUE: Readonly<Record<string, string>> = {
  labels: 'title',
  milestones: 'title',
  members: 'user_id',
  project_members: 'user_id',
  protected_branches: 'name',
  protected_tags: 'name',
  environments: 'name',
  protected_environments: 'name',
};

/** Finds rows of one file that cannot both be made: the first one is taken. */
export class UniqueNames {
  readonly #attribute: string | undefined;
  readonly #lines = new Map<unknown, number>();

  constructor(relation: string) {
    this.#attribute = Object.hasOwn(UNIQUE, relation) ? UNIQUE[relation] : undefined;
  }

  /** Notes a row as one that is taken. @throws BadRow where an earlier one has its name */
  require(row: CleanRow, line: number): void {
    const value = this.#attribute === undefined ? null : (row[this.#attribute] ?? null);
    if (value === null) return;
    const first = this.#lines.get(value);
    if (first !== undefined) throw new BadRow(`has already been taken by line ${first}`, [this.#attribute as string]);
    this.#lines.set(value, line);
  }
}
