import type { ResolverClass } from '../core/graphql/requests/engine.js';
import { FeatureFlagsOfMetadataResolver, MetadataResolver } from './metadata/metadata.graphql.js';
import { QueueJobMutations } from './queue-jobs/queue-jobs.graphql.js';

/** What GraphQL serves of this domain. */
export const instanceResolvers: readonly ResolverClass[] = [
  FeatureFlagsOfMetadataResolver,
  MetadataResolver,
  QueueJobMutations,
];
