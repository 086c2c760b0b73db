import type { Readable } from 'node:stream';
import { answerInHand } from '../../core/bytes/answer-bytes.js';
import { NotFound } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import { blobSize, isFullId, openBlob, readBlobById } from '../../git/index.js';
import type { Context } from '../../core/context/context.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { withGitAnswers } from '../repositories/git-problems.js';
import { openRepository } from '../repositories/write-refs.js';
import { mostInJson, reads } from './read-files.js';

/** A file's content by its id, whatever commits have it. */
export interface BlobRecord {
  sha: string;
  content: Buffer;
}

const blobSha = text()
  .describe('Full ID of the blob.')
  .meta({ examples: ['79f7bbd25901e8334750839545a9bd021f0e4c83'] });

/** @throws NotFound "404 Blob Not Found" */
function requireId(found: ProjectRecord, id: string): string {
  if (!found.repository_created || !isFullId(id)) throw new NotFound('Blob');
  return id.toLowerCase();
}

const inRepository = <R>(
  ctx: Context,
  found: ProjectRecord,
  read: (at: ReturnType<typeof openRepository>) => Promise<R>,
) => withGitAnswers(() => read(openRepository(ctx, found)));

/** Read a blob of up to 10 MiB. */
export const getBlob = operation({
  name: 'getBlob',
  summary: 'Read a blob',
  ...reads,
  params: { sha: blobSha },
  async run(ctx, found, input): Promise<BlobRecord> {
    const sha = requireId(found, input.sha);
    const content = await inRepository(ctx, found, (at) => readBlobById(at, sha, mostInJson()));
    if (content === null) throw new NotFound('Blob');
    answerInHand.getStore()?.takeValue(content.length);
    return { sha, content };
  },
});

/** Read the bytes of a blob. */
export const getRawBlob = operation({
  name: 'getRawBlob',
  summary: 'Read the content of a blob',
  ...reads,
  params: { sha: blobSha },
  async run(ctx, found, input) {
    const sha = requireId(found, input.sha);
    const size = await inRepository(ctx, found, (at) => blobSize(at, sha));
    if (size === null) throw new NotFound('Blob');
    const open = (): Promise<Buffer | Readable> => inRepository(ctx, found, (at) => openBlob(at, sha, size));
    return { file_path: sha, size, open };
  },
});
