import type { Context as KoaContext } from 'koa';
import { createMergeRequest } from '../../../shared/merge-requests/merge-request-edits/create-merge-request.js';
import { deleteMergeRequest } from '../../../shared/merge-requests/merge-request-edits/delete-merge-request.js';
import { updateMergeRequest } from '../../../shared/merge-requests/merge-request-edits/update-merge-request.js';
import {
  getMergeRequestChanges,
  getMergeRequestRawDiff,
  getMergeRequestVersion,
  listMergeRequestCommits,
  listMergeRequestDiffs,
  listMergeRequestVersions,
} from '../../../shared/merge-requests/merge-request-versions/version.operations.js';
import {
  listGroupMergeRequests,
  listMergeRequests,
  listProjectMergeRequests,
} from '../../../shared/merge-requests/merge-request-lists/merge-request-lists.operations.js';
import type { AskedMergeRequests } from '../../../shared/merge-requests/merge-request-lists/merge-request-order.js';
import type { RawDiff } from '../../../shared/merge-requests/merge-request-versions/version.operations.js';
import {
  mergeRequestChanges,
  versionDetails,
  versionShape,
} from '../../../shared/merge-requests/merge-request-versions/version.shape.js';
import { getMergeRequest } from '../../../shared/merge-requests/merge-requests/merge-request.operations.js';
import {
  mergeRequestDetails,
  mergeRequestShape,
  mergeRequestWithLabelDetails,
  simpleMergeRequest,
} from '../../../shared/merge-requests/merge-requests/merge-request.shape.js';
import type { Context } from '../../../shared/core/context.js';
import { commitShape } from '../../../shared/repositories/branches-and-tags/branch.shape.js';
import { fileDiffShape } from '../../../shared/repositories/diffs/file-diff.shape.js';
import { sendText } from '../../core/respond.js';
import { del, get, post, put, routes } from '../../core/routes.js';

async function sendDiff(koa: KoaContext, _ctx: unknown, diff: RawDiff) {
  sendText(koa, (await diff.open()) ?? '');
}

function shapeOf(_ctx: Context, list?: AskedMergeRequests) {
  if (list?.simple) return simpleMergeRequest;
  return list?.with_labels_details ? mergeRequestWithLabelDetails : mergeRequestShape;
}

const listed = { present: shapeOf, paginate: 'offset' } as const;

const everywhere = [
  get('/merge_requests', listMergeRequests, listed),
  get('/groups/:id/merge_requests', listGroupMergeRequests, listed),
];

const ofProject = routes('/projects/:id/merge_requests', [
  get('/', listProjectMergeRequests, listed),
  post('/', createMergeRequest, { present: mergeRequestDetails, status: 201 }),
  get('/:merge_request_iid', getMergeRequest, { present: mergeRequestDetails }),
  put('/:merge_request_iid', updateMergeRequest, { present: mergeRequestDetails }),
  del('/:merge_request_iid', deleteMergeRequest, { status: 204 }),
  get('/:merge_request_iid/commits', listMergeRequestCommits, { present: commitShape, paginate: 'offset' }),
  get('/:merge_request_iid/diffs', listMergeRequestDiffs, { present: fileDiffShape, paginate: 'offset' }),
  get('/:merge_request_iid/changes', getMergeRequestChanges, { present: mergeRequestChanges }),
  get('/:merge_request_iid/raw_diffs', getMergeRequestRawDiff, { respond: sendDiff }),
  get('/:merge_request_iid/versions', listMergeRequestVersions, { present: versionShape, paginate: 'offset' }),
  get('/:merge_request_iid/versions/:version_id', getMergeRequestVersion, { present: versionDetails }),
]);

export default [...everywhere, ...ofProject];
