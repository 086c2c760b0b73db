import { z } from 'zod';
import type { Context } from '../../core/context.js';
import { boolean, integer, optional, text } from '../../core/fields.js';
import { or, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { membershipCondition } from './project-access-filters.js';

const REPORTER = 20;

/** Parameters about what a project offers (projects.md section 2). */
export const featureFilterParams = {
  with_issues_enabled: optional(boolean()).describe('Only projects whose issues the caller may see.'),
  with_merge_requests_enabled: optional(boolean()).describe('Only projects whose merge requests the caller may see.'),
};

/** Names one by one, as some clients send them, as they are between commas. */
const joined = (given: unknown) =>
  Array.isArray(given) && given.every((name) => typeof name === 'string') ? given.join(',') : given;

/** Parameters about what a project is about. */
export const subjectFilterParams = {
  topic: optional(z.preprocess(joined, text()).meta({ type: 'string' })).describe(
    'Names of topics, separated by commas: all of them are attached.',
  ),
  topic_id: optional(integer()).describe('Only projects with this topic.'),
  with_programming_language: optional(text()).describe('Only projects with code in this language.'),
};

export type FeatureFilters = Partial<
  z.output<z.ZodObject<typeof featureFilterParams>> & z.output<z.ZodObject<typeof subjectFilterParams>>
>;

/** A feature that is on and open to the caller: what is `private` is open to members alone. */
function open(ctx: Context, feature: 'issues' | 'merge_requests'): Fragment {
  const level = raw(`p.${feature}_access_level`);
  if (ctx.caller.admin) return sql`${level} <> 'disabled'`;
  return sql`${level} = 'enabled' or (${level} = 'private' and ${membershipCondition(ctx)})`;
}

/** Whose code the caller reads, the same rule as `read_code`, of projects that the caller sees. */
function codeOpen(ctx: Context): Fragment {
  if (ctx.caller.admin) return sql`p.repository_access_level <> 'disabled'`;
  return or([
    sql`p.repository_access_level = 'enabled' and p.visibility <> 'private'`,
    sql`p.repository_access_level = 'private' and p.visibility <> 'private' and ${membershipCondition(ctx)}`,
    sql`p.repository_access_level <> 'disabled' and ${membershipCondition(ctx, REPORTER)}`,
  ]);
}

/** Projects `p` with a topic, whatever the case of its name. */
const hasTopic = (name: string): Fragment => sql`p.id in (
  select pt.project_id from project_topics pt
   where pt.topic_id = (select t.id from topics t where lower(t.name) = lower(${name})))`;

/** Beyond so many topics planning a join for each would take longer than any search. */
const JOINED_TOPICS = 4;

/** Conditions that hold where a project `p` has all topics, whatever their case. */
export function hasTopics(names: readonly string[]): Fragment[] {
  const joined = names.slice(0, JOINED_TOPICS).map(hasTopic);
  const rest = names.slice(JOINED_TOPICS);
  if (rest.length === 0) return joined;
  const wanted = sql`(select distinct lower(n) as name from unnest(${rest}::text[]) n)`;
  return [
    ...joined,
    sql`p.id in (select pt.project_id from project_topics pt join topics t on t.id = pt.topic_id
      join ${wanted} w on w.name = lower(t.name)
      group by pt.project_id having count(*) = (select count(*) from ${wanted} w))`,
  ];
}

/** `a, b,,` names two topics. */
const namesIn = (given: string): string[] => [
  ...new Set(
    given
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

/** Conditions on `p`. What is false is as if it were not sent. */
export function featureConditions(ctx: Context, input: FeatureFilters): Fragment[] {
  const conditions: Fragment[] = [];
  if (input.with_issues_enabled) conditions.push(open(ctx, 'issues'));
  if (input.with_merge_requests_enabled) conditions.push(open(ctx, 'merge_requests'));
  if (input.topic !== undefined) conditions.push(...hasTopics(namesIn(input.topic)));
  if (input.topic_id !== undefined)
    conditions.push(sql`p.id in (select pt.project_id from project_topics pt where pt.topic_id = ${input.topic_id})`);
  // What a project is written in, whoever does not read its code shall not find out.
  if (input.with_programming_language !== undefined && input.with_programming_language !== '')
    conditions.push(
      sql`p.id in (select pl.project_id from project_languages pl
        where lower(pl.name) = lower(${input.with_programming_language}))`,
      codeOpen(ctx),
    );
  return conditions;
}
