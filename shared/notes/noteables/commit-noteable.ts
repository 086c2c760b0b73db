import type { Context } from '../../core/context/context.js';
import { lockName } from '../../core/database/lock-name.js';
import { NotFound } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { aboutProject } from '../../core/values/job-context.js';
import { requireCommit } from '../../repositories/repositories/commit-of.js';
import { containerOfProject } from '../../tenancy/containers/container.js';
import { findProject, project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { onNotes } from './on-notes.js';
import type { Noteable, NoteableType } from './noteable.js';

/** A commit has no row that could be locked: who writes about it waits for others who do. */
const lockCommit = (ctx: Context, projectId: number, sha: string): Promise<void> =>
  lockName(ctx, `notes:${projectId}:${sha}`);

const getNoteable = (record: ProjectRecord, sha: string): Noteable => ({
  type: commitNoteableType,
  id: null,
  iid: null,
  sha,
  reference: sha,
  container: containerOfProject(record),
  author_id: null,
  assigned: false,
  locked: false,
  record,
});

/** @param sha the full id, if already known */
async function admit(ctx: Context, found: ProjectRecord, name: string, sha?: string): Promise<Noteable> {
  if (!projectPolicy.read_code(ctx.caller, found)) throw new NotFound('Commit');
  const id = sha ?? (await requireCommit(ctx, found, name));
  if (ctx.inTransaction) await lockCommit(ctx, found.id, id);
  return getNoteable(found, id);
}

/** A commit of a project, by its id, in full or short; by a branch or tag too, as everywhere. */
export const commitNoteableType: NoteableType = {
  kind: 'commit',
  noun: 'Commit',
  called: 'a commit',
  resource: {
    noun: 'Commit',
    params: {
      ...project.params,
      sha: text()
        .describe('ID of the commit, in full or short, or name of a branch or tag.')
        .meta({ examples: ['main'] }),
    },
    async find(ctx, input: { id: string; sha: string }) {
      return admit(ctx, await project.find(ctx, input), input.sha);
    },
    about: ({ record }) => aboutProject(record as ProjectRecord),
  },
  async findOf(ctx, { project_id: id, commit_sha: sha }) {
    if (!id || !sha) throw new NotFound();
    return admit(ctx, await findProject(ctx, id), sha, sha);
  },
  readable: (caller, { container }) => projectPolicy.read_code(caller, container.record as ProjectRecord),
  holds: ({ container, sha }) =>
    onNotes.and([onNotes('n.project_id', '=', container.id), onNotes('n.commit_sha', '=', sha)]),
  columns: ({ container, sha }) => ({ project_id: container.id, commit_sha: sha }),
  converts: false,
  resolvable: true,
  internal: false,
  resolvesThreads: false,
  pageChange: () => null,
  diffs: true,
};
