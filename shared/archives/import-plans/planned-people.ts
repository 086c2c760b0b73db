import type { SignedInContext } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { unexpired } from '../../tenancy/namespaces/access.js';
import type { ImportFailure } from '../archive-imports/failures.js';
import { matchPeople } from '../archive-imports/match-people.js';
import type { ArchivedPerson, ArchiveOrigin, MatchedPerson } from '../archive-imports/match-people.js';
import { inheritsProblem, memberRowProblem } from '../restorers/restore-members.js';
import { HAS_NO_ID, tables } from '../archive-imports/restoring.js';
import type { CleanRow } from '../staging/clean-row.js';
import type { StagedRow } from '../staging/read-relation.js';
import type { PlannedContainer } from './planned-names.js';

/** Maximum number of rows about users held in memory, and number of users queried together. */
const MOST_ROWS = 200_000;
const AT_ONCE = 5000;

/** Of the people in an archive: who would keep their memberships and what they wrote. */
export interface PlannedUsers {
  mapped: { username: string }[];
  mapped_count: number;
  unmapped_count: number;
}

/** Users that a plan names one by one. */
const MAX_USERS_LISTED = 1000;

interface PersonRow {
  relation: string;
  line: number;
  source_id: number | null;
  /** Of memberships alone. */
  level: number;
  problem: string | null;
}

const least = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one;
const getText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Determines which users of an archive an import would match here, and which it would leave out. */
export class PlannedPeople {
  readonly #people = new Map<number, ArchivedPerson>();
  /** By the group that they are of. */
  readonly #rows = new Map<number, PersonRow[]>();
  #count = 0;

  constructor(private readonly today: string) {}

  add({ relation, source_group: source, line, data }: StagedRow): void {
    const isMember = relation === 'members' || relation === 'project_members';
    if ((!isMember && relation !== 'user_contributions') || this.#count >= MOST_ROWS) return;
    this.#count += 1;
    const person = (isMember ? data.user : data) as CleanRow | null;
    const source_id = (isMember ? data.user_id : data.id) as number | null;
    if (source_id !== null) this.#know(source_id, person);
    const rows = this.#rows.get(source) ?? [];
    this.#rows.set(source, rows);
    const problem = isMember ? memberRowProblem(data, this.today) : null;
    rows.push({ relation, line, source_id, level: Number(data.access_level ?? 0), problem });
  }

  #know(source_id: number, person: CleanRow | null): void {
    const entry = this.#people.get(source_id) ?? { source_id, email: null, username: null };
    entry.email = least(entry.email, getText(person?.public_email)?.toLowerCase() ?? null);
    entry.username = least(entry.username, getText(person?.username));
    this.#people.set(source_id, entry);
  }

  async #match(ctx: SignedInContext, origin: ArchiveOrigin): Promise<Map<number, MatchedPerson>> {
    const all = [...this.#people.values()];
    const matched = new Map<number, MatchedPerson>();
    for (let from = 0; from < all.length; from += AT_ONCE)
      for (const one of await matchPeople(ctx, all.slice(from, from + AT_ONCE), origin))
        matched.set(one.source_id, one);
    return matched;
  }

  /**
   * The users that an import would match, and every row of the users it would leave out.
   * @param containers in the order in which they would be created
   * @param namespaces the groups above the import, whose members have their roles in it
   */
  async plan(
    ctx: SignedInContext,
    origin: ArchiveOrigin,
    containers: readonly PlannedContainer[],
    namespaces: readonly number[],
  ): Promise<{ users: PlannedUsers; isUser: (id: number) => boolean; failures: ImportFailure[] }> {
    const matched = await this.#match(ctx, origin);
    const mapped = [...matched.values()].filter(({ user_id: id }) => id !== null);
    const usernames = [...new Set(mapped.map(({ username }) => username as string))].sort();
    const users = {
      mapped: usernames.slice(0, MAX_USERS_LISTED).map((username) => ({ username })),
      mapped_count: mapped.length,
      unmapped_count: matched.size - mapped.length,
    };
    const inherited = await rolesIn(ctx, namespaces, mapped, this.today);
    const isUser = (id: number) => (matched.get(id)?.user_id ?? null) !== null;
    return { users, isUser, failures: this.#failures(containers, matched, inherited, ctx.caller.id) };
  }

  #failures(
    containers: readonly PlannedContainer[],
    matched: ReadonlyMap<number, MatchedPerson>,
    inherited: ReadonlyMap<number, number>,
    importer: number,
  ): ImportFailure[] {
    const roles = new Map<number, Map<number, number>>();
    return containers.flatMap(({ source, above, file }) => {
      const own = new Map<number, number>();
      roles.set(source, own);
      return (this.#rows.get(source) ?? []).flatMap(({ relation, line, source_id, level, problem }) => {
        const person = source_id === null ? undefined : matched.get(source_id);
        const user = person?.user_id ?? null;
        const isMember = relation !== 'user_contributions';
        const higher = Math.max(
          inherited.get(user ?? 0) ?? 0,
          ...above.map((id) => roles.get(id)?.get(user ?? 0) ?? 0),
        );
        const left = isMember && user !== null && user !== importer && higher > level;
        if (isMember && user !== null && problem === null && !left) own.set(user, level);
        const reason =
          problem ??
          (left
            ? inheritsProblem({
                source_id: source_id as number,
                username: this.#people.get(source_id as number)?.username ?? null,
              })
            : (person?.problem ?? (person ? null : HAS_NO_ID)));
        return reason === null ? [] : [{ file: file(relation), line, relation, reason }];
      });
    });
  }
}

/** The highest role of users in groups. */
async function rolesIn(
  ctx: SignedInContext,
  namespaces: readonly number[],
  people: readonly MatchedPerson[],
  today: string,
): Promise<Map<number, number>> {
  if (namespaces.length === 0) return new Map();
  const users = people.map(({ user_id: id }) => id as number);
  const rows = await tables({ ctx })
    .selectFrom('group_members as m')
    .select(({ cast, fn }) => ['m.user_id as id', cast<number>(fn.max('m.access_level'), 'integer').as('level')])
    .where('m.namespace_id', '=', anyOf(namespaces, 'bigint'))
    .where('m.user_id', '=', anyOf(users, 'bigint'))
    .where(unexpired('m', today))
    .groupBy('m.user_id')
    .execute();
  return new Map(rows.map(({ id, level }) => [id, level]));
}
