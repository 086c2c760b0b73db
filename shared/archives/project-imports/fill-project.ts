import type { Context, SignedInContext } from '../../core/context.js';
import { columns, sql } from '../../core/sql.js';
import { ProjectSettings } from '../../tenancy/project-settings/project-settings.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { findProject, findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy, readOnly } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { findProjectTarget } from '../../tenancy/projects/project-target.js';
import { descriptionProblems } from '../../tenancy/project-settings/setting-rules.js';
import { setTopics, topicNames, topicsProblem } from '../../tenancy/topics/set-topics.js';
import { actAsSender } from '../archive-imports/act-as-sender.js';
import { Failures } from '../archive-imports/failures.js';
import { holdImport, ImportEnded } from '../archive-imports/import-state.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { rowsOfRelation } from '../archive-imports/restoring.js';
import type { CleanRow } from '../staging/clean-row.js';
import { importedProjectSettings, importedVisibility } from './project-values.js';
import { NO_GROUP } from './read-project.js';
import { issueRestorer } from './restore-issues.js';
import {
  projectBoardRestorer,
  projectLabelRestorer,
  projectMilestoneRestorer,
  projectBadgeRestorer,
} from './restore-project-planning.js';
import { protectedBranchRestorer, protectedTagRestorer } from './restore-protected-refs.js';
import { scheduleRestorer } from './restore-schedules.js';
import { snippetRestorer } from './restore-snippets.js';
import type { ProjectRestorer, RestoringProject } from './restoring-project.js';

/** In the order in which they need each other. */
const restorers: readonly ProjectRestorer[] = [
  projectLabelRestorer,
  projectMilestoneRestorer,
  projectBadgeRestorer,
  issueRestorer,
  projectBoardRestorer,
  protectedBranchRestorer,
  protectedTagRestorer,
  scheduleRestorer,
  snippetRestorer,
];

const GONE = 'The user who asked for the import may not change the project any more.';

/** The project, if its importer may still fill it. @throws ImportEnded */
export async function stillTheirs(ctx: SignedInContext, projectId: number): Promise<ProjectRecord> {
  const found = await findVisibleProject(ctx, projectId);
  if (!found || !projectPolicy.admin_project(ctx.caller, found)) throw new ImportEnded(GONE);
  if (readOnly(found)) throw new ImportEnded('The project is archived, or about to be deleted.');
  return found;
}

async function settingsOf(ctx: Context, projectId: number): Promise<ProjectSettings> {
  const settings = await ctx.queryOne<ProjectSettings>(sql`
    select ${columns(ProjectSettings, 's')} from project_settings s where s.project_id = ${projectId}`);
  if (!settings) throw new ImportEnded(GONE);
  return settings;
}

/** Gives the project what it was exported with, but for name and path. */
async function restoreAttributes(ctx: SignedInContext, found: RunningImport, project: ProjectRecord): Promise<void> {
  // The table has no entity, for nobody is shown its rows. Of two tries at once the later one finds it done.
  const row = await ctx.queryOne<{ attributes: CleanRow; overrides: Record<string, never> | null }>(sql`
    update archive_import_groups g set status = 'done' from archive_imports i
     where g.import_id = ${found.id} and g.source_id = ${NO_GROUP} and g.status = 'waiting' and i.id = g.import_id
    returning g.attributes as "attributes", i.overrides as "overrides"`);
  if (!row) return;
  const namespace = await findProjectTarget(ctx, project.namespace_id);
  if (!namespace) throw new ImportEnded(GONE);
  const before = await settingsOf(ctx, project.id);
  const overrides = row.overrides ?? {};
  const { attributes } = row;
  const { hot, settings } = importedProjectSettings(ctx, attributes, overrides, namespace.shared_runners_setting);
  const visibility = importedVisibility(attributes, overrides, namespace);
  const said = (overrides.description ?? attributes.description) as string | null;
  const fits = Object.keys(descriptionProblems(said)).length === 0;
  const description = (fits ? said : project.description) ?? null;
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

/** Notes that a relation is done. A row that nothing was made of is one that was left out. */
async function countRestored(restoring: RestoringProject, relation: string): Promise<void> {
  await restoring.ctx.query(sql`
    update archive_import_relations p
       set imported = x.imported, skipped = p.skipped + x.skipped
      from (select count(r.made_id)::integer as imported, (count(*) - count(r.made_id))::integer as skipped
              from archive_import_rows r where ${rowsOfRelation(restoring, relation)}) x
     where p.import_id = ${restoring.importId} and p.relation = ${relation}`);
}

/** Takes on a relation until the transaction ends. @returns false where another try has done it */
async function claimRelation(ctx: Context, importId: number, relation: string): Promise<boolean> {
  const claimed = await ctx.query(sql`
    update archive_import_relations set restored = true
     where import_id = ${importId} and relation = ${relation} and not restored returning relation`);
  return claimed.length > 0;
}

/** The relations of the archive that are not restored yet. */
async function waitingRelations(ctx: Context, importId: number): Promise<Set<string>> {
  const rows = await ctx.query<{ relation: string }>(sql`
    select p.relation as "relation" from archive_import_relations p where p.import_id = ${importId} and not p.restored`);
  return new Set(rows.map(({ relation }) => relation));
}

/**
 * Fills a project from the copied rows of its archive: its attributes, then each relation, each in a transaction of its
 * own in which the importer's rights are asked again. Safe to go on with after a crash.
 * @throws ImportEnded
 */
export async function fillProject(ctx: Context, found: RunningImport, projectId: number): Promise<void> {
  const step = (work: (acting: SignedInContext, project: ProjectRecord) => Promise<void>) =>
    ctx.transaction(async () => {
      ctx.signal.throwIfAborted();
      await holdImport(ctx, found.id);
      const acting = await actAsSender(ctx, found.user_id);
      await work(acting, await stillTheirs(acting, projectId));
    });
  await step((acting, project) => restoreAttributes(acting, found, project));
  const waiting = await waitingRelations(ctx, found.id);
  for (const { relation, restore } of restorers.filter((one) => waiting.has(one.relation)))
    await step(async (acting, project) => {
      if (!(await claimRelation(acting, found.id, relation))) return;
      const failures = new Failures(found);
      const restoring = { ctx: acting, importId: found.id, source: NO_GROUP, project, failures };
      await restore(restoring);
      await countRestored(restoring, relation);
      await failures.store(acting);
    });
}
