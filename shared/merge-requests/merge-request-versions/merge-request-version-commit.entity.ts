import { defineEntity, p, relation, reference } from '../../core/database/entity.js';
import { MergeRequestVersion } from '../merge-requests/merge-request-version.entity.js';

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
