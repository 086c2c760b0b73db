import type { ContainerKind } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { ACCESS_LEVELS } from '../../core/policy.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { today, unexpired } from '../../tenancy/access/access.js';
import type { EntryKind, EnvironmentEntryRecord } from './environment-entries.js';
import { groupBelongs, roleAt } from './who-may-be-named.js';

/** An environment as far as it decides what protects it. */
export interface DeployPlace {
  readonly project_id: number;
  readonly name: string;
  readonly tier: string;
}

/** Who is asked about. */
export interface Deployer {
  /** Of the user; 0 for nobody. */
  readonly id: number;
  /** `stored`: as the users' table says. */
  readonly admin: boolean | 'stored';
}

const isAdmin = ({ id, admin }: Deployer): Fragment =>
  admin === 'stored'
    ? sql`coalesce((select known.admin from users known where known.id = ${id}), false)`
    : sql`${admin}::bool`;

const asked = (places: readonly DeployPlace[], deployer: Deployer): Fragment => sql`
  select u.*, ${deployer.id}::bigint as user_id, ${isAdmin(deployer)} as admin
    from unnest(${places.map((_, index) => index)}::int[], ${places.map((place) => place.project_id)}::bigint[],
                ${places.map((place) => place.name)}::text[], ${places.map((place) => place.tier)}::text[])
      as u (question, project_id, name, tier)`;

/**
 * SQL: the protected environments that govern each of `questions`: the project's of that name, and those for its tier of
 * the project's group and every group above it.
 */
const GOVERNING = sql`
  select q.question, q.user_id, q.admin, 0 as depth, pe.id, pe.project_id, pe.namespace_id, pe.name,
         pe.required_approval_count
    from questions q join protected_environments pe on pe.project_id = q.project_id and pe.name = q.name
  union all
  select q.question, q.user_id, q.admin, cardinality(n.traversal_ids) + 1 - array_position(n.traversal_ids, pe.namespace_id),
         pe.id, pe.project_id, pe.namespace_id, pe.name, pe.required_approval_count
    from questions q join projects p on p.id = q.project_id join namespaces n on n.id = p.namespace_id
    join protected_environments pe on pe.namespace_id = any(n.traversal_ids) and pe.name = q.tier`;

/** SQL: whether group entry `l` counts the user of `pe` among its members. */
const isMember = (day: string): Fragment => sql`exists (
  select 1 from namespaces named join group_members m on m.namespace_id = any(named.traversal_ids)
   where named.id = l.group_id and m.user_id = pe.user_id and m.access_level >= ${ACCESS_LEVELS.guest}
     and (m.namespace_id = named.id or l.group_inheritance_type = 1) and ${unexpired('m', day)})`;

/**
 * SQL: whether entry `l` names the user of `pe (user_id, admin, role, …)` at this moment: administrators always. A user
 * who has no role there any more is named in vain, and so is a group that does not belong there any more.
 */
const names = (day: string): Fragment => sql`
  case
    when pe.admin then true
    when l.access_level is not null then pe.role >= l.access_level
    when l.user_id is not null then l.user_id = pe.user_id and pe.role > 0
    else ${isMember(day)} and ${groupBelongs(day)}
  end`;

/** The common part: `governing`, with the role of who is asked about in each container. */
const governingOf = (places: readonly DeployPlace[], deployer: Deployer, day: string): Fragment => sql`
  questions as (${asked(places, deployer)}), found as (${GOVERNING}),
  governing as materialized (select pe.*, ${roleAt(raw('pe.user_id'), day)} as role from found pe)`;

/**
 * Whether protection lets the caller deploy to each of the places, in their order: every governing entry has to admit
 * them, by any of its deploy levels (protected-environments.md section 7). Asked of memberships as they are, by one
 * statement. The role that deploying needs anyway is not asked about. Without Premium nothing is protected.
 */
export async function admittedTo(
  ctx: Context,
  places: readonly DeployPlace[],
  deployer: Deployer = ctx.caller,
): Promise<boolean[]> {
  if (places.length === 0 || deployer.admin === true || !ctx.hasPlan('premium')) return places.map(() => true);
  const day = today(ctx);
  const refused = await ctx.query<{ question: number }>(sql`
    with ${governingOf(places, deployer, day)}
    select distinct pe.question as "question" from governing pe
     where not exists (select 1 from protected_environment_deploy_levels l
                        where l.protected_environment_id = pe.id and ${names(day)})`);
  const closed = new Set(refused.map(({ question }) => question));
  return places.map((_, index) => !closed.has(index));
}

/** An entry, and whether it names who was asked about at this moment. */
export interface AskedEntry extends EnvironmentEntryRecord {
  names: boolean;
}

