import type { SignedInContext } from '../../core/context/context.js';
import { BadParams, Invalid } from '../../core/values/errors.js';
import { boolean, integer, optional, storedFile, text } from '../../core/operations/fields.js';
import type { StoredFile } from '../../core/stored-files/stored-file.js';
import { operation } from '../../core/operations/operation.js';
import { countAction } from '../../core/operations/limit-actions.js';
import { makeGroup, newGroupProblems } from '../../tenancy/group-details/create-group.js';
import { saveFailure } from '../../tenancy/groups/group.rules.js';
import { ArchiveImport } from '../archive-imports/archive-import.entity.js';
import { newRoot } from './group-values.js';
import { importGroups, planGroupImports } from '../archive-imports/archive-import.jobs.js';
import { findGroupImportTarget, groupImportTarget } from './import-place.js';
import type { GroupImportTarget } from './import-place.js';
import type { ImportPlanRecord } from '../import-plans/import-plan.entity.js';
import { startImportPlan } from '../import-plans/request-import-plan.js';
import type { GroupImportPlan, PlannedRoot } from './plan-group-import.js';

const MIB = 1024 * 1024;
const NO_ARCHIVE = 'You need to upload a project export archive (ending in .gz).';

/** @throws Invalid for a name that no archive has */
function requireArchiveName({ filename }: StoredFile): void {
  if (!/\.gz$/i.test(filename)) throw new Invalid({ error: NO_ARCHIVE }, 422);
}

/** Has a job plan the import. @throws Invalid for a path that is taken or invalid */
async function plan(
  ctx: SignedInContext,
  { parent }: GroupImportTarget,
  { file, name, path }: { file: StoredFile; name: string; path: string },
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
async function start(
  ctx: SignedInContext,
  { parent }: GroupImportTarget,
  { file, name, path }: { file: StoredFile; name: string; path: string },
): Promise<void> {
  const group = await makeGroup(ctx, newRoot({ name, path }, parent), parent);
  const now = ctx.clock.now();
  const import_id = await ctx.em.insert(ArchiveImport, {
    namespace_id: group.id,
    project_id: null,
    user_id: ctx.caller.id,
    object_id: await file.object.keep(ctx),
    status: 'created',
    phase: 'waiting',
    attempts: 0,
    last_error: null,
    overrides: null,
    created_at: now,
    started_at: null,
    finished_at: null,
  });
  ctx.record({ type: 'group_import.started', group, bytes: file.object.bytes, sha256: file.object.sha256 });
  await ctx.jobs.send(importGroups, { import_id });
}

/**
 * Import a group from an archive: whoever may make groups there. The group is made at once, and filled by a job
 * (group-export-import.md section 4).
 */
export const startGroupImport = operation({
  name: 'importGroup',
  summary: 'Import a group from an archive',
  subject: groupImportTarget,
  kind: 'write',
  statements: 30,
  upload: {
    param: 'file',
    kind: 'imports',
    async limit(ctx, _target, { parent_id: parent }) {
      // A target that the form names before its file is checked before any of that is read.
      if (typeof parent === 'string' && /^\d{1,15}$/.test(parent)) await findGroupImportTarget(ctx, Number(parent));
      return ctx.settings.max_import_size * MIB || Infinity;
    },
  },
  params: {
    parent_id: optional(integer()).describe('Group to make it in; at the top where left out.'),
    file: storedFile().describe('The archive, as an export of a group makes it.'),
    name: text()
      .describe('Name of the group.')
      .meta({ examples: ['Rockets'] }),
    path: text()
      .describe('Its path; unique beside its siblings, whatever its case.')
      .meta({ examples: ['rockets'] }),
    dry_run: optional(boolean()).describe('Whether to answer what the import would do, and do nothing.'),
  },
  async run(ctx, target, { file, name, path, dry_run }): Promise<GroupImportPlan | ImportPlanRecord | null> {
    const problems = [...(name.trim() === '' ? ['name is empty'] : []), ...(path === '' ? ['path is empty'] : [])];
    if (problems.length > 0) throw new BadParams(problems);
    await countAction(ctx, 'group_import');
    requireArchiveName(file);
    if (dry_run) return plan(ctx, target, { file, name, path });
    await start(ctx, target, { file, name, path });
    return null;
  },
});
