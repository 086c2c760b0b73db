import type { SignedInContext } from '../../core/context/context.js';
import type { ProjectTarget } from '../../tenancy/projects/project-target.js';
import { PROJECT_BUNDLE, projectRelationFile } from '../format/layout.js';
import { planLeftOut, readForPlan, PlanSink } from '../import-plans/plan-import.js';
import type { ReadPlan } from '../import-plans/plan-import.js';
import type { PlannedUsers } from '../import-plans/planned-people.js';
import type { PlannedArchive } from '../import-plans/run-import-plan.js';
import type { IncomingEntry } from '../read/entries.js';
import { importedVisibility } from './project-values.js';
import { NO_GROUP, readProject } from '../staging/read-project.js';

/** What an import would do. */
export interface ProjectImportPlan extends ReadPlan {
  name: string;
  full_path: string;
  visibility: string;
  /** Full path of the project that would give way (`overwrite`); null where there is none. */
  replaces: string | null;
  /** Whether the archive has a repository. */
  repository: boolean;
  users: PlannedUsers;
}

/** What the plan of a project needs beside its archive: where the project would be, and the options of the import. */
export interface PlannedProject {
  name: string;
  full_path: string;
  namespace: Pick<ProjectTarget, 'id' | 'traversal_ids' | 'kind' | 'visibility'>;
  overrides: Record<string, unknown> | null;
  replaces: string | null;
}

/** Passes entries on, and notifies of one of this name. */
async function* notifyOf(
  entries: AsyncIterable<IncomingEntry>,
  name: string,
  notify: () => void,
): AsyncGenerator<IncomingEntry> {
  for await (const entry of entries) {
    if (entry.name === name) notify();
    yield entry;
  }
}

/**
 * What the import of an archive would do, its target having been checked; nothing is touched. What depends on commits,
 * such as merge requests without theirs, shows only once it is done.
 * @throws Invalid (422) for an archive that would be rejected
 */
export async function planProjectImport(
  ctx: SignedInContext,
  archive: PlannedArchive,
  { name, full_path, namespace, overrides, replaces }: PlannedProject,
): Promise<ProjectImportPlan> {
  const sink = new PlanSink(ctx);
  let repository = false;
  const read = await readForPlan(ctx, archive, (entries, report) =>
    readProject(
      notifyOf(entries, PROJECT_BUNDLE, () => (repository = true)),
      sink,
      report,
    ),
  );
  const container = { source: NO_GROUP, above: [], path: full_path, file: projectRelationFile };
  const above = [...namespace.traversal_ids];
  return {
    name,
    full_path,
    visibility: importedVisibility(read.found, overrides ?? {}, namespace),
    replaces,
    repository,
    ...(await planLeftOut(ctx, read, sink, {
      containers: [container],
      groups: [],
      above,
      sharesMilestonesWith: [namespace.id],
    })),
  };
}
