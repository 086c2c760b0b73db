import path from 'node:path';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { notificationOfImport } from '../archives.pages.js';
import { importBundle, removeRepository, GitFailed, GitTimeout, TooManyRefs } from '../../git/index.js';
import { adoptContent, prepareContentDraft } from '../../repositories/repositories/adopt-content.js';
import type { ContentDraft } from '../../repositories/repositories/adopt-content.js';
import type { ContentRef } from '../../repositories/repositories/content-ref.js';
import { SNIPPET_REPOSITORIES, WIKI } from '../format/layout.js';
import type { ContentBundle } from '../format/layout.js';
import type { IncomingEntry } from '../read/entries.js';
import { actAsSender, holdImport } from '../archive-imports/import-state.js';
import { Failures } from '../archive-imports/failures.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { r, tables } from '../archive-imports/restoring.js';
import { open, rm } from 'node:fs/promises';

/** Writes an entry to a new file in a folder that no other process reads. @returns its path */
export async function extractEntry(entry: IncomingEntry, folder: string, name: string): Promise<string> {
  const target = path.join(folder, name);
  await rm(target, { force: true });
  const file = await open(target, 'wx', 0o600);
  try {
    for await (const piece of entry.contents()) await file.write(piece);
  } finally {
    await file.close();
  }
  return target;
}

/** The problem of a bundle, as a phrase that follows its name; null for an internal error. */
export function bundleProblem(error: unknown): string | null {
  if (error instanceof TooManyRefs) return `has more than ${error.most} branches and tags.`;
  if (error instanceof GitTimeout) return 'took too long.';
  if (!(error instanceof GitFailed)) return null;
  // A full disk and the like end git as well; those are worth another try.
  if (/No space left|Disk quota|unable to (create|write)/i.test(error.stderr)) return null;
  return 'is damaged, or holds what no repository may.';
}

/** How one kind of import restores wikis and snippets. */
export interface ContentImport {
  /** The files of the archive, read again from the start. */
  entries(): AsyncIterable<IncomingEntry>;
  /** Identifies a file of the archive; null unless it is a bundle of a wiki or snippet. */
  bundleOf(name: string): ContentBundle | null;
  /** The target repository; null if its owner was not created. */
  locate(ctx: Context, bundle: ContentBundle): Promise<ContentRef | null>;
  /** Checks again, in the transaction, whether the importer may. @throws ImportAborted */
  requireRights(ctx: SignedInContext): Promise<unknown>;
  /** Called in the transaction once it was adopted. */
  adopted(ctx: Context, location: ContentRef): Promise<void>;
  /** Why a commit may not become its content; null if it may. */
  rejection(draft: ContentDraft, bundle: ContentBundle): Promise<string | null>;
}

/** A bundle was not imported. The message gives the reason. */
class BundleRejected extends Error {}

/** The copied row of a bundle that no try has handled, as a condition on `r`. */
const isWaitingFor = (importId: number, { relation, group, snippet }: ContentBundle) =>
  r.and([
    r('r.import_id', '=', importId),
    r('r.relation', '=', relation),
    r('r.source_group', '=', group),
    r('r.source_id', 'is not distinct from', snippet),
    r('r.made_id', 'is', null),
  ]);

