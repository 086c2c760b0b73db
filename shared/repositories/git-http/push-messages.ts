import type { SignedInContext } from '../../core/context/context.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';

/** Message lines for the pushing user's terminal; branches by their short names. */
type MessageSource = (
  ctx: SignedInContext,
  project: ProjectRecord,
  branches: readonly string[],
) => Promise<readonly string[]>;

const sources: MessageSource[] = [];

/** Has pushes answered with more than their report. Called where a domain's registry is made. */
export function addPushMessages(source: MessageSource): void {
  sources.push(source);
}

/** The lines for a push that has landed: that one of them cannot be made is no reason to call it failed. */
export async function pushMessages(
  ctx: SignedInContext,
  project: ProjectRecord,
  branches: readonly string[],
): Promise<readonly string[]> {
  if (branches.length === 0) return [];
  const lines = await Promise.all(
    sources.map((source) =>
      source(ctx, project, branches).catch((error: unknown) => {
        ctx.log.warn({ err: error, project_id: project.id }, 'push.without_messages');
        return [];
      }),
    ),
  );
  return lines.flat();
}
