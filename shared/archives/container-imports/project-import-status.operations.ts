import { can, operation } from '../../core/operations/operation.js';
import { project, findProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { Conflict, NotFound } from '../../core/values/errors.js';
import { failImport } from '../../repositories/project-imports/import-state.js';
import { closeArchiveImport } from '../archive-imports/import-state.js';
import { tables } from '../archive-imports/restoring.js';

/** Read how far a project is that is brought in from elsewhere or forked: whoever reads the project. */
export const getProjectImport = operation({
  name: 'getProjectImport',
  summary: 'Read how far the import of a project is',
  subject: project,
  can: can(projectPolicy, 'read_project'),
  gate: 'signed_in_subject',
  kind: 'read',
  run: (_ctx, found) => Promise.resolve(found),
});

const REASON = 'The import was cancelled.';

/** Cancel the import of an archive of a project: its Maintainers. What was imported stays. */
export const cancelProjectImport = operation({
  name: 'cancelProjectImport',
  summary: 'Cancel the import of a project from an archive',
  subject: project,
  can: can(projectPolicy, 'admin_project'),
  kind: 'write',
  async run(ctx, found) {
    const row = await tables({ ctx })
      .selectFrom('archive_imports as i')
      .select('i.id')
      .where('i.project_id', '=', found.id)
      .orderBy('i.id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!row) throw new NotFound('Import');
    if (!(await closeArchiveImport(ctx, row.id, REASON))) throw new Conflict('The import is over.');
    await failImport(ctx, found.id, REASON);
    ctx.record({ type: 'project_import.cancelled', project: found });
    return findProject(ctx, found.id);
  },
});
