import { awardOperations } from '../../planning/award-emoji/award-emoji.operations.js';
import { mergeRequestType } from '../../planning/issuables/issuable-type.js';
import { mergeRequest } from './merge-request.finder.js';
import { mergeRequestPolicy } from './merge-request.policy.js';
import type { MergeRequestRecord } from './merge-request.record.js';

/** Emoji on merge requests. */
export const mergeRequestAwardOperations = awardOperations<MergeRequestRecord>({
  words: 'a merge request',
  noun: 'MergeRequest',
  tables: mergeRequestType.tables,
  subject: mergeRequest,
  reads: mergeRequestPolicy.read_merge_request,
});
