import type { UserOrAnonymous } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { Forbidden } from '../../core/values/errors.js';
import { refRights } from '../../repositories/protected-refs/ref-rights.js';
import type { RefRights } from '../../repositories/protected-refs/ref-rights.js';
import { fullRefName } from '../../repositories/repositories/ref-records.js';
import { isTagRef } from '../../repositories/repositories/repository-ref.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';

/** One question: may this user have pipelines made on this ref of this project. */
export interface PipelineQuestion {
  caller: UserOrAnonymous;
  /** With the access of this very user. */
  project: ProjectRecord;
  /** `refs/heads/…` or `refs/tags/…`. */
  ref: string;
}

/** `allowed`, or what prevents it: the user's role, or the protection of the ref. */
export type PipelineRight = 'allowed' | 'role' | 'ref';

/**
 * Running pipelines on a protected branch requires permission to push or merge to it; on a protected tag, to create it.
 */
const opens = (ref: string, rights: RefRights) =>
  !rights.protected || (isTagRef(ref) ? rights.create : rights.push || rights.merge);

/**
 * Whether users may run pipelines on refs: Developers on any unprotected ref, and on a protected one by its protection
 * rules (pipeline-schedules.md section 3). Results are in the order of the questions, by one statement for many users,
 * projects and refs.
 */
export async function pipelineRights(ctx: Context, questions: readonly PipelineQuestion[]): Promise<PipelineRight[]> {
  const withRole = questions.filter(({ caller, project }) => projectPolicy.create_pipeline(caller, project));
  const rights = await refRights(
    ctx,
    withRole.map(({ caller, project, ref }) => ({
      project_id: project.id,
      full_name: ref,
      user_id: caller.id,
      admin: caller.admin,
      access: project.access,
    })),
  );
  const answers = new Map(
    withRole.map((question, index) => [question, opens(question.ref, rights[index] as RefRights) ? 'allowed' : 'ref']),
  );
  return questions.map((question) => (answers.get(question) as PipelineRight | undefined) ?? 'role');
}

/** Whether the caller may have pipelines made on a ref, `refs/heads/…` or `refs/tags/…`. */
export async function mayRunOnRef(ctx: Context, project: ProjectRecord, ref: string): Promise<boolean> {
  const [right] = await pipelineRights(ctx, [{ caller: ctx.caller, project, ref }]);
  return right === 'allowed';
}

/** @throws Forbidden when the caller may have no pipelines made on the ref */
export async function requireRunOnRef(ctx: Context, project: ProjectRecord, ref: string): Promise<void> {
  if (!(await mayRunOnRef(ctx, project, ref))) throw new Forbidden();
}

/** A pipeline, as far as the right to change its state depends on it. */
interface OnRef {
  project: ProjectRecord;
  ref: string;
  tag: boolean;
}

/**
 * Changing a pipeline's state requires permission to create it.
 * @throws Forbidden if the caller may not run pipelines on its ref
 */
export function requireMovable(ctx: Context, { project, tag, ref }: OnRef): Promise<void> {
  return requireRunOnRef(ctx, project, fullRefName(tag ? 'tag' : 'branch', ref));
}
