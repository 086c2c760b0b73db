import type { ResolverClass } from '../core/graphql/requests/engine.js';
import {
  MergeRequestResolver,
  MergeRequestsOfGroupResolver,
  MergeRequestsOfProjectResolver,
} from './merge-requests/merge-request-lists.graphql.js';
import { RelatedMergeRequestsResolver } from './merge-requests/related-merge-requests.graphql.js';

/** What GraphQL serves of this domain. */
export const mergeRequestsResolvers: readonly ResolverClass[] = [
  MergeRequestResolver,
  MergeRequestsOfGroupResolver,
  MergeRequestsOfProjectResolver,
  RelatedMergeRequestsResolver,
];
