import type { Context, SignedInContext } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { columns } from '../../core/database/columns.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import { findProjectTarget } from '../../tenancy/projects/project-target.js';
import { descriptionProblems } from '../../tenancy/projects/setting-rules.js';
import { setTopics, topicNames, topicsProblem } from '../../tenancy/topics/set-topics.js';
import { actAsSender, holdImport, ImportAborted } from '../archive-imports/import-state.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { tables } from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';
import { PROJECT_GONE, requireImportedProject } from './import-target.js';
import type { CleanRow } from '../staging/clean-row.js';
import { importedProjectSettings, importedProjectVisibility } from './imported-settings.js';
import { NO_GROUP } from '../format/layout.js';
import { environmentRestorer, protectedEnvironmentRestorer } from '../restorers/restore-environments.js';
import { issueRestorer } from '../restorers/restore-issues.js';
import { mergeRequestRestorer } from '../restorers/restore-merge-requests.js';
import { containerRestorers } from '../restorers/container-restorers.js';
import { restoreSome } from '../restorers/restore-relation.js';
import { containerOfProject } from '../../tenancy/containers/container.js';
import { protectedBranchRestorer, protectedTagRestorer } from '../restorers/restore-protected-refs.js';
import { scheduleRestorer } from '../restorers/restore-schedules.js';
import { snippetRestorer } from '../restorers/restore-snippets.js';

const { contributors, members, labels, milestones, badges, boards } = containerRestorers('project');

/** In the order in which they need each other. */
const restorers: readonly Restorer<RestoringProject>[] = [
  contributors,
  members,
  labels,
  milestones,
  badges,
  issueRestorer,
  boards,
  protectedBranchRestorer,
  protectedTagRestorer,
  scheduleRestorer,
  snippetRestorer,
  environmentRestorer,
  protectedEnvironmentRestorer,
];

/** Restorers that need commits. */
const lateRestorers: readonly Restorer<RestoringProject>[] = [mergeRequestRestorer];

async function getSettings(ctx: Context, projectId: number): Promise<ProjectSettings> {
  const settings = await tables({ ctx })
    .selectFrom('project_settings as s')
    .select(columns(ProjectSettings, 's'))
    .where('s.project_id', '=', projectId)
    .executeTakeFirst();
  if (!settings) throw new ImportAborted(PROJECT_GONE);
  return settings;
}

/** Gives the project what it was exported with, but for name and path. */
async function restoreAttributes(ctx: SignedInContext, found: RunningImport, project: ProjectRecord): Promise<void> {
  // Of two tries at once the later one finds it done.
  const row = (await tables({ ctx })
    .updateTable('archive_import_groups as g')
    .from('archive_imports as i')
    .set({ status: 'done' })
    .where('g.import_id', '=', found.id)
    .where('g.source_id', '=', NO_GROUP)
    .where('g.status', '=', 'waiting')
    .whereRef('i.id', '=', 'g.import_id')
    .returning(['g.attributes', 'i.overrides'])
    .executeTakeFirst()) as { attributes: CleanRow; overrides: Record<string, never> | null } | undefined;
  if (!row) return;
  const namespace = await findProjectTarget(ctx, project.namespace_id);
  if (!namespace) throw new ImportAborted(PROJECT_GONE);
  const before = await getSettings(ctx, project.id);
  const overrides = row.overrides ?? {};
  const { attributes } = row;
  const { hot, settings } = importedProjectSettings(ctx, attributes, overrides, namespace.shared_runners_setting);
  const visibility = importedProjectVisibility(attributes, overrides, namespace);
  const archivedDescription = (overrides.description ?? attributes.description) as string | null;
  const fits = Object.keys(descriptionProblems(archivedDescription)).length === 0;
  const description = (fits ? archivedDescription : project.description) ?? null;
  const updated_at = ctx.clock.now();
  await ctx.em.nativeUpdate(Project, { id: project.id }, { ...hot, visibility, description, updated_at });
  if (Object.keys(settings).length > 0)
    await ctx.em.nativeUpdate(ProjectSettings, { project_id: project.id }, settings);
  const topics = topicNames(((attributes.topics ?? []) as { name: string | null }[]).flatMap(({ name }) => name ?? []));
  if (topics.length > 0 && !topicsProblem(topics)) await setTopics(ctx, project.id, topics);
  const after = await findProject(ctx, project.id);
  ctx.record({
    type: 'project.updated',
    project: after,
    before: { ...project, settings: before },
    after: { ...after, settings: { ...before, ...settings } },
  });
}

/** The relations of the archive that are not restored yet. */
async function waitingRelations(ctx: Context, importId: number): Promise<Set<string>> {
  const rows = await tables({ ctx })
    .selectFrom('archive_import_relations as p')
    .select('p.relation')
    .where('p.import_id', '=', importId)
    .where('p.restored', '=', false)
    .execute();
  return new Set(rows.map(({ relation }) => relation));
}

type Step = <T>(work: (acting: SignedInContext, project: ProjectRecord) => Promise<T>) => Promise<T>;

/** Steps of an import are transactions in which the importer's rights are checked again. */
const getSteps =
  (ctx: Context, found: RunningImport, projectId: number): Step =>
  (work) =>
    ctx.transaction(async () => {
      ctx.signal.throwIfAborted();
      await holdImport(ctx, found);
      const acting = await actAsSender(ctx, found.user_id);
      return work(acting, await requireImportedProject(acting, projectId));
    });

async function restoreAll(ctx: Context, found: RunningImport, step: Step, all: readonly Restorer<RestoringProject>[]) {
  const waiting = await waitingRelations(ctx, found.id);
  for (const restorer of all.filter(({ relation }) => waiting.has(relation)))
    await inSteps(ctx, () =>
      step((acting, project) =>
        restoreSome(
          { ctx: acting, importId: found.id, source: NO_GROUP, container: containerOfProject(project) },
          restorer,
        ),
      ),
    );
}

/**
 * Fills a project from the copied rows of its archive: its attributes, then each relation, in transactions in each of
 * which the importer's rights are checked again. Safe to go on with after a crash.
 * @throws ImportAborted, ImportOvertaken
 */
export async function fillProject(ctx: Context, found: RunningImport, projectId: number): Promise<void> {
  const step = getSteps(ctx, found, projectId);
  await step((acting, project) => restoreAttributes(acting, found, project));
  await restoreAll(ctx, found, step, restorers);
}

/** The same for relations restored once the repository exists. @throws ImportAborted, ImportOvertaken */
export const fillFromRepository = (ctx: Context, found: RunningImport, projectId: number): Promise<void> =>
  restoreAll(ctx, found, getSteps(ctx, found, projectId), lateRestorers);