/** One protected environment that governs a place. */
export interface GoverningEnvironment {
  id: number;
  name: string;
  required_approval_count: number;
  /** Where it belongs, with its full path. */
  container: { kind: ContainerKind; id: number; full_path: string };
  deploy_access_levels: AskedEntry[];
  approval_rules: AskedEntry[];
}

interface Row extends AskedEntry {
  question: number;
  protection_id: number;
  protected_name: string;
  required_approval_count: number;
  project_id: number | null;
  namespace_id: number | null;
  full_path: string;
  kind: EntryKind;
}

const entriesIn = (kind: EntryKind, table: Fragment, approvals: Fragment): Fragment => sql`
  select pe.id as owner, ${kind}::text as kind, l.id, l.access_level, l.user_id, l.group_id, l.group_inheritance_type,
         ${approvals} as required_approvals
    from governing_ids pe join ${table} l on l.protected_environment_id = pe.id`;

/** What governs a place, read from its rows. */
function grouped(rows: readonly Row[]): GoverningEnvironment[] {
  return [...Map.groupBy(rows, (row) => row.protection_id).values()].map((entries) => {
    const [first] = entries as [Row, ...Row[]];
    const { project_id: projectId, namespace_id: namespaceId } = first;
    const ofKind = (kind: EntryKind) => entries.filter((row) => row.kind === kind);
    return {
      id: first.protection_id,
      name: first.protected_name,
      required_approval_count: first.required_approval_count,
      container: {
        kind: projectId === null ? ('group' as const) : ('project' as const),
        id: (projectId ?? namespaceId) as number,
        full_path: first.full_path,
      },
      deploy_access_levels: ofKind('deploy_access_levels'),
      approval_rules: ofKind('approval_rules'),
    };
  });
}

/** SQL: all entries of all that governs the places, or a row without one; whether each names who is asked about. */
const rowsOf = (places: readonly DeployPlace[], deployer: Deployer, day: string): Fragment => sql`
  with ${governingOf(places, deployer, day)}, governing_ids as (select distinct g.id from governing g),
  entries as (
    ${entriesIn('deploy_access_levels', raw('protected_environment_deploy_levels'), raw('1'))}
    union all
    ${entriesIn('approval_rules', raw('protected_environment_approval_rules'), raw('l.required_approvals'))})
  select pe.question, pe.depth, pe.id as protection_id, pe.name as protected_name, pe.required_approval_count,
         pe.project_id, pe.namespace_id, coalesce(
           (select r.path from routes r where r.project_id = pe.project_id),
           (select r.path from routes r where r.namespace_id = pe.namespace_id)) as full_path,
         l.kind, l.id, l.access_level, l.user_id, l.group_id, l.group_inheritance_type, l.required_approvals,
         u.name as user_name, g.name as group_name, coalesce(${names(day)}, false) as names
    from governing pe
    left join entries l on l.owner = pe.id
    left join users u on u.id = l.user_id left join namespaces g on g.id = l.group_id`;

const IN_ORDER = raw('order by r.question, r.depth, r.protection_id, r.id');

/**
 * What governs each of the places, in their order, from the project up to the root group, with all entries and whether
 * they name who is asked about. One statement. Empty without Premium.
 */
export async function governingEntries(
  ctx: Context,
  places: readonly DeployPlace[],
  deployer: Deployer = ctx.caller,
): Promise<GoverningEnvironment[][]> {
  if (places.length === 0 || !ctx.hasPlan('premium')) return places.map(() => []);
  const rows = await ctx.query<Row>(sql`select r.* from (${rowsOf(places, deployer, today(ctx))}) r ${IN_ORDER}`);
  const byPlace = Map.groupBy(rows, (row) => row.question);
  return places.map((_, index) => grouped(byPlace.get(index) ?? []));
}

/**
 * The same of one place and a user, together with what else is asked about that user, by one statement.
 * @param facts SQL of a table of one row, or of none for an unknown user, whose columns are `F`
 * @returns null for an unknown user
 */
export async function governingOfUser<F extends object>(
  ctx: Context,
  place: DeployPlace,
  userId: number,
  facts: Fragment,
): Promise<{ facts: F; governing: GoverningEnvironment[] } | null> {
  const places = ctx.hasPlan('premium') ? [place] : [];
  const rows = await ctx.query<Row & { facts: F }>(sql`
    select to_jsonb(f) as facts, r.* from (${facts}) f
      left join (${rowsOf(places, { id: userId, admin: 'stored' }, today(ctx))}) r on true ${IN_ORDER}`);
  const [first] = rows;
  return first ? { facts: first.facts, governing: grouped(rows.filter((row) => row.protection_id !== null)) } : null;
}
