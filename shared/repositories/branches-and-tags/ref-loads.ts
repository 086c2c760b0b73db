import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import { readCommits, readTags } from '../../git/index.js';
import type { RefRecord } from '../repositories/ref-records.js';
import { openRepository } from '../repositories/write-refs.js';

type Refs = readonly Readonly<RefRecord>[];

const getRepository = (ctx: Context, refs: Refs) => openRepository(ctx, refs[0]!.project);

/** The commits of a page of refs, which is of one project: one git process, however many refs. */
export const refCommits = load(
  (ref: Readonly<RefRecord>) => ref.target_sha,
  (ctx, refs) =>
    readCommits(
      getRepository(ctx, refs),
      refs.map((ref) => ref.target_sha),
    ),
);

const getAnnotations = (whole: boolean) =>
  load(
    (ref: Readonly<RefRecord>) => ref.object_sha,
    async (ctx, refs) => {
      const annotated = refs.filter((ref) => ref.object_sha !== ref.target_sha).map((ref) => ref.object_sha);
      return annotated.length > 0 ? readTags(getRepository(ctx, refs), annotated, { whole }) : new Map<string, never>();
    },
  );

/** How annotated tags of a page begin, and who tagged: one more git process. */
export const annotations = getAnnotations(false);
/** The same, as a whole. */
export const wholeAnnotations = getAnnotations(true);
