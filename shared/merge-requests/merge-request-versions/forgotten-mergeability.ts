import { expressionBuilder } from 'kysely';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';

const CONFLICTING = ['cannot_be_merged', 'cannot_be_merged_recheck'];
const RECHECK = 'cannot_be_merged_recheck';
const UNCHECKED = 'unchecked';

/**
 * The merge status of a merge request after one of its branches moved: not known any more, except that it could not be
 * merged, so that a conflict that lasts is no news.
 */
export const forgetMergeability = (status: string): string => (CONFLICTING.includes(status) ? RECHECK : UNCHECKED);

const ofMergeRequests = expressionBuilder<MergeRequestsDatabase, 'merge_requests'>();

/** The same of the `merge_status` of a row. */
export const forgottenMergeability = ofMergeRequests
  .case()
  .when('merge_status', '=', anyOf(CONFLICTING, 'text'))
  .then(constant<string>(RECHECK))
  .else(constant<string>(UNCHECKED))
  .end();
