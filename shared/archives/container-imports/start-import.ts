import type { Caller } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { sameText } from '../../core/database/expressions.js';
import { boolean, integer, optional, storedFile, text } from '../../core/operations/fields.js';
import { countAction } from '../../core/operations/limit-actions.js';
import { operation } from '../../core/operations/operation.js';
import type { StoredFile } from '../../core/stored-files/storing.js';
import { BadParams, Forbidden, Invalid } from '../../core/values/errors.js';
import { scheduleDeletion } from '../../repositories/project-lifecycle/delete-project.js';
import { insertProject } from '../../repositories/project-lifecycle/insert-project.js';
import { makeGroup, newGroupProblems } from '../../tenancy/group-details/create-group.js';
import { saveFailure } from '../../tenancy/groups/group.rules.js';
import { lockProject } from '../../tenancy/projects/lock-project.js';
import { requireRoom } from '../../tenancy/projects/project-target.js';
import type { ProjectTarget } from '../../tenancy/projects/project-target.js';
import { findProject, findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { newProjectProblems } from '../../tenancy/projects/project.rules.js';
import { ArchiveImport } from '../archive-imports/archive-import.entity.js';
import { importGroups, importProjectArchives, planGroupImports, planProjectArchives } from '../archives.jobs.js';
import { tables } from '../archive-imports/restoring.js';
import type { ImportPlanRecord } from '../import-plans/import-plan.entity.js';
import { startImportPlan } from '../import-plans/import-plan.operations.js';
import {
  findGroupImportTarget,
  findImportNamespace,
  groupImportTarget,
  namesNoNamespace,
  projectImportTarget,
} from './import-target.js';
import type { GroupImportTarget } from './import-target.js';
import { newRoot, overridesParam, requireOverrides } from './imported-settings.js';
import type { GroupImportPlan, PlannedRoot, PlannedProject, ProjectImportPlan } from './plan-container-import.js';

const MIB = 1024 * 1024;
const NO_ARCHIVE = 'You need to upload a project export archive (ending in .gz).';

/** @throws Invalid for a name that no archive has */
function requireArchiveName({ filename }: StoredFile): void {
  if (!/\.gz$/i.test(filename)) throw new Invalid({ error: NO_ARCHIVE }, 422);
}

/** Bytes that an archive may have. */
const mostBytes = (ctx: Context<Caller>): number => ctx.settings.max_import_size * MIB || Infinity;

/** Inserts the import that fills what was made. @returns its id */
async function insertImport(
  ctx: SignedInContext,
  file: StoredFile,
  of: Pick<ArchiveImport, 'namespace_id' | 'project_id' | 'overrides'>,
): Promise<number> {
  return ctx.em.insert(ArchiveImport, {
    ...of,
    user_id: ctx.caller.id,
    object_id: await file.object.keep(ctx),
    status: 'created',
    phase: 'waiting',
    attempts: 0,
    last_error: null,
    created_at: ctx.clock.now(),
    started_at: null,
    finished_at: null,
  });
}

interface NewGroup {
  file: StoredFile;
  name: string;
  path: string;
}

/** Plans the import in a job. @throws Invalid for a path that is taken or invalid */
async function planGroup(
  ctx: SignedInContext,
  { parent }: GroupImportTarget,
  { file, name, path }: NewGroup,
): Promise<ImportPlanRecord> {
  const problems = await newGroupProblems(ctx, newRoot({ name, path }, parent), parent);
  if (Object.keys(problems).length > 0) throw saveFailure(problems);
  const input: PlannedRoot = {
    name,
    full_path: parent ? `${parent.full_path}/${path}` : path,
    above: parent?.traversal_ids ?? [],
  };
  return startImportPlan(ctx, planGroupImports, { kind: 'group', file, input });
}

/** Makes the group, and has a job fill it. */
async function startGroup(
  ctx: SignedInContext,
  { parent }: GroupImportTarget,
  { file, name, path }: NewGroup,
): Promise<void> {
  const group = await makeGroup(ctx, newRoot({ name, path }, parent), parent);
  const import_id = await insertImport(ctx, file, { namespace_id: group.id, project_id: null, overrides: null });
  ctx.record({ type: 'group_import.started', group, bytes: file.object.bytes, sha256: file.object.sha256 });
  await ctx.jobs.send(importGroups, { import_id });
}

/**
 * Import a group from an archive; the caller must be allowed to create groups there. The group is created immediately,
 * and filled by a job (group-export-import.md section 4).
 */
export const startGroupImport = operation({
  name: 'importGroup',
  summary: 'Import a group from an archive',
  resource: groupImportTarget,
  kind: 'write',
  statements: 30,
  upload: {
    param: 'file',
    kind: 'imports',
    async limit(ctx, _target, { parent_id: parent }) {
      // A target that the form names before its file is checked before any of that is read.
      if (typeof parent === 'string' && /^\d{1,15}$/.test(parent)) await findGroupImportTarget(ctx, Number(parent));
      return mostBytes(ctx);
    },
  },
  params: {
    parent_id: optional(integer()).describe(
      'ID of the parent group; if omitted, the import creates a top-level group.',
    ),
    file: storedFile().describe('Archive of the group, as created by an export of a group.'),
    name: text()
      .describe('Name of the group.')
      .meta({ examples: ['Rockets'] }),
    path: text()
      .describe('Path of the group. Must be unique in the parent group, regardless of case.')
      .meta({ examples: ['rockets'] }),
    dry_run: optional(boolean()).describe('If `true`, returns what the import would do, without importing anything.'),
  },
  async run(ctx, target, { file, name, path, dry_run }): Promise<GroupImportPlan | ImportPlanRecord | null> {
    const problems = [...(name.trim() === '' ? ['name is empty'] : []), ...(path === '' ? ['path is empty'] : [])];
    if (problems.length > 0) throw new BadParams(problems);
    await countAction(ctx, 'group_import');
    requireArchiveName(file);
    if (dry_run) return planGroup(ctx, target, { file, name, path });
    await startGroup(ctx, target, { file, name, path });
    return null;
  },
});

/** Hides unfinished content; the archive determines the visibility later. */
const VISIBILITY = 'private';

/** The result of an import: the project, or the plan once it is known. */
export type ImportedProject = ProjectRecord | ProjectImportPlan | ImportPlanRecord;

/** Whether an import answered what it would do. */
export const isPlan = (result: ImportedProject): result is ProjectImportPlan => !('id' in result);

/** The project at a path, if there is one. @throws Forbidden if the caller may not delete it */
async function findReplaceable(
  ctx: SignedInContext,
  namespace: ProjectTarget,
  path: string,
): Promise<ProjectRecord | null> {
  const row = await tables({ ctx })
    .selectFrom('routes as r')
    .select('r.project_id as id')
    .where((eb) => sameText(eb.ref('r.path'), `${namespace.full_path}/${path}`))
    .where('r.project_id', 'is not', null)
    .executeTakeFirst();
  if (!row?.id) return null;
  const found = await findVisibleProject(ctx, row.id);
  if (!found || !projectPolicy.remove_project(ctx.caller, found)) throw new Forbidden();
  return found;
}

/** Marks a project for deletion, which frees its path. */
async function scheduleReplacedDeletion(ctx: SignedInContext, found: ProjectRecord): Promise<void> {
  const locked = await lockProject(ctx, found, 'remove_project');
  await scheduleDeletion(ctx, locked, ctx.settings.deletion_adjourned_period);
}

interface NewProject {
  file: StoredFile;
  name: string;
  path: string;
  overrides: Record<string, unknown> | null;
}

/**
 * @param replaced the project that would be replaced; its path and name count as available
 * @throws Invalid for a path that is taken or invalid
 */
async function requireAvailable(
  ctx: SignedInContext,
  namespace: ProjectTarget,
  { name, path }: Pick<NewProject, 'name' | 'path'>,
  replaced: ProjectRecord | null = null,
): Promise<void> {
  await requireRoom(ctx, namespace);
  const problems = await newProjectProblems(ctx, namespace, { name, path, visibility: VISIBILITY });
  if (replaced) {
    delete problems.path;
    delete problems['project_namespace.name'];
    if (replaced.name === name) delete problems.name;
  }
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/** Plans the import in a job. @throws Invalid for a path that is taken or invalid */
async function planProject(
  ctx: SignedInContext,
  namespace: ProjectTarget,
  { file, name, path, overrides }: NewProject,
  replaced: ProjectRecord | null,
): Promise<ImportPlanRecord> {
  const { id, traversal_ids, kind, visibility } = namespace;
  const input: PlannedProject = {
    name,
    full_path: `${namespace.full_path}/${path}`,
    namespace: { id, traversal_ids, kind, visibility },
    overrides,
    replaces: replaced?.full_path ?? null,
  };
  const started = await startImportPlan(ctx, planProjectArchives, { kind: 'project', file, input });
  // Last, since it holds the name.
  await requireAvailable(ctx, namespace, { name, path }, replaced);
  return started;
}

/** Creates the project and queues a job to fill it. @throws Invalid for a path that is taken or invalid */
async function startProject(
  ctx: SignedInContext,
  namespace: ProjectTarget,
  { file, name, path, overrides }: NewProject,
): Promise<ProjectRecord> {
  await requireAvailable(ctx, namespace, { name, path });
  const newProject = await insertProject(ctx, namespace, {
    name,
    path,
    visibility: VISIBILITY,
    description: null,
    import_type: 'gitlab_project',
    import_status: 'scheduled',
  });
  const import_id = await insertImport(ctx, file, { namespace_id: namespace.id, project_id: newProject.id, overrides });
  const project = await findProject(ctx, newProject.id);
  const { bytes, sha256 } = file.object;
  ctx.record({ type: 'project_import.started', project, bytes, sha256 });
  await ctx.jobs.send(importProjectArchives, { import_id, project_id: newProject.id });
  return project;
}

/**
 * Import a project from an archive: Maintainers of the group that it is to lie in, as far as they may make projects
 * there, and everybody at home. The project is made at once, and filled by a job (group-export-import.md sections 1 and 7).
 */
export const startProjectImport = operation({
  name: 'importProject',
  summary: 'Import a project from an archive',
  resource: projectImportTarget,
  kind: 'write',
  statements: 40,
  upload: {
    param: 'file',
    kind: 'imports',
    async limit(ctx, _target, { namespace }) {
      // A target that the form names before its file is checked before any of that is read.
      if (ctx.caller.kind === 'user' && !namesNoNamespace(namespace))
        await findImportNamespace(ctx.as(ctx.caller), namespace);
      return mostBytes(ctx);
    },
  },
  params: {
    namespace: optional(text()).describe("ID or full path of the namespace. Defaults to the caller's own namespace."),
    path: text()
      .describe('Path of the project.')
      .meta({ examples: ['rocket'] }),
    name: optional(text()).describe('Name of the project. Defaults to the path.'),
    file: storedFile().describe('Archive of the project, as created by an export of a project.'),
    overwrite: optional(boolean()).describe(
      'If `true`, an existing project with the same path is marked for deletion and replaced. Requires the Owner role in that project.',
    ),
    override_params: optional(overridesParam()).describe('Settings that override the settings in the archive.'),
    dry_run: optional(boolean()).describe('If `true`, returns what the import would do, without importing anything.'),
  },
  async run(ctx, { namespace }, input): Promise<ImportedProject> {
    const { file, path, name = path, overwrite, override_params: overrides = null, dry_run } = input;
    if (path.trim() === '') throw new BadParams(['path is empty']);
    await countAction(ctx, 'project_import');
    requireArchiveName(file);
    if (overrides) requireOverrides(ctx, overrides);
    const target = namespace ?? (await findImportNamespace(ctx, undefined));
    const replaced = overwrite ? await findReplaceable(ctx, target, path) : null;
    if (dry_run) return planProject(ctx, target, { file, name, path, overrides }, replaced);
    if (replaced) await scheduleReplacedDeletion(ctx, replaced);
    return startProject(ctx, target, { file, name, path, overrides });
  },
});
