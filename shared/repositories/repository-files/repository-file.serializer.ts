import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { createHash } from 'node:crypto';
import type { BlameGroup, TreeEntry } from '../../git/index.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { commitSerializer } from '../branches-and-tags/branch.serializer.js';
import type { BlobRecord } from './read-blobs.js';
import type { FileRecord } from './repository-file.finder.js';

const getName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const getDigest = (file: FileRecord) => createHash('sha256').update(file.content).digest('hex');

/** A file with its content (delivery-resources.md section 5a). */
export const fileSerializer = serializer<FileRecord>('RepositoryFile', {
  file_name: out.text((file) => getName(file.file_path)),
  file_path: out.text((file) => file.file_path),
  size: out.integer((file) => file.size),
  encoding: out.text(() => 'base64'),
  content_sha256: out.text(getDigest),
  ref: out.text((file) => file.ref),
  blob_id: out.text((file) => file.blob_id),
  commit_id: out.text((file) => file.commit_id),
  last_commit_id: out.text((file) => file.last_commit_id),
  execute_filemode: out.boolean((file) => file.mode === '100755'),
  content: out.text((file) => file.content.toString('base64')),
  content_html: out.nullableText((file) => file.content_html, {
    optional: true,
    description: 'Markdown as safe HTML, if requested with `render_html`; null for files that are not Markdown.',
  }),
});

/** A blob with its content. */
export const blobSerializer = serializer<BlobRecord>('Blob', {
  size: out.integer((blob) => blob.content.length),
  encoding: out.text(() => 'base64'),
  content: out.text((blob) => blob.content.toString('base64')),
  sha: out.text((blob) => blob.sha),
});

/** A file's metadata without its content: for responses with another body. */
export function describeFile(file: FileRecord): Record<string, string> {
  return {
    file_name: getName(file.file_path),
    file_path: file.file_path,
    size: String(file.size),
    encoding: 'base64',
    ref: file.ref,
    blob_id: file.blob_id,
    commit_id: file.commit_id,
    last_commit_id: file.last_commit_id,
    execute_filemode: String(file.mode === '100755'),
  };
}

/** The same with the digest of the content, where all of it was read. */
export function describeWholeFile(file: FileRecord): Record<string, string> {
  return { ...describeFile(file), content_sha256: getDigest(file) };
}

/** The response to a write. */
export const writtenFile = serializer<{ file_path: string; branch: string }>('WrittenFile', {
  file_path: out.text((file) => file.file_path),
  branch: out.text((file) => file.branch),
});

/** Neighbouring lines of one commit. */
export const blameSerializer = serializer<BlameGroup & { project: ProjectRecord }>('BlameGroup', {
  commit: out.record(commitSerializer, (group) => ({ ...group.commit, project: group.project })),
  lines: out.texts((group) => group.lines),
});

/** A file, folder or submodule of a folder (core-resources.md section 9). */
export const treeEntrySerializer = serializer<TreeEntry>('TreeEntry', {
  id: out.text((entry) => entry.id),
  name: out.text((entry) => entry.name),
  type: out.text((entry) => entry.type, { enum: ['tree', 'blob', 'commit'] }),
  path: out.text((entry) => entry.path),
  mode: out.text((entry) => entry.mode),
});
