import type { Expression, SqlBool } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { boolean, integer, optional, text } from '../../core/operations/fields.js';
import { constant, sameText, scalar, unnested } from '../../core/database/expressions.js';
import { onProjects } from '../projects/project.finder.js';
import { membershipCondition } from './project-access-filters.js';

const REPORTER = 20;

/** Parameters about a project's features (projects.md section 2). */
export const featureFilterParams = {
  with_issues_enabled: optional(boolean()).describe(
    'If `true`, returns only projects whose issues the caller can see.',
  ),
  with_merge_requests_enabled: optional(boolean()).describe(
    'If `true`, returns only projects whose merge requests the caller can see.',
  ),
};

/** Names one by one, as some clients send them, as they are between commas. */
const joined = (value: unknown) =>
  Array.isArray(value) && value.every((name) => typeof name === 'string') ? value.join(',') : value;

/** Parameters about a project's topics and contents. */
export const resourceFilterParams = {
  topic: optional(z.preprocess(joined, text()).meta({ type: 'string' })).describe(
    'Names of topics, separated by commas, that the projects have all of.',
  ),
  topic_id: optional(integer()).describe('ID of a topic of the project.'),
  with_programming_language: optional(text()).describe('Programming language that the project contains code in.'),
};

export type FeatureFilters = Partial<
  z.output<z.ZodObject<typeof featureFilterParams>> & z.output<z.ZodObject<typeof resourceFilterParams>>
>;

const isAt = (
  feature: 'issues' | 'merge_requests' | 'repository',
  level: 'disabled' | 'enabled' | 'private',
): Expression<SqlBool> => onProjects(`p.${feature}_access_level`, '=', constant(level));

/** The feature is enabled and accessible to the caller: `private` limits it to members. */
function open(ctx: Context, feature: 'issues' | 'merge_requests'): Expression<SqlBool> {
  if (ctx.caller.admin) return onProjects(`p.${feature}_access_level`, '<>', constant('disabled'));
  const forMembers = onProjects.and([isAt(feature, 'private'), membershipCondition(ctx)]);
  return onProjects.or([isAt(feature, 'enabled'), forMembers]);
}

/** Projects whose code the caller may read, among the visible ones: the same rule as `read_code`. */
function codeOpen(ctx: Context): Expression<SqlBool> {
  const isOn = onProjects('p.repository_access_level', '<>', constant('disabled'));
  if (ctx.caller.admin) return isOn;
  const isOpen = onProjects('p.visibility', '<>', constant('private'));
  return onProjects.or([
    onProjects.and([isAt('repository', 'enabled'), isOpen]),
    onProjects.and([isAt('repository', 'private'), isOpen, membershipCondition(ctx)]),
    onProjects.and([isOn, membershipCondition(ctx, REPORTER)]),
  ]);
}

/** Projects `p` with a topic, whatever the case of its name. */
function hasTopic(name: string): Expression<SqlBool> {
  const topic = onProjects
    .selectFrom('topics as t')
    .select('t.id')
    .where((eb) => sameText(eb.ref('t.name'), name));
  const ids = onProjects.selectFrom('project_topics as pt').select('pt.project_id').where('pt.topic_id', '=', topic);
  return onProjects('p.id', 'in', ids);
}

/** Beyond so many topics planning a join for each would take longer than any search. */
const JOINED_TOPICS = 4;

/** Conditions that hold where a project `p` has all topics, whatever their case. */
export function hasTopics(names: readonly string[]): Expression<SqlBool>[] {
  const joined = names.slice(0, JOINED_TOPICS).map(hasTopic);
  const rest = names.slice(JOINED_TOPICS);
  if (rest.length === 0) return joined;
  const topicNames = onProjects
    .selectFrom(unnested(rest, 'text').as('n'))
    .select((eb) => eb.fn<string>('lower', ['n.value']).as('name'))
    .distinct();
  const ids = onProjects
    .selectFrom('project_topics as pt')
    .innerJoin('topics as t', 't.id', 'pt.topic_id')
    .innerJoin(topicNames.as('w'), (join) => join.on((on) => on('w.name', '=', on.fn<string>('lower', ['t.name']))))
    .select('pt.project_id')
    .groupBy('pt.project_id')
    .having((eb) => {
      const all = eb.selectFrom(topicNames.as('w')).select((of) => of.fn.countAll<number>().as('count'));
      return eb(eb.fn.countAll<number>(), '=', scalar(all));
    });
  return [...joined, onProjects('p.id', 'in', ids)];
}

/** Projects `p` with code in a language. */
function isWrittenIn(language: string): Expression<SqlBool> {
  const ids = onProjects
    .selectFrom('project_languages as pl')
    .select('pl.project_id')
    .where((eb) => sameText(eb.ref('pl.name'), language));
  return onProjects('p.id', 'in', ids);
}

/** Projects `p` with the topic of an id. */
function isAbout(topicId: number): Expression<SqlBool> {
  const ids = onProjects.selectFrom('project_topics as pt').select('pt.project_id').where('pt.topic_id', '=', topicId);
  return onProjects('p.id', 'in', ids);
}

/** `a, b,,` names two topics. */
const namesIn = (nameList: string): string[] => [
  ...new Set(
    nameList
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

/** Conditions on `p`. `false` counts as not submitted. */
export function featureConditions(ctx: Context, input: FeatureFilters): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (input.with_issues_enabled) conditions.push(open(ctx, 'issues'));
  if (input.with_merge_requests_enabled) conditions.push(open(ctx, 'merge_requests'));
  if (input.topic !== undefined) conditions.push(...hasTopics(namesIn(input.topic)));
  if (input.topic_id !== undefined) conditions.push(isAbout(input.topic_id));
  // Callers without access to the code must not learn its languages.
  if (input.with_programming_language !== undefined && input.with_programming_language !== '')
    conditions.push(isWrittenIn(input.with_programming_language), codeOpen(ctx));
  return conditions;
}