/** Whether there are bundles that no try has handled. */
async function anyWaiting(ctx: Context, importId: number): Promise<boolean> {
  const row = await tables({ ctx })
    .selectFrom('archive_import_rows as r')
    .select('r.line')
    .where('r.import_id', '=', importId)
    .where('r.relation', 'in', [constant(WIKI), constant(SNIPPET_REPOSITORIES)])
    .where('r.made_id', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const waitingRow = (ctx: Context, importId: number, bundle: ContentBundle) =>
  tables({ ctx }).selectFrom('archive_import_rows as r').select('r.line').where(isWaitingFor(importId, bundle));

/** Counts one more bundle that was restored, or left out. */
const countBundle = (ctx: Context, importId: number, { relation }: ContentBundle, column: 'imported' | 'skipped') =>
  tables({ ctx })
    .updateTable('archive_import_relations as p')
    .set((eb) => ({ [column]: eb(`p.${column}`, '+', constant(1)) }))
    .where('p.import_id', '=', importId)
    .where('p.relation', '=', relation)
    .returning(notificationOfImport('p.import_id'))
    .execute();

/** Notes that a bundle, or something of it, is left out. */
async function reportBundle(ctx: Context, found: RunningImport, bundle: ContentBundle, file: string, reason: string) {
  const failures = new Failures(found);
  failures.add({ file, line: null, relation: bundle.relation, reason });
  await failures.store(ctx);
}

async function skipBundle(ctx: Context, found: RunningImport, bundle: ContentBundle, file: string, reason: string) {
  await ctx.transaction(async () => {
    const left = await tables({ ctx })
      .deleteFrom('archive_import_rows as r')
      .where(isWaitingFor(found.id, bundle))
      .returning('r.line')
      .execute();
    // Of two tries at once the other one has handled it.
    if (left.length === 0) return;
    await countBundle(ctx, found.id, bundle, 'skipped');
    await reportBundle(ctx, found, bundle, file, reason);
  });
}

/** Moves the content of a bundle to the wiki or snippet, in one transaction. @throws BundleRejected, ImportAborted */
function adopt(
  ctx: Context,
  found: RunningImport,
  of: ContentImport,
  bundle: ContentBundle,
  draft: ContentDraft,
  file: string,
) {
  return ctx.transaction(async () => {
    await holdImport(ctx, found);
    const acting = await actAsSender(ctx, found.user_id);
    await of.requireRights(acting);
    // Of two tries at once the later one finds it done.
    if (!(await waitingRow(acting, found.id, bundle).forUpdate().executeTakeFirst())) return;
    const location = await of.locate(acting, bundle);
    if (!location) throw new BundleRejected('What the bundle belongs to was not imported.');
    const id = await adoptContent(acting, location, draft);
    if (id === null) throw new BundleRejected('Somebody else has written to it meanwhile.');
    await of.adopted(acting, location);
    await tables({ ctx })
      .updateTable('archive_import_rows as r')
      .set({ made_id: id })
      .where(isWaitingFor(found.id, bundle))
      .execute();
    await countBundle(ctx, found.id, bundle, 'imported');
    if (draft.leftOut > 0)
      await reportBundle(
        ctx,
        found,
        bundle,
        file,
        `It has one branch: ${draft.leftOut} other branches and tags are left out.`,
      );
  });
}

/** Creates a repository from a bundle, with the same checks as for a project's repository. @throws BundleRejected */
async function getDraft(entry: IncomingEntry, folder: string, signal: AbortSignal): Promise<ContentDraft> {
  const draft = path.join(folder, 'content.git');
  await removeRepository(draft);
  const file = await extractEntry(entry, folder, 'content.bundle');
  try {
    await importBundle(file, draft, signal);
    const prepared = await prepareContentDraft(draft);
    if (!prepared) throw new BundleRejected('The bundle has no branch.');
    return prepared;
  } catch (error) {
    const problem = bundleProblem(error);
    throw problem === null ? error : new BundleRejected(`The bundle ${problem}`, { cause: error });
  }
}

/**
 * Restores the wikis and the repositories of snippets of an archive, one at a time, each in its own transaction. One
 * that cannot be imported is left out, and the reason reported. Can resume after a crash: existing ones are skipped.
 * The archive is read again, unless it has no such bundles.
 * @param folder of the import, for bundles while they are read
 * @throws ImportAborted, ArchiveRejected
 */
export async function restoreContents(
  ctx: Context,
  found: RunningImport,
  of: ContentImport,
  folder: string,
): Promise<void> {
  if (!(await anyWaiting(ctx, found.id))) return;
  for await (const entry of of.entries()) {
    const bundle = of.bundleOf(entry.name);
    if (!bundle || !(await waitingRow(ctx, found.id, bundle).executeTakeFirst())) continue;
    try {
      const draft = await getDraft(entry, folder, ctx.signal);
      const rejection = await of.rejection(draft, bundle);
      if (rejection !== null) throw new BundleRejected(rejection);
      await adopt(ctx, found, of, bundle, draft, entry.name);
    } catch (error) {
      ctx.signal.throwIfAborted();
      if (!(error instanceof BundleRejected)) throw error;
      await skipBundle(ctx, found, bundle, entry.name, error.message);
    }
  }
}
