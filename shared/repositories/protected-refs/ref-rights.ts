import type { Context } from '../../core/context.js';
import { ACCESS_LEVELS } from '../../core/policy.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { groupHasProject, today, unexpired } from '../../tenancy/access/access.js';

/** One question: what may a user do with a ref, as far as its protection is concerned. */
export interface RefQuestion {
  project_id: number;
  /** `refs/heads/…` or `refs/tags/…`. */
  full_name: string;
  /** 0 for an anonymous caller. */
  user_id: number;
  admin: boolean;
  /** The user's effective access level in the project. */
  access: number;
  /** The deploy key that is used, none unless given; the user is its owner then. */
  deploy_key_id?: number | null;
}

/** The answer. On a ref that no rule matches nothing is refused. */
export interface RefRights {
  protected: boolean;
  push: boolean;
  /** To move the branch to a commit that does not come after what it holds: whoever may push, where a rule lets them. */
  forcePush: boolean;
  merge: boolean;
  create: boolean;
  /** Everybody with the Developer role passes the rule. */
  developersPush: boolean;
  developersMerge: boolean;
}

interface AnswerRow {
  question: number;
  action: 'push' | 'merge' | 'create' | null;
  allowed: boolean | null;
  developers: boolean | null;
  force: boolean;
}

/**
 * SQL: whether entry `l` counts on the instance's plan. Below Premium those that name a user or a group are kept and
 * rest until the plan has them again (README "Plans and offerings").
 */
export function inForce(ctx: Context): Fragment {
  return ctx.hasPlan('premium') ? sql`true` : sql`l.user_id is null and l.group_id is null`;
}

/** SQL: whether a deploy key that entry `l` names may push to the project, as long as its owner may: question `q` is the owner's. */
const keyPushes = (now: Date): Fragment => sql`
  (q.admin or q.access >= ${ACCESS_LEVELS.developer}) and exists (
    select 1 from deploy_keys_projects d join deploy_keys k on k.id = d.deploy_key_id
     where d.project_id = l.project_id and d.deploy_key_id = l.deploy_key_id and d.can_push
       and k.user_id = q.user_id and (k.expires_at is null or k.expires_at > ${now}))`;

/**
 * SQL: whether entry `l` admits the user, or the deploy key, of question `q (user_id, admin, access, deploy_key_id)`
 * (protected-tags.md section 5). Level 0 admits nobody.
 */
export function admits(ctx: Context): Fragment {
  const day = today(ctx);
  return sql`
    case
      when l.access_level is not null then l.access_level > 0 and (q.admin or q.access >= l.access_level)
      when l.user_id is not null then l.user_id = q.user_id and (q.admin or q.access > 0)
      when l.group_id is not null then exists (
        select 1 from group_members m join namespaces g on g.id = l.group_id
         where m.user_id = q.user_id and m.namespace_id = any(g.traversal_ids)
           and ${unexpired('m', day)}) and exists (
        -- Its share may have ended, or the project may lie elsewhere by now.
        select 1 from projects p join namespaces n on n.id = p.namespace_id
         where p.id = l.project_id and ${groupHasProject(raw('l.group_id'), day)})
      else l.deploy_key_id = q.deploy_key_id and ${keyPushes(ctx.clock.now())}
    end`;
}

function answers(ctx: Context, kind: 'branch' | 'tag'): Fragment {
  const rules = raw(kind === 'branch' ? 'protected_branches' : 'protected_tags');
  const levels = raw(kind === 'branch' ? 'protected_branch_access_levels' : 'protected_tag_access_levels');
  const force = raw(kind === 'branch' ? 'r.allow_force_push' : 'false');
  const parent = raw(kind === 'branch' ? 'protected_branch_id' : 'protected_tag_id');
  return sql`
    select q.question, l.action, bool_or(${admits(ctx)}) as allowed, bool_or(l.access_level = 30) as developers,
           bool_or(${force}) as force
      from questions q
      join ${rules} r on r.project_id = q.project_id and q.name like r.name_pattern
      left join ${levels} l on l.${parent} = r.id and l.action <> 'unprotect' and ${inForce(ctx)}
     where q.kind = ${kind} group by q.question, l.action`;
}

const FREE: RefRights = {
  protected: false,
  push: true,
  forcePush: true,
  merge: true,
  create: true,
  developersPush: false,
  developersMerge: false,
};
const REFUSED: RefRights = { ...FREE, protected: true, push: false, forcePush: false, merge: false, create: false };

function apply(rights: RefRights, row: AnswerRow): RefRights {
  const allowed = row.allowed === true;
  const developers = row.developers === true;
  switch (row.action) {
    case 'push':
      return { ...rights, push: allowed, forcePush: allowed && row.force, developersPush: developers };
    case 'merge':
      return { ...rights, merge: allowed, developersMerge: developers };
    case 'create':
      return { ...rights, create: allowed };
    default:
      return rights;
  }
}

/**
 * Answers many questions with one statement, in their order. Where several rules match a name, what any entry of any
 * of them admits is allowed; a rule without entries admits nobody. The role that pushing, merging or running needs
 * anyway is not asked about here.
 */
export async function refRights(ctx: Context, questions: readonly RefQuestion[]): Promise<RefRights[]> {
  if (questions.length === 0) return [];
  const column = <V>(read: (question: RefQuestion, index: number) => V) => questions.map(read);
  const isTag = (question: RefQuestion) => question.full_name.startsWith('refs/tags/');
  const rows = await ctx.query<AnswerRow>(sql`
    with questions as (
      select * from unnest(
        ${column((_, index) => index)}::int[], ${column((question) => question.project_id)}::bigint[],
        ${column((question) => (isTag(question) ? 'tag' : 'branch'))}::text[],
        ${column((question) => question.full_name.replace(/^refs\/(heads|tags)\//, ''))}::text[],
        ${column((question) => question.user_id)}::bigint[], ${column((question) => question.admin)}::bool[],
        ${column((question) => question.access)}::int[],
        ${column((question) => question.deploy_key_id ?? null)}::bigint[])
        as u (question, project_id, kind, name, user_id, admin, access, deploy_key_id))
    ${answers(ctx, 'branch')} union all ${answers(ctx, 'tag')}`);
  const found: RefRights[] = questions.map(() => FREE);
  for (const row of rows) {
    const before = found[row.question] as RefRights;
    found[row.question] = apply(before.protected ? before : REFUSED, row);
  }
  return found;
}
