import type { Problems } from '../../core/values/errors.js';
import type { Context } from '../../core/context/context.js';
import { TAKEN, onUniqueViolation } from '../../core/values/database-errors.js';
import { anyOf } from '../../core/database/expressions.js';
import { violatedConstraint } from '../../core/database/database.js';
import { Invalid } from '../../core/values/errors.js';
import { isValidBranchName } from '../../git/index.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { Namespace, VISIBILITY, visibilityRank } from '../namespaces/namespace.entity.js';
import { pathProblem } from '../namespaces/paths.js';
import { declaredProblems } from '../namespaces/declared-settings.js';
import { declaredGroupSettings } from './declared-group-settings.js';
import type { GroupSettingValues } from './group.params.js';

/** Groups above a group, at most. */
export const MAX_ANCESTORS = 20;

const GROUP_NAME =
  /^(?:\p{L}|\p{N}|\p{Extended_Pictographic}|_)(?:\p{L}|\p{N}|\p{M}|\p{Pd}|\p{Extended_Pictographic}|\u200d|\ufe0f|[_.() ])*$/u;

function nameProblem(name: string): string | null {
  if (name.trim() === '') return "can't be blank";
  if ([...name].length > 255) return 'is too long (maximum is 255 characters)';
  return GROUP_NAME.test(name)
    ? null
    : "can contain only letters, digits, emoji, '_', '.', dash, space, parenthesis. It must start with letter, digit, emoji or '_'.";
}

interface GroupValues extends Partial<GroupSettingValues> {
  name?: string | undefined;
  path?: string | undefined;
  description?: string | null | undefined;
}

/** Validates a group's own values. `nested` is for subgroups, whose paths may be words reserved at the top level. */
export function valueProblems(values: GroupValues, nested: boolean): Problems {
  const problems: Problems = {};
  const note = (field: string, problem: string | null) => {
    if (problem !== null) problems[field] = [problem];
  };
  if (values.name !== undefined) note('name', nameProblem(values.name));
  if (values.path !== undefined) note('path', pathProblem(values.path, nested ? 'nested' : 'top'));
  if ((values.description ?? '').length > 500) note('description', 'is too long (maximum is 500 characters)');
  if (values.default_branch && !isValidBranchName(values.default_branch)) note('default_branch', 'is invalid');
  return { ...problems, ...declaredProblems(declaredGroupSettings, { ...values }) };
}

/** The index that keeps two subgroups of one group from having one name. */
const NAME_INDEX = 'namespaces_name_in_parent';

onUniqueViolation(NAME_INDEX, () => new Invalid({ name: [TAKEN] }));

/** Whether an error means that a concurrent request took the name of a subgroup. */
export const isNameTaken = (error: unknown): boolean => violatedConstraint(error) === NAME_INDEX;

/** A name is one subgroup's within a group; at the top several groups may share one. */
export async function groupNameProblems(
  ctx: Context,
  name: string,
  parentId: number | null | undefined,
  except: number | null = null,
): Promise<Problems> {
  if (!parentId) return {};
  const count = await ctx.em.count(Namespace, {
    parent_id: parentId,
    name,
    ...(except === null ? {} : { id: { $ne: except } }),
  });
  return count === 0 ? {} : { name: [TAKEN] };
}

const above = (visibility: string, limit: string) => visibilityRank(visibility) > visibilityRank(limit);

/** A subgroup is never more visible than what it lies in. */
export function groupVisibilityProblems(visibility: string, parent: { visibility: string } | null): Problems {
  if (!parent || !above(visibility, parent.visibility)) return {};
  return {
    visibility_level: [`${visibility} is not allowed since the parent group has a ${parent.visibility} visibility.`],
  };
}

/** A group is never less visible than what lies in it. */
export async function loweringProblems(ctx: Context, groupId: number, visibility: string): Promise<Problems> {
  const wider = VISIBILITY.filter((level) => above(level, visibility));
  const row = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectNoFrom((eb) => {
      const one = eb.lit(1).as('one');
      const isWider = anyOf(wider, 'text');
      const projects = eb.selectFrom('projects as p').select(one).where('p.namespace_id', '=', groupId);
      const subgroups = eb.selectFrom('namespaces as d').select(one).where('d.parent_id', '=', groupId);
      return [
        eb.exists(projects.where('p.visibility', '=', isWider)).as('projects'),
        eb.exists(subgroups.where('d.visibility', '=', isWider)).as('subgroups'),
      ];
    })
    .executeTakeFirst();
  const texts: string[] = [];
  if (row?.projects)
    texts.push(`${visibility} is not allowed since this group contains projects with higher visibility.`);
  if (row?.subgroups) texts.push(`${visibility} is not allowed since there are sub-groups with higher visibility.`);
  return texts.length === 0 ? {} : { visibility_level: texts };
}

/** Formats problems in the notation that clients of the public API match on: `{:path=>["has already been taken"]}`. */
export function saveFailure(problems: Problems): Invalid {
  const entries = Object.entries(problems).map(
    ([field, texts]) => `:${field}=>[${texts.map((text) => JSON.stringify(text)).join(', ')}]`,
  );
  return new Invalid(`Failed to save group {${entries.join(', ')}}`);
}
