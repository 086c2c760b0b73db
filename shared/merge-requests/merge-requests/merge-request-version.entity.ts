import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { MergeRequest } from './merge-request.entity.js';

/** A snapshot of a merge request. Its commits are retained in git permanently. */
export const MergeRequestVersion = defineEntity({
  name: 'MergeRequestVersion',
  tableName: 'merge_request_versions',
  properties: {
    id: id(),
    project_id: reference(),
    merge_request_id: relation(MergeRequest),
    head_sha: p.string(),
    /** Where the branches parted; null for unrelated ones. */
    base_sha: p.string().nullable(),
    /** Of the target branch at that time. */
    start_sha: p.string(),
    commits_count: p.integer(),
    /** Changed files, at most as many as are displayed; null until they are counted. */
    files_count: p.integer().nullable(),
    files_overflow: p.boolean(),
    /** The id of what it changes; null where nothing or too much does. */
    patch_id_sha: p.string().nullable(),
    created_at: timestamp(),
  },
});
export type MergeRequestVersion = InferEntity<typeof MergeRequestVersion>;

/** A commit of a version of a merge request, newest first. */
export const MergeRequestVersionCommit = defineEntity({
  name: 'MergeRequestVersionCommit',
  tableName: 'merge_request_version_commits',
  properties: {
    project_id: reference(),
    version_id: relation(MergeRequestVersion).primary(),
    position: p.integer().primary(),
    sha: p.string(),
    title: p.string(),
    author_name: p.string(),
    author_email: p.string(),
    authored_date: p.string(),
    committed_date: p.string(),
  },
});
