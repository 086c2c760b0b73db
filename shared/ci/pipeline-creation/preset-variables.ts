import type { Context } from '../../core/context/context.js';
import { refRights } from '../../repositories/protected-refs/ref-rights.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { PresetVariable } from '../configuration/compile.types.js';
import type { PlainVariable } from '../pipelines/insert-pipelines.js';
import { mayRunOnRef } from '../pipelines/pipeline-rights.js';
import { loadStoredVariables } from '../variables/stored-variables.js';

/** Where a variable of a pipeline comes from. */
export type VariableLevel = 'pipeline' | 'project' | 'group' | 'instance';

/** A variable with where it comes from. */
export interface LeveledVariable extends PresetVariable {
  level: VariableLevel;
}

/** Whether a rule protects the ref. */
export async function isProtectedRef(ctx: Context, project: ProjectRecord, ref: string): Promise<boolean> {
  const { caller } = ctx;
  const question = { project_id: project.id, full_name: ref, user_id: caller.id, admin: caller.admin };
  const [rights] = await refRights(ctx, [{ ...question, access: project.access }]);
  return rights?.protected ?? false;
}

/**
 * The variables that a pipeline of the caller has before its file is read. Stored ones are secrets, with which rules
 * are evaluated but which no explanation shows; who may not run a pipeline on the ref gets none of them, since rules
 * would tell their values bit by bit.
 * @param own of the pipeline, which win over stored ones
 * @param hides whether nothing that callers see has the pipeline's own values, and whether explanations do not
 */
export async function loadPresetVariables(
  ctx: Context,
  project: ProjectRecord,
  { ref, isProtected }: { ref: string; isProtected: boolean },
  own: readonly PlainVariable[],
  hides: { masked: boolean; secret: boolean },
): Promise<Record<string, LeveledVariable>> {
  const variables = Object.create(null) as Record<string, LeveledVariable>;
  if (await mayRunOnRef(ctx, project, ref)) {
    const stored = await loadStoredVariables(ctx, project, { ref, isProtected, environment: null });
    for (const [key, { value, expand, level, masked }] of Object.entries(stored))
      variables[key] = { value, expand, level, masked, secret: true };
  }
  for (const { key, value, raw } of own) variables[key] = { value, expand: !raw, level: 'pipeline', ...hides };
  return variables;
}
