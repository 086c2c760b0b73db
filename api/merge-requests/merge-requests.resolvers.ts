import type { ResolverClass } from '../core/graphql/requests/engine.js';
import {
  MergeRequestResolver,
  MergeRequestsOfGroupResolver,
  MergeRequestsOfProjectResolver,
  RelatedMergeRequestsResolver,
} from './merge-requests/merge-request-lists.graphql.js';

/** What GraphQL serves of this domain. */
export const mergeRequestsResolvers: readonly ResolverClass[] = [
  MergeRequestResolver,
  MergeRequestsOfGroupResolver,
  MergeRequestsOfProjectResolver,
  RelatedMergeRequestsResolver,
];
