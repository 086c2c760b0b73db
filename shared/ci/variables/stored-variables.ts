import { expressionBuilder } from 'kysely';
import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, cast, constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { CiDatabase } from '../ci.entities.js';
import { CiVariable } from './ci-variable.entity.js';
import { decryptValue } from './variable-values.js';

/** What a pipeline or a job runs on. */
interface VariableTarget {
  /** Full name of the branch or tag. */
  readonly ref: string;
  /** Whether the branch or tag is protected. */
  readonly isProtected: boolean;
  /** Name of the environment that the job deploys to; null without one. */
  readonly environment: string | null;
}

/** A variable as jobs receive it. */
export interface StoredVariable {
  readonly value: string;
  readonly masked: boolean;
  /** Whether references to other variables in the value are replaced. */
  readonly expand: boolean;
  readonly protected: boolean;
  readonly variable_type: string;
  /** Whose variable it is. */
  readonly level: 'project' | 'group' | 'instance';
}

interface Values {
  projectId: number;
  namespaceIds: readonly number[];
  isProtected: boolean;
  environment: string | null;
}

const onVariables = expressionBuilder<Aliased<CiDatabase, { v: 'ci_variables' }>, 'v'>();

/** A scope as a pattern of `like`: of its characters only `_` means anything there, and `%` is none of them. */
const scopePattern = onVariables.fn<string>('replace', [
  onVariables.fn<string>('replace', ['v.environment_scope', constant('_'), constant('\\_')]),
  constant('*'),
  constant('%'),
]);

const findVariables = prepareQuery((db: Kysely<CiDatabase>, values: Placeholders<Values>) =>
  db
    .selectFrom('ci_variables as v')
    .select(columns(CiVariable, 'v'))
    .where((eb) =>
      eb.or([
        eb('v.project_id', '=', cast(values.projectId, 'bigint')),
        eb('v.namespace_id', '=', anyOf(values.namespaceIds, 'bigint')),
        eb.and([eb('v.project_id', 'is', null), eb('v.namespace_id', 'is', null)]),
      ]),
    )
    .where((eb) =>
      eb.or([eb('v.protected', '=', constant(false)), eb(cast(values.isProtected, 'boolean'), '=', constant(true))]),
    )
    .where((eb) =>
      eb.or([
        eb('v.environment_scope', '=', constant('*')),
        // Null, and so not met, without an environment.
        eb(cast(values.environment, 'text'), 'like', scopePattern),
      ]),
    ),
);

/** How specific a scope is for that environment: its very name, then the pattern with the longest text, `*` last. */
const scopeRank = (scope: string, environment: string | null): number =>
  scope === environment ? Number.MAX_SAFE_INTEGER : scope.replaceAll('*', '').length;

function getLevel({ project_id: projectId, namespace_id: namespaceId }: CiVariable): StoredVariable['level'] {
  if (projectId) return 'project';
  return namespaceId ? 'group' : 'instance';
}

/** Whether the first of two variables with the same key counts, and not the second. */
function precedes(one: CiVariable, other: CiVariable, namespaceIds: readonly number[], environment: string | null) {
  const levelRank = ({ project_id: projectId, namespace_id: namespaceId }: CiVariable) =>
    projectId ? namespaceIds.length : namespaceIds.indexOf(namespaceId ?? 0);
  const byLevel = levelRank(one) - levelRank(other);
  if (byLevel !== 0) return byLevel > 0;
  const byScope = scopeRank(one.environment_scope, environment) - scopeRank(other.environment_scope, environment);
  return byScope === 0 ? one.id < other.id : byScope > 0;
}

/**
 * The variables that a project, the groups above it and the instance give its pipelines, by key: the project's before
 * those of the nearest group, and the instance's last; within one level that with the most specific scope. Values are
 * secrets. One statement; only values that count are decrypted.
 * @returns a hash without a prototype, since keys are users' own
 * @throws Error if a value cannot be decrypted
 */
export async function loadStoredVariables(
  ctx: Context,
  project: Pick<ProjectRecord, 'id' | 'namespace'>,
  { isProtected, environment }: VariableTarget,
): Promise<Record<string, StoredVariable>> {
  const namespaceIds = project.namespace.traversal_ids;
  const rows = await findVariables(ctx, { projectId: project.id, namespaceIds, isProtected, environment });
  const byKey = new Map<string, CiVariable>();
  for (const row of rows) {
    const before = byKey.get(row.key);
    if (!before || precedes(row, before, namespaceIds, environment)) byKey.set(row.key, row);
  }
  const variables = Object.create(null) as Record<string, StoredVariable>;
  for (const [key, row] of byKey)
    variables[key] = {
      value: decryptValue(ctx, row),
      masked: row.masked,
      expand: !row.raw,
      protected: row.protected,
      variable_type: row.variable_type,
      level: getLevel(row),
    };
  return variables;
}
